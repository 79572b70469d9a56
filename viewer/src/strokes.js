// What is drawn over the bodies: the force network, the path of the picked body.

const FORCE = [0.78, 0.23, 0.16]
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
