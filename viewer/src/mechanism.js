// What is drawn of mechanisms and joints besides shapes. The list of parts is made in src/record/skeleton.c; every part reaches from a point on one body
// to a point on another. In space, parts of one body are triangles beside its shapes (buildMesh), what joins two bodies are strokes; in the plane all are strokes.
import { HIDDEN, FADED } from './veil.js'

export const [BAR, WHEEL, SLEEVE, PISTON, RAIL, SPRING, DAMPER, ROPE, STRUT, PIN, FOOT, MOTOR, BALL, WELD, PLATE, SPIRAL, THREAD, RAM] = Array.from({ length: 18 }, (_, i) => i)

const BLUE = [0.18, 0.42, 0.6], EDGE = [0.1, 0.23, 0.35], STEEL = [0.72, 0.75, 0.79], DULL = [0.55, 0.57, 0.6], GREEN = [0.36, 0.5, 0.42], WHITE = [1, 1, 1]
const COLOUR = {
  [BAR]: BLUE, [WHEEL]: BLUE, [SLEEVE]: [0.14, 0.33, 0.48], [PISTON]: STEEL, [RAIL]: DULL, [SPRING]: GREEN, [DAMPER]: [0.5, 0.6, 0.56],
  [ROPE]: [0.5, 0.42, 0.3], [STRUT]: BLUE, [PIN]: EDGE, [FOOT]: EDGE, [MOTOR]: [0.8, 0.52, 0.24], [BALL]: EDGE, [WELD]: EDGE,
  [PLATE]: DULL, [SPIRAL]: GREEN, [THREAD]: DULL, [RAM]: STEEL,
}
const AS_BODY = [BAR, WHEEL, STRUT]
// What the legend says, of those that a run has.
const LEGEND = [['pistons', PISTON, RAM], ['springs', SPRING, SPIRAL], ['dampers', DAMPER], ['ropes', ROPE], ['motors', MOTOR]]
const bytes = (colour) => colour.map((x) => Math.round(255 * x))
export const partsInLegend = (run) =>
  LEGEND.filter(([, ...kinds]) => run.parts.some((p) => kinds.includes(p.kind))).map(([what, kind]) => [what, bytes(COLOUR[kind])])

export function readParts(streams) {
  const parts = [], { part, part_point: point, part_size: size } = streams
  for (let i = 0; part && 4 * i < part.values.length; i++) {
    const [kind, owner, a, b] = part.values.subarray(4 * i, 4 * i + 4)
    const ends = [a, b].map((body, k) => ({ body, point: [...point.values.subarray(6 * i + 3 * k, 6 * i + 3 * k + 3)] }))
    parts.push({ kind, owner, ends, radius: size.values[2 * i], length: size.values[2 * i + 1] })
  }
  return parts
}

// Parts that turn and move with one body, and are triangles: the mesh knows the body's colour, veil and section.
export const isSolid = (run, p) => !run.planar && p.ends[0].body === p.ends[1].body && p.ends[0].body >= 0 && ![ROPE, SPRING, SPIRAL, THREAD, RAM].includes(p.kind)

export function addSolidParts(mesh, run, { capsule, cylinder }) {
  for (const p of run.parts.filter((part) => isSolid(run, part))) {
    const [a, b] = p.ends.map((end) => end.point), body = p.ends[0].body
    mesh.own = AS_BODY.includes(p.kind) ? [0, 0, 0, 0] : [...bytes(COLOUR[p.kind]), 255]
    if (p.kind === BALL) capsule(mesh, body, a, [a[0], a[1], a[2] + 1e-9 * p.radius], p.radius, 16)
    else if ([WHEEL, SLEEVE, PIN, FOOT, MOTOR, WELD, PLATE].includes(p.kind)) cylinder(mesh, body, a, b, p.radius, 0, [WHEEL, PLATE].includes(p.kind) ? 48 : 20)
    else capsule(mesh, body, a, b, p.radius, 16)
  }
  mesh.own = [0, 0, 0, 0]
}

export const endsOf = (stage, p) => p.ends.map(({ body, point }) => stage.toWorld(body, point))
export const isSlack = (p, [a, b]) => p.kind === ROPE && Math.hypot(...a.map((x, c) => b[c] - x)) < p.length * (1 - 1e-3)

// The share of its length over which the barrel of a ram reaches: as tl_part_barrel.
export function barrelOf(p, [a, b]) {
  const now = Math.hypot(...a.map((x, c) => b[c] - x))
  return p.length > 0 && now > 0 ? Math.min(0.95, 0.9 * p.length / now) : 0.5
}

const along = (a, b, s) => a.map((x, c) => x + s * (b[c] - x))

