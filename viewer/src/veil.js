// Which bodies are shown, faded or hidden; and which walls fade by themselves where they stand between the eye and the grains.
import { Vector3, Vector4 } from 'three'
import { HALF_PLANE, HALF_SPACE } from './run.js'

export const [HIDDEN, FADED, SHOWN] = [0, 1, 2]
const [GRAIN, FIXED] = [0, 1]
const [MAY_FADE, IS_GRAIN] = [4, 8] // bits beside the mode, in the alpha of a body's colour

// A fragment is drawn by the opaque pass or by the translucent one, by how much of it is to be seen. `bits` and `at` are the caller's.
export const VEIL_GLSL = `
  uniform int translucent; // 1: this is the translucent pass
  uniform int cutting;     // 0: nothing is cut; 1: everything; 2: all but grains
  uniform vec4 cut;        // what lies beyond this plane is not drawn
  uniform vec3 heap;       // middle of the box of the grains, and half its sides
  uniform vec3 reach;
  bool cutAway(int bits, vec3 at) { return (cutting == 1 || (cutting == 2 && (bits & ${IS_GRAIN}) == 0)) && dot(cut.xyz, at) > cut.w; }
  // Length of the line of sight in the box of the grains, beyond a point.
  float behind(vec3 at, vec3 eye) {
    vec3 way = mix(-eye, vec3(1e-6), lessThan(abs(eye), vec3(1e-6)));
    vec3 one = (heap - reach - at) / way, other = (heap + reach - at) / way, first = min(one, other), last = max(one, other);
    return min(last.x, min(last.y, last.z)) - max(0.0, max(first.x, max(first.y, first.z)));
  }
  // n points to the eye. A wall stands in the way where grains are behind it, and it does not look at them.
  float opacity(int bits, vec3 at, vec3 n, vec3 eye) {
    float glass = 0.09 + 0.5 * pow(1.0 - abs(dot(n, eye)), 3.0);
    if ((bits & 3) == ${FADED}) return glass + 0.12;
    if ((bits & ${MAY_FADE}) == 0) return 1.0;
    vec3 away = at - heap;
    float far = max(length(away), 1e-6), size = max(length(reach), 1e-6);
    float share = smoothstep(-0.5, -0.2, dot(n, away) / far) * smoothstep(0.0, 0.2, dot(away, eye) / far) * smoothstep(0.0, 0.15, behind(at, eye) / size);
    return mix(1.0, glass, share);
  }`

export const veilUniforms = () => ({ cutting: { value: 0 }, cut: { value: new Vector4() }, heap: { value: new Vector3() }, reach: { value: new Vector3() } })

// Bodies that hold most of the grains in one of three frames: each by itself, and all fixed ones together.
function findVessels(run, stage) {
  const vessel = new Set(), finite = run.shapes.filter((s) => s.kind !== HALF_PLANE && s.kind !== HALF_SPACE)
  for (const frame of new Set([0, run.frames >> 1, run.frames - 1])) {
    stage.pose(frame, 0)
    const boxes = new Map(), all = [] // by body, and of everything that is fixed
    for (const s of finite.filter((shape) => run.role[shape.body] !== GRAIN)) {
      const box = boxes.get(s.body) ?? boxes.set(s.body, { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], bodies: [s.body] }).get(s.body)
      for (const p of s.points) stretch(box, stage.toWorld(s.body, p), s.radius)
      if (run.role[s.body] === FIXED) all.push(box)
    }
    const together = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], bodies: [...new Set(all.flatMap((box) => box.bodies))] }
    for (const box of all) for (const corner of [box.low, box.high]) stretch(together, corner, 0)
    for (const box of [...boxes.values(), together]) if (holdsMost(run, stage, frame, box)) box.bodies.forEach((b) => vessel.add(b))
  }
  return vessel
}
function stretch({ low, high }, x, reach) {
  for (let c = 0; c < 3; c++) {
    low[c] = Math.min(low[c], x[c] - reach)
    high[c] = Math.max(high[c], x[c] + reach)
  }
}
function holdsMost(run, stage, frame, { low, high }) {
  let inside = 0, grains = 0
  for (let b = 0; b < run.bodies; b++) {
    if (run.role[b] !== GRAIN || run.gone?.[frame * run.bodies + b]) continue
    grains++
    const x = stage.centreOf(b)
    if ([0, 1, 2].every((c) => x[c] >= low[c] && x[c] <= high[c])) inside++
  }
  return 2 * inside > grains
}

export class Veil {
  constructor(run, stage) {
    this.run = run
    this.mode = new Uint8Array(run.bodies).fill(SHOWN)
    const vessels = run.planar ? new Set() : findVessels(run, stage)
    this.fading = vessels.size > 0 // asked for
    this.walls = vessels // without a vessel: everything that is no grain, when it is asked for
    if (!run.planar && !vessels.size) for (const s of run.shapes) if (run.role[s.body] !== GRAIN && s.kind !== HALF_SPACE) this.walls.add(s.body)
  }
  bits(b) {
    return this.mode[b] + (this.fading && this.walls.has(b) ? MAY_FADE : 0) + (this.run.role[b] === GRAIN ? IS_GRAIN : 0)
  }
  // Has this body parts that are translucent, or may have?
  isGlass(b) {
    return this.mode[b] === FADED || (this.mode[b] === SHOWN && this.fading && this.walls.has(b))
  }
  set(bodies, mode) {
    for (const b of bodies) this.mode[b] = mode
  }
  // The mode that all of them have; −1: they differ.
  of(bodies) {
    const first = this.mode[bodies[0]]
    return bodies.every((b) => this.mode[b] === first) ? first : -1
  }
  count() {
    return [HIDDEN, FADED].map((mode) => this.mode.reduce((n, m) => n + (m === mode), 0))
  }

  // Where most of the grains are in the pose of the stage, stray ones left out: the middle of a box, and half its sides.
  heap(stage) {
    const { run, mode } = this, x = stage.poses.image.data, middle = [0, 0, 0], half = [0, 0, 0]
    for (let c = 0; c < 3; c++) {
      let n = 0, sum = 0, square = 0, low = Infinity, high = -Infinity
      for (let b = 0; b < run.bodies; b++) {
        const at = x[8 * b + c]
        if (run.role[b] !== GRAIN || mode[b] !== SHOWN || Math.abs(at) > 1e29) continue
        n++
        sum += at
        square += at * at
        low = Math.min(low, at)
        high = Math.max(high, at)
      }
      if (!n) return null
      const mean = sum / n, spread = 2.5 * Math.sqrt(Math.max(0, square / n - mean * mean))
      low = Math.max(low, mean - spread) - 1.5 * stage.grain
      high = Math.min(high, mean + spread) + 1.5 * stage.grain
      middle[c] = (low + high) / 2
      half[c] = (high - low) / 2
    }
    return { middle, half }
  }
}
