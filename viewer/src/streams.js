// The streams of the page, as src/record/page_pack.c packed them, become typed arrays.

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text)
  const raw = atob(text)
  const bytes = new Uint8Array(raw.length)
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i)
  return bytes
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

// Bytes of each plane one after the other, back to words.
function unshuffle(raw, count, planes) {
  const words = new Uint32Array(count)
  for (let k = 0; k < planes; k++) {
    const shift = 8 * k
    const plane = raw.subarray(k * count, (k + 1) * count)
    for (let i = 0; i < count; i++) words[i] |= plane[i] << shift
  }
  return words
}

function codes(raw, { rows, columns, planes }) {
  const count = rows * columns
  const words = unshuffle(raw, count, planes)
  const values = new Int32Array(words.buffer)
  for (let i = 0; i < count; i++) {
    const z = words[i]
    const change = (z >>> 1) ^ -(z & 1)
    values[i] = i >= columns ? (change + values[i - columns]) | 0 : change
  }
  return values
}

// name → { values, step, rows, columns }
export async function unpack(header, base64) {
  const bytes = fromBase64(base64)
  const out = {}
  let at = 0
  for (const stream of header.streams) {
    const raw = await inflate(bytes.subarray(at, at + stream.bytes))
    at += stream.bytes
    let values = raw
    if (stream.encoding === 'f32') values = new Float32Array(unshuffle(raw, stream.columns, 4).buffer)
    else if (stream.encoding === 'codes') values = codes(raw, stream)
    out[stream.name] = { values, step: stream.step, rows: stream.rows, columns: stream.columns }
  }
  return out
}
