// Colours by what the page knows of bodies: categories, and fields with limits. A field has one scale for all times, so that pictures compare.
import { DISK, forceOn, POLYGON, POLYHEDRON, CAPSULE, CYLINDER, MESH, ROLES, SEGMENT, speed, SPHERE } from './run.js'
import { materialColour, ramp, roleColour } from './colours.js'
import { groupsByName } from './layers.js'
import { partsInLegend } from './mechanism.js'
import { solidFields } from './solids.js'

const SOLID = ROLES.indexOf('solid')
const GROUP_HUES = 7 // colours that one tells apart

/* ---- size: the radius of the disk or sphere of the same area or volume ---- */

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

function area({ kind, points, radius }) {
  if (kind === DISK) return Math.PI * radius ** 2
  if (kind === SEGMENT) return Math.PI * radius ** 2 + 2 * radius * distance(...points)
  if (kind !== POLYGON) return NaN
  let twice = 0, round = 0
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length]
    twice += p[0] * q[1] - p[1] * q[0]
    round += distance(p, q)
  })
  return Math.abs(twice) / 2 + round * radius + Math.PI * radius ** 2
}
function volume({ kind, points, faces, radius }) {
  const ball = (4 / 3) * Math.PI * radius ** 3, rod = () => Math.PI * radius ** 2 * distance(...points)
  if (kind === SPHERE || kind === DISK) return ball
  if (kind === CAPSULE || kind === SEGMENT) return ball + rod()
  if (kind === CYLINDER) return rod()
  if (kind !== POLYHEDRON && kind !== MESH) return NaN
  let six = 0
  for (const face of faces) for (let k = 2; k < face.length; k++) six += dot(points[face[0]], cross(points[face[k - 1]], points[face[k]]))
  return Math.abs(six) / 6
}
export function equivalentRadii(run) {
  const sum = new Float64Array(run.bodies)
  for (const s of run.shapes) sum[s.body] += run.planar ? area(s) : volume(s)
  return sum.map((x) => (run.planar ? Math.sqrt(x / Math.PI) : Math.cbrt((3 * x) / (4 * Math.PI))))
}

/* ---- fields ---- */

// Contacts that press on each body, by frame.
function countContacts({ contacts, frames, bodies }) {
  const count = new Uint16Array(frames * bodies)
  for (let k = 0, i = 0; k < frames; k++)
    for (; i < contacts.end[k]; i++) {
      count[k * bodies + contacts.candidate[i]]++
      count[k * bodies + contacts.antagonist[i]]++
    }
  return count
}

// Each: its id in the menu, its name, unit, and its value of entry i = frame × bodies + body of body b.
function fieldsOf(run) {
  const axes = run.planar ? ['x', 'y'] : ['x', 'y', 'z'], { position } = run
  const moved = (b) => run.moves[b] && run.role[b] !== SOLID, own = (values) => (i, b) => (moved(b) && values[b] > 0 ? values[b] : NaN)
  const fields = [
    { id: 'velocity', name: 'speed', unit: 'm/s', value: (i, b) => (moved(b) ? speed(run, i) : NaN) },
    { id: 'force', name: 'largest normal force', unit: 'N', value: (i) => forceOn(run, i) },
    { id: 'size', name: 'equivalent radius', unit: 'm', value: own(equivalentRadii(run)) },
    { id: 'mass', name: 'mass', unit: 'kg', value: own(run.mass) },
  ]
  if (run.spin) fields.push({ id: 'spin', name: 'angular speed', unit: 'rad/s', value: (i, b) => (moved(b) ? Math.hypot(run.spin[0][i], run.spin[1][i], run.spin[2][i]) : NaN) })
  if (run.all_contacts && run.contacts.force.length) {
    const count = countContacts(run)
    fields.push({ id: 'contacts', name: 'contacts', unit: '', value: (i) => count[i] })
  }
  fields.push({ id: 'displacement', name: 'distance from the start', unit: 'm', value: (i, b) => (moved(b) ? Math.hypot(...axes.map((_, c) => position[c][i] - position[c][b])) : NaN) })
  axes.forEach((axis, c) => fields.push({ id: axis, name: `position ${axis}`, unit: 'm', signed: true, value: (i, b) => (moved(b) ? position[c][i] : NaN) }))
  axes.forEach((axis, c) => fields.push({ id: `v${axis}`, name: `velocity ${axis}`, unit: 'm/s', signed: true, value: (i, b) => (moved(b) ? run.velocity[c][i] : NaN) }))
  return [...fields, ...solidFields(run)]
}

