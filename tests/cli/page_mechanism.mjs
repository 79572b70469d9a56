// Mechanisms and joints on the page, read by its own reader without a browser: the parts of a slider-crank and of a ram end where geometry says in every frame; a
// spring's windings are between its ends; a slack rope is told from a taut one. Arguments: the command, the source directory.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [command, source] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'talus-mechanism-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
writeFileSync(join(home, 'crank.yaml'), `dimension: 2
gravity: [0, 0]
time: {end: 0.6 s, step: 1 ms}
materials: {m: {density: 1000}}
bodies: {ball: {position: [3, 0], shapes: [{disk: {radius: 0.1, material: m}}]}}
mechanisms:
  m:
    bodies:
      crank: {mass: 1, inertia: 0.01}
      rod: {mass: 1, inertia: 0.01}
      slider: {mass: 1, inertia: 0.01}
      barrel: {mass: 1, inertia: 0.01}
      piston: {mass: 1, inertia: 0.01}
      arm: {mass: 1, inertia: 0.01}
    joints:
      a: {type: revolute, parent: ground, child: crank}
      b: {type: revolute, parent: crank, at: [0.1, 0], child: rod}
      s: {type: prismatic, parent: ground, child: slider, position: 0.4}
      arm: {type: revolute, parent: ground, at: [0, 1], child: arm, angle: 60 deg}
      foot: {type: revolute, parent: ground, at: [0.5, 1], child: barrel, angle: 110 deg}
      ram: {type: prismatic, parent: barrel, child: piston, position: 0.56}
    loops:
      c: {type: point, bodies: [rod, slider], at: [[0.3, 0], [0, 0]]}
      top: {type: point, bodies: [piston, arm], at: [[0, 0], [0.6, 0]]}
    springs: {back: {bodies: [ground, slider], at: [[0.7, 0], [0, 0]], stiffness: 1 N/m, length: 0.3 m}}
    drives:
      motor: {joint: a, position: "10 rad/s * t"}
      up: {joint: arm, position: "60 deg + 1 rad/s * t"}
ropes:
  taut: {bodies: [ground, ball], at: [[4, 0], [0, 0]]}
  slack: {bodies: [ground, ball], at: [[4, 1], [0, 0]], length: 9 m}
output: {frames: {every: 20 ms}}
`)
const run = (...words) => execFileSync(command, words, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
run('run', 'crank.yaml', '-o', 'crank', '--quiet')
try {
  run('view', 'crank')
} catch (error) {
  if (!/without its viewer/.test(String(error.stderr))) throw error
  console.log('skipped: the viewer is not built')
  process.exit(77)
}
const documentOf = (name) => {
  const html = readFileSync(join(home, name, 'page.html'), 'utf8')
  return {
    getElementById(id) {
      const found = html.match(new RegExp(`<script[^>]*id="?${id}"?[^>]*>([\\s\\S]*?)</script>`))
      assert.ok(found, id)
      return { textContent: found[1] }
    },
  }
}
const load = (name) => import(pathToFileURL(join(source, 'viewer', 'src', name)))
const { openRun } = await load('run.js')
const { BAR, WHEEL, SLEEVE, PISTON, RAIL, SPRING, ROPE, FOOT, MOTOR, BALL, WELD, PLATE, SPIRAL, THREAD, coil, endsOf, isSlack, isSolid, partsInLegend, spiral } = await load('mechanism.js')
const { buildMesh } = await load('shapes.js')
const page = await openRun(documentOf('crank'))
const near = 2e-3 * page.extent // positions and angles on the page are rounded

// As stage.js does it, from the frames that the page holds.
const stageAt = (frame, run = page) => ({
  toWorld(b, p) {
    if (b < 0) return p
    const i = frame * run.bodies + b, [x, y, z, w] = [0, 1, 2, 3].map((c) => run.orientation[4 * i + c])
    const t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])]
    return [p[0] + w * t[0] + y * t[2] - z * t[1], p[1] + w * t[1] + z * t[0] - x * t[2], p[2] + w * t[2] + x * t[1] - y * t[0]].map((v, c) => v + run.position[c][i])
  },
})
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1])
const of = (kind) => page.parts.filter((p) => p.kind === kind)
assert.equal(of(MOTOR).length, 2)
assert.equal(of(SPRING).length, 1)
assert.equal(of(PISTON).length, 1)
for (let f = 0; f < page.frames; f++) {
  const stage = stageAt(f), t = page.time[f], pin = [0.1 * Math.cos(10 * t), 0.1 * Math.sin(10 * t)], x = pin[0] + Math.sqrt(0.09 - pin[1] ** 2)
  const is = (p, a, b) => {
    const [c, d] = endsOf(stage, p)
    return Math.min(distance(a, c) + distance(b, d), distance(a, d) + distance(b, c)) < near
  }
  assert.equal(of(BAR).filter((p) => is(p, [0, 0], pin)).length, 1, `the crank at ${t} s`)
  assert.equal(of(BAR).filter((p) => is(p, pin, [x, 0])).length, 1, `the rod at ${t} s`)
  const tip = [0.6 * Math.cos(Math.PI / 3 + t), 1 + 0.6 * Math.sin(Math.PI / 3 + t)]
  assert.ok(distance(endsOf(stage, of(PISTON)[0])[1], tip) < near, `the piston at ${t} s`)
  assert.ok(of(SLEEVE).some((p) => endsOf(stage, p).some((e) => distance(e, [0.5, 1]) < near)), `the sleeve at ${t} s`)
  const spring = endsOf(stage, of(SPRING)[0]), line = coil(spring, of(SPRING)[0].radius, true)
  assert.ok(Math.abs(distance(...spring) - (0.7 - x)) < near, `the spring at ${t} s`)
  assert.ok(line.slice(1, -1).every((q) => q[0] > Math.min(spring[0][0], spring[1][0]) && q[0] < Math.max(spring[0][0], spring[1][0])))
}
assert.deepEqual(of(ROPE).map((p) => isSlack(p, endsOf(stageAt(0), p))), [false, true])