// Windings as a zigzag in the plane, as a helix in space: as tl_part_coil.
export function coil([a, b], radius, planar) {
  const TURNS = 6, STEPS = planar ? 4 : 12, d = b.map((x, c) => x - a[c]), n = Math.hypot(...d) || 1, axis = d.map((x) => x / n)
  const side = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]
  const w = cross(side, axis), length = Math.hypot(...w) || 1, u = w.map((x) => x / length), v = planar ? [0, 0, 0] : cross(axis, u)
  const line = [a]
  for (let i = 0; i <= TURNS * STEPS; i++) {
    const share = i / (TURNS * STEPS), turn = 2 * Math.PI * TURNS * share, at = along(a, b, 0.12 + 0.76 * share)
    line.push(at.map((x, c) => x + radius * (Math.sin(turn) * u[c] + Math.cos(turn) * v[c])))
  }
  return [...line, b]
}

const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
const unit = (x) => x.map((c) => c / (Math.hypot(...x) || 1))

// In the axes of its body, so that it turns with it: as tl_part_spiral.
export function spiral(stage, { ends, radius }) {
  const [{ point: a }, { point: b, body }] = ends, axis = unit(b.map((x, c) => x - a[c])), TURNS = 2, STEPS = 16
  const u = unit(cross(axis, Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0])), v = cross(axis, u)
  return Array.from({ length: TURNS * STEPS + 1 }, (_, i) => {
    const share = i / (TURNS * STEPS), turn = 2 * Math.PI * TURNS * share, r = radius * (0.4 + 0.6 * share)
    return stage.toWorld(body, b.map((x, c) => x + r * (Math.cos(turn) * u[c] + Math.sin(turn) * v[c])))
  })
}

// A cross in the plane, which turns with its body.
function weld(a, b, radius) {
  const middle = along(a, b, 0.5), [x, y] = unit([b[0] - a[0], b[1] - a[1], 0]).map((c) => radius * c)
  return [[x - y, y + x], [x + y, y - x]].map(([dx, dy]) => [-1, 1].map((sign) => [middle[0] + sign * dx, middle[1] + sign * dy, middle[2]]))
}

function strokesOf(stage, run, p) {
  const ends = endsOf(stage, p), [a, b] = ends, width = 2 * p.radius, colour = COLOUR[p.kind], out = []
  const line = (from, to, wide, paint = colour) => out.push([from, to, wide, paint])
  if ([SPRING, THREAD, SPIRAL].includes(p.kind)) {
    const points = p.kind === SPIRAL ? spiral(stage, p) : coil(ends, p.radius, run.planar)
    for (let i = 1; i < points.length; i++) line(points[i - 1], points[i], (p.kind === SPIRAL ? 0.07 : 0.2) * width)
  } else if (p.kind === WELD) for (const [from, to] of weld(a, b, p.radius)) line(from, to, 0.3 * width)
  else if (p.kind === DAMPER) {
    line(a, b, 0.35 * width)
    line(along(a, b, 0.35), along(a, b, 0.65), width)
  } else if (p.kind === RAM) {
    line(a, b, 0.5 * width)
    line(a, along(a, b, barrelOf(p, ends)), width, COLOUR[SLEEVE])
    if (run.planar) for (const eye of ends) for (const [wide, paint] of [[width, EDGE], [0.6 * width, WHITE]]) line(eye, eye, wide, paint)
  } else if (p.kind === ROPE && isSlack(p, ends)) for (let i = 0; i < 17; i += 2) line(along(a, b, i / 17), along(a, b, (i + 1) / 17), width)
  else if ([WHEEL, BALL, PIN, FOOT, MOTOR].includes(p.kind)) {
    const middle = along(a, b, 0.5)
    line(middle, middle, width)
    if (p.kind === PIN) line(middle, middle, 0.55 * width, WHITE)
    if (p.kind === FOOT || p.kind === MOTOR) line(middle, middle, 0.3 * width, WHITE)
  } else line(a, b, width)
  return out
}

// Frames of links below, rods into sleeves, pins on top.
const LAYERS = [BAR, WHEEL, STRUT, RAIL, THREAD, PLATE, PISTON, SLEEVE, RAM, SPIRAL, SPRING, DAMPER, ROPE, PIN, FOOT, MOTOR, BALL, WELD]

export function drawParts(stage, run) {
  const strokes = stage.bars, { mode } = stage.veil, all = []
  for (const kind of LAYERS)
    for (const p of run.parts) {
      if (p.kind !== kind || isSolid(run, p)) continue
      const modes = [p.owner, p.ends[0].body, p.ends[1].body].filter((body) => body >= 0).map((body) => mode[body])
      if (modes.includes(HIDDEN)) continue
      const alpha = modes.includes(FADED) ? 0.25 : p.kind === ROPE && isSlack(p, endsOf(stage, p)) ? 0.55 : 1
      for (const stroke of strokesOf(stage, run, p)) all.push([...stroke, alpha])
    }
  strokes.begin(all.length)
  for (const [a, b, width, paint, alpha] of all) strokes.add(a, b, width, ...paint, alpha)
  strokes.end()
}