// Limits that hold 98 % of the values of what is not fixed, of all frames; from zero where that is near.
function automatic(run, field) {
  if (field.node) return limitsOf(field, nodeSample(run, field))
  const count = run.frames * run.bodies, stride = Math.max(1, Math.floor(count / 200000)), sample = []
  for (let i = 0; i < count; i += stride) {
    const b = i % run.bodies, x = !run.moves[b] || run.gone?.[i] ? NaN : field.value(i, b)
    if (Number.isFinite(x) && (field.signed || x > 0)) sample.push(x)
  }
  return limitsOf(field, sample)
}
function nodeSample(run, field) {
  const count = run.frames * run.solids.nodes, stride = Math.max(1, Math.floor(count / 200000)), sample = []
  for (let i = 0; i < count; i += stride) sample.push(field.node(i))
  return sample
}
function limitsOf(field, sample) {
  if (!sample.length) return [0, 1]
  sample.sort((a, b) => a - b)
  const at = (q) => sample[Math.min(sample.length - 1, Math.floor(q * sample.length))]
  const low = at(0.01), high = at(0.99)
  if (low === 0 && high === 0) return [0, 1]
  if (!field.signed && low < 0.3 * high) return [0, high]
  return low < high ? [low, high] : [low - 0.5 * Math.abs(low || 1), high + 0.5 * Math.abs(high || 1)]
}

export class Colouring {
  constructor(run) {
    this.run = run
    this.fields = fieldsOf(run)
    this.limits = new Map() // of fields, as the user typed them
    this.auto = new Map()
    this.groups = [...groupsByName(run)]
    this.menu = [['role', 'role'], ['material', 'material'], ...(this.groups.length ? [['group', 'group']] : []), ...this.fields.map((f) => [f.id, f.name])]
    this.set('role')
  }
  set(id) {
    this.id = id
    this.field = this.fields.find((f) => f.id === id) ?? null
  }
  next() {
    const ids = this.menu.map(([id]) => id)
    return ids[(ids.indexOf(this.id) + 1) % ids.length]
  }

  // [least, largest] of the scale.
  scale() {
    const { field, auto, limits } = this
    if (limits.has(field.id)) return limits.get(field.id)
    if (!auto.has(field.id)) auto.set(field.id, automatic(this.run, field))
    return auto.get(field.id)
  }
  // Limits by the user; null: automatic again. Returns whether they can be.
  fix(limits) {
    if (limits && !(limits[0] < limits[1] && limits.every(Number.isFinite))) return false
    if (limits) this.limits.set(this.field.id, limits)
    else this.limits.delete(this.field.id)
    return true
  }
  isFixed() {
    return this.field !== null && this.limits.has(this.field.id)
  }

  // The colour of each body in a frame, as a function.
  of(frame) {
    const { run, field } = this
    if (this.id === 'material') return (b) => materialColour(run.material[b])
    if (this.id === 'group') {
      const hue = new Map(this.groups.flatMap(([, bodies], g) => bodies.map((b) => [b, g % GROUP_HUES])))
      return (b) => (hue.has(b) ? materialColour(hue.get(b)) : roleColour(run.role[b]))
    }
    if (!field) return (b) => roleColour(run.role[b])
    const [low, high] = this.scale(), at = frame * run.bodies
    return (b) => {
      const x = field.value(at + b, b)
      return Number.isFinite(x) ? ramp((x - low) / (high - low)) : roleColour(run.role[b])
    }
  }

  // The field that colours the nodes of solids; null: there is none.
  ofNodes() {
    return this.field?.node ? this.field : null
  }

  // What a legend of categories names: [name, colour].
  categories() {
    const { run } = this, used = [...new Set(run.role)].sort(), roles = used.map((r) => [ROLES[r], roleColour(r)])
    if (this.id === 'material') return run.materials.map((name, m) => [name, materialColour(m)])
    if (this.id === 'role') return [...roles, ...partsInLegend(run)]
    if (this.id !== 'group') return roles
    const unnamed = new Set([...run.role].filter((_, b) => !run.name.has(b)))
    return [...this.groups.slice(0, 12).map(([name], g) => [name, materialColour(g % GROUP_HUES)]), ...roles.filter((_, i) => unnamed.has(used[i]))]
  }
}
