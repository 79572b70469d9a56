// Mechanisms on the page, read by its own reader without a browser: the parts of a slider-crank and of a ram end where geometry says in every frame; a
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
const html = readFileSync(join(home, 'crank', 'page.html'), 'utf8')
const element = (id) => {
  const found = html.match(new RegExp(`<script[^>]*id="?${id}"?[^>]*>([\\s\\S]*?)</script>`))
  assert.ok(found, id)
  return { textContent: found[1] }
}
const load = (name) => import(pathToFileURL(join(source, 'viewer', 'src', name)))
const { openRun } = await load('run.js')
const { BAR, SLEEVE, PISTON, SPRING, ROPE, MOTOR, coil, endsOf, isSlack } = await load('mechanism.js')
const page = await openRun({ getElementById: element })
const near = 2e-3 * page.extent // positions and angles on the page are rounded

// As stage.js does it, from the frames that the page holds.
const stageAt = (frame) => ({
  toWorld(b, p) {
    if (b < 0) return p
    const i = frame * page.bodies + b, [x, y, z, w] = [0, 1, 2, 3].map((c) => page.orientation[4 * i + c])
    const t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])]
    return [p[0] + w * t[0] + y * t[2] - z * t[1], p[1] + w * t[1] + z * t[0] - x * t[2], p[2] + w * t[2] + x * t[1] - y * t[0]].map((v, c) => v + page.position[c][i])
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
console.log('1 passed, 0 failed')
