// A WebM file of one video track, from encoded frames (Matroska: RFC 9559; EBML: RFC 8794). Sizes take eight bytes, so that places are known at once.
const bytes = (...parts) => {
  const all = parts.map((p) => (p instanceof Uint8Array ? p : Uint8Array.from(p))), out = new Uint8Array(all.reduce((n, p) => n + p.length, 0))
  let at = 0
  for (const p of all) {
    out.set(p, at)
    at += p.length
  }
  return out
}
// Big-endian digits of a number that is not negative.
const digits = (x, length) => Uint8Array.from({ length }, (_, i) => Math.floor(x / 256 ** (length - 1 - i)) % 256)
const idOf = (id) => digits(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1)
const element = (id, ...content) => {
  const inside = bytes(...content)
  return bytes(idOf(id), [1], digits(inside.length, 7), inside)
}
const whole = (id, x) => element(id, digits(x, 8))
const text = (id, x) => element(id, new TextEncoder().encode(x))
function real(id, x) {
  const data = new DataView(new ArrayBuffer(8))
  data.setFloat64(0, x)
  return element(id, new Uint8Array(data.buffer))
}

const [SEEK_HEAD, INFO, TRACKS, CLUSTER, CUES, SEGMENT] = [0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1f43b675, 0x1c53bb6b, 0x18538067]

// frames: [{ data, time, key }], time in milliseconds; the first is a key frame. duration in milliseconds.
export function webm({ codec, width, height, duration, frames }) {
  const head = element(0x1a45dfa3, whole(0x4286, 1), whole(0x42f7, 1), whole(0x42f2, 4), whole(0x42f3, 8), text(0x4282, 'webm'), whole(0x4287, 4), whole(0x4285, 2))
  const info = element(INFO, whole(0x2ad7b1, 1000000), real(0x4489, duration), text(0x4d80, 'talus'), text(0x5741, 'talus'))
  const tracks = element(TRACKS, element(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x83, 1), text(0x86, codec), element(0xe0, whole(0xb0, width), whole(0xba, height))))
  const clusters = [] // one from each key frame to the next
  for (const frame of frames) {
    if (frame.key) clusters.push({ time: frame.time, blocks: [] })
    const cluster = clusters[clusters.length - 1]
    cluster.blocks.push(element(0xa3, [0x81], digits(Math.round(frame.time - cluster.time), 2), [frame.key ? 0x80 : 0], frame.data))
  }
  const packed = clusters.map(({ time, blocks }) => element(CLUSTER, whole(0xe7, Math.round(time)), ...blocks))
  const seekHead = (places) => element(SEEK_HEAD, ...places.map(([id, at]) => element(0x4dbb, element(0x53ab, idOf(id)), whole(0x53ac, at))))
  const begin = seekHead([[INFO, 0], [TRACKS, 0], [CUES, 0]]).length
  let at = begin + info.length + tracks.length
  const cues = element(CUES, ...packed.map((cluster, i) => {
    const cue = element(0xbb, whole(0xb3, Math.round(clusters[i].time)), element(0xb7, whole(0xf7, 1), whole(0xf1, at)))
    at += cluster.length
    return cue
  }))
  const places = seekHead([[INFO, begin], [TRACKS, begin + info.length], [CUES, at]])
  return new Blob([head, element(SEGMENT, places, info, tracks, ...packed, cues)], { type: 'video/webm' })
}
