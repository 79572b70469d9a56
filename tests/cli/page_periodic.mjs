// The page of a periodic run, read by its own reader without a browser, in the plane and in space: every shape has its points and faces, bodies that reach
// through an end are there twice, one cell apart and of one shape, the outline is the cell's, and all triangles are where bodies are. Arguments: the command,
// the source directory.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [command, source] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'talus-periodic-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const run = (...words) => execFileSync(command, words, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
const load = (name) => import(pathToFileURL(join(source, 'viewer', 'src', name)))
const { openRun } = await load('run.js')
const { buildMesh } = await load('shapes.js')

const HEAD = 'gravity: [0, 0]\ntime: {end: 20 ms, step: 1 ms}\nmaterials: {m: {density: 1000}}\n'
writeFileSync(join(home, 'plane.yaml'), `${HEAD}periodic: {x: [0, 1 m]}
bodies:
  square: {position: [0.05, 0.5], shapes: [{box: {size: [0.2, 0.3], material: m}}]}
  disk: {position: [0.5, 0.2], shapes: [{disk: {radius: 0.1, material: m}}]}
`)
writeFileSync(join(home, 'space.yaml'), `dimension: 3
${HEAD.replace('[0, 0]', '[0, 0, 0]')}periodic: {x: [0, 1 m], y: [0, 1 m]}
bodies:
  egg: {position: [0.05, 0.5, 0.5], shapes: [{ellipsoid: {radii: [0.2, 0.1, 0.1], material: m}}]}
  block: {position: [0.5, 0.5, 0.5], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}
  ball: {position: [0.5, 0.02, 0.8], shapes: [{sphere: {radius: 0.1, material: m}}]}
`)
for (const name of ['plane', 'space']) {
  run('run', `${name}.yaml`, '-o', name, '--quiet')
  try {
    run('view', name)
  } catch (error) {
    if (!/without its viewer/.test(String(error.stderr))) throw error
    console.log('skipped: the viewer is not built')
    process.exit(77)
  }
  const html = readFileSync(join(home, name, 'page.html'), 'utf8')
  const page = await openRun({ getElementById: (id) => ({ textContent: html.match(new RegExp(`<script[^>]*id="?${id}"?[^>]*>([\\s\\S]*?)</script>`))[1] }) })
  const shapesOf = (b) => page.shapes.filter((s) => s.body === b), there = (b) => !(page.gone && page.gone[b])
  const at = (b) => page.position.map((x) => x[b]), named = (wanted) => [...page.name].find(([, n]) => n === wanted)[0]
  for (const s of page.shapes) {
    assert.ok(s.points.length > 0 && s.points.every((x) => x.length === 3 && x.every(Number.isFinite)), `points of a shape of body ${s.body}`)
    for (const face of s.faces) assert.ok(face.length > 2 && face.every((k) => k < s.points.length), `faces of a shape of body ${s.body}`)
  }
  const doubled = name === 'plane' ? [['square', [1, 0, 0]]] : [['egg', [1, 0, 0]], ['ball', [0, 1, 0]]]
  for (const [body, shift] of doubled) {
    const b = named(body), same = JSON.stringify(shapesOf(b).map((s) => [s.points, s.faces]))
    const copies = Array.from({ length: page.bodies }, (_, i) => i).filter((i) => i !== b && there(i) && JSON.stringify(shapesOf(i).map((s) => [s.points, s.faces])) === same)
    assert.equal(copies.length, 1, `${body} is there twice`)
    at(b).forEach((x, c) => assert.ok(Math.abs(at(copies[0])[c] - x - shift[c]) < 1e-3 * page.extent, `${body} one cell apart`))
  }
  const ends = page.shapes.filter((s) => s.radius < 0.02 && s.points.length === 2).flatMap((s) => s.points.map((p) => p[0]))
  assert.ok(Math.min(...ends) === 0 && Math.max(...ends) === 1, 'the outline is that of the cell')
  const mesh = buildMesh(page)
  assert.ok(mesh.position.every(Number.isFinite) && mesh.normal.every(Number.isFinite))
  for (let i = 0; i < mesh.body.length; i++) assert.ok(Math.hypot(...mesh.position.slice(3 * i, 3 * i + 3)) < 3, `a corner of body ${mesh.body[i]}`)
  if (name === 'space') { // the egg is smooth: its normals are those of the ellipsoid, within a few degrees
    const b = named('egg')
    let worst = 1
    for (let i = 0; i < mesh.body.length; i++) {
      if (mesh.body[i] !== b) continue
      const n = mesh.normal.slice(3 * i, 3 * i + 3), true_ = mesh.position.slice(3 * i, 3 * i + 3).map((x, c) => x / [0.04, 0.01, 0.01][c]), size = Math.hypot(...true_)
      worst = Math.min(worst, n.reduce((sum, x, c) => sum + (x * true_[c]) / size, 0))
    }
    assert.ok(worst > 0.97, `a normal of the egg is wrong: ${worst}`)
  }
}
console.log('1 passed, 0 failed')
