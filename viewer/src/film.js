// A film, frame by frame: each is drawn, then encoded, however long that takes; its times are those asked for.
import { webm } from './webm.js'

const CODECS = [['vp8', 'V_VP8'], ['vp09.00.31.08', 'V_VP9']]
const QUEUE = 4 // frames that wait to be encoded

async function choose(settings) {
  if (!('VideoEncoder' in window)) throw new Error('this browser cannot encode films (it has no WebCodecs): use `talus film`, or a browser of 2024 or later')
  for (const [codec, name] of CODECS) {
    const config = { ...settings, codec }
    if ((await VideoEncoder.isConfigSupported(config)).supported) return { config, name }
  }
  throw new Error('this browser encodes neither VP8 nor VP9: use `talus film`')
}

// draw(k) returns the canvas of frame k, always of one size; progress(share) is called between, and returns false to stop. Null when it was stopped.
export async function film({ count, rate, draw, progress }) {
  const first = draw(0), { width, height } = first
  const { config, name } = await choose({ width, height, framerate: rate, bitrate: Math.round(Math.max(1e6, 0.12 * width * height * rate)) })
  const frames = []
  let failure = null
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      frames.push({ data, time: chunk.timestamp / 1000, key: chunk.type === 'key' })
    },
    error: (error) => (failure = error),
  })
  encoder.configure(config)
  for (let k = 0; k < count && !failure; k++) {
    const canvas = draw(k)
    if (canvas.width !== width || canvas.height !== height) throw new Error('the picture changed its size while it was filmed')
    const frame = new VideoFrame(canvas, { timestamp: Math.round((k * 1e6) / rate), duration: Math.round(1e6 / rate) })
    encoder.encode(frame, { keyFrame: k % Math.max(1, Math.round(2 * rate)) === 0 })
    frame.close()
    do await new Promise((done) => setTimeout(done))
    while (encoder.encodeQueueSize > QUEUE && !failure)
    if (!progress((k + 1) / count)) {
      encoder.close()
      return null
    }
  }
  if (!failure) await encoder.flush()
  if (failure) throw failure
  encoder.close()
  return webm({ codec: name, width, height, duration: (count * 1000) / rate, frames })
}