// Joints between bodies, in space: every part is there where the joint is, and those that are solid have triangles with a radius, in their own colour.
writeFileSync(join(home, 'joints.yaml'), `dimension: 3
gravity: [0, 0, 0]
time: {end: 0.5 s, step: 1 ms}
materials: {m: {density: 1000}}
bodies:
  door: {position: [0, 0, 0], shapes: [{box: {size: [1, 0.04, 2], material: m}}]}
  slider: {position: [2, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}
  ball: {position: [4, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}
  flat: {position: [6, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}
  held: {position: [7, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}
  nut: {position: [9, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}
joints:
  a: {bodies: [ground, door], at: [-0.5, 0, 0], angle: {speed: 2 rad/s, stiffness: 1 N m/rad}}
  b: {type: prismatic, bodies: [ground, slider], at: [2, 0, 0], axis: [1, 0, 0], slide: {stiffness: 1 N/m, rest: 0.1 m}}
  d: {type: spherical, bodies: [ground, ball], at: [4, 0, 0.1]}
  f: {type: planar, bodies: [ground, flat], at: [6, 0, -0.1]}
  g: {type: fixed, bodies: [ground, held], at: [7, 0, 0.1]}
  i: {type: screw, bodies: [ground, nut], at: [9, 0, 0], length: 0.1 m}
ropes: {r: {bodies: [slider, ground, flat], at: [[0, 0, 0], [4, 0, 2], [0, 0, 0]]}}
output: {frames: {every: 50 ms}}
`)
run('run', 'joints.yaml', '-o', 'joints', '--quiet')
run('view', 'joints')
const joints = await openRun(documentOf('joints')), mesh = buildMesh(joints)
const parts = (kind) => joints.parts.filter((p) => p.kind === kind)
for (const [kind, count] of [[FOOT, 1], [MOTOR, 1], [SPIRAL, 1], [RAIL, 2], [SPRING, 1], [BALL, 1], [PLATE, 1], [WELD, 1], [THREAD, 1], [ROPE, 2], [WHEEL, 1]])
  assert.equal(parts(kind).length, count, `parts of kind ${kind}`)
assert.deepEqual(partsInLegend(joints).map(([what]) => what), ['springs', 'ropes', 'motors'])
const close = 2e-3 * joints.extent
for (let f = 0; f < joints.frames; f++) {
  const stage = stageAt(f, joints)
  for (const end of endsOf(stage, parts(FOOT)[0])) assert.ok(Math.hypot(end[0] + 0.5, end[1]) < close && Math.abs(end[2]) > 1, 'the axle of the door')
  for (const point of spiral(stage, parts(SPIRAL)[0])) assert.ok(Math.hypot(point[0] + 0.5, point[1]) < parts(SPIRAL)[0].radius + close, 'its spring')
}
for (const p of joints.parts.filter((p) => isSolid(joints, p))) {
  const [a, b] = p.ends.map((end) => end.point), d = b.map((x, c) => x - a[c]), n = Math.hypot(...d) || 1
  let widest = 0
  for (let i = 0; i < mesh.body.length; i++) {
    const x = [0, 1, 2].map((c) => mesh.position[3 * i + c] - a[c]), at = x.reduce((sum, v, c) => sum + (v * d[c]) / n, 0)
    const away = Math.hypot(...x.map((v, c) => v - (at * d[c]) / n))
    const own = mesh.ink[4 * i + 3] === 255 || [BAR, WHEEL].includes(p.kind)
    if (mesh.body[i] === p.ends[0].body && own && at > -1.01 * p.radius && at < n + 1.01 * p.radius && away < 1.01 * p.radius) widest = Math.max(widest, away)
  }
  assert.ok(Math.abs(widest - p.radius) < 0.01 * p.radius, `a part of kind ${p.kind} is ${widest} wide, not ${p.radius}`)
}
console.log('1 passed, 0 failed')
