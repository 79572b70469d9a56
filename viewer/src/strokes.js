// What is drawn over the bodies: the force network, the bars of mechanisms, the path of the picked body.
import { ROLES } from './run.js'
import { HIDDEN } from './veil.js'

const FORCE = [0.78, 0.23, 0.16]
const BAR = [0.18, 0.42, 0.6]
const PATH = [0.9, 0.45, 0.1]

export function drawForces(stage, run, frame, reference, visible) {
  const { contacts, planar } = run, strokes = stage.forces
  const first = frame > 0 ? contacts.end[frame - 1] : 0, end = visible ? contacts.end[frame] : first
  strokes.begin(end - first)
  const widest = (planar ? 0.8 : 0.6) * stage.grain
  for (let i = first; i < end; i++) {
    const share = contacts.force[i] / reference
    if (share < 0.003) continue
    const ends = [contacts.candidate[i], contacts.antagonist[i]].map((b) => (run.role[b] === 0 ? stage.centreOf(b) : contactPoint(run, i)))
    const c = planar ? FORCE : [Math.min(1, 0.55 + 0.45 * share), 0.3 + 0.5 * Math.min(1, share), 0.12]
    strokes.add(ends[0], ends[1], widest * Math.min(1.3, share ** 0.6), ...c, planar ? 0.85 : 0.35 + 0.5 * Math.min(1, share))
  }
  strokes.end()
}

export function contactPoint(run, i) {
  const { point, pointAt, step } = run.contacts, at = pointAt[i]
  return [point[at] * step, point[at + 1] * step, run.planar ? 0 : point[at + 2] * step]
}

// A link is a bar between the joints that it carries, in their order; in space only where it has no shape of its own.
export function drawBars(stage, run) {
  const strokes = stage.bars, carried = new Map()
  const width = (run.planar ? 0.01 : 0.008) * stage.span
  for (const joint of run.joints)
    for (const { body, point } of joint) if (body >= 0 && ROLES[run.role[body]] === 'link') carried.set(body, [...(carried.get(body) ?? []), point])
  strokes.begin([...carried.values()].reduce((n, points) => n + points.length, 0) + 2 * run.joints.length)
  for (const [body, points] of carried) {
    if ((!run.planar && stage.radius[body] > 0) || stage.veil.mode[body] === HIDDEN) continue
    for (let k = 1; k < points.length; k++) strokes.add(stage.toWorld(body, points[k - 1]), stage.toWorld(body, points[k]), width, ...BAR, 1)
  }
  for (const [one, other] of run.joints) {
    const at = stage.toWorld(other.body, other.point), ground = one.body < 0 || other.body < 0
    strokes.add(at, at, (ground ? 1.7 : 1.35) * width, 0.1, 0.23, 0.35, 1)
    if (!ground) strokes.add(at, at, 0.75 * width, 1, 1, 1, 1)
  }
  strokes.end()
}

export function drawPath(stage, run, body) {
  const strokes = stage.path, stride = Math.ceil(run.frames / 4000)
  strokes.begin(body < 0 ? 0 : run.frames)
  let before = null
  for (let k = 0; body >= 0 && k < run.frames; k += stride) {
    const here = run.position.map((x) => x[k * run.bodies + body])
    if (before) strokes.add(before, here, 0, ...PATH, 0.7)
    before = here
  }
  strokes.end()
}
