// What the page says of forces, read by its own reader without a browser: a pebble's weight stays right to three digits beside a hammer blow of
// megatimes its size. Arguments: the command, the source directory.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [command, source] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'talus-forces-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
writeFileSync(join(home, 'blow.yaml'), `time: {end: 1 s, step: 1 ms}
gravity: [0, -9.81 m/s^2]
materials: {stone: {density: 2700 kg/m^3, thickness: 20 mm}, iron: {density: 7800 kg/m^3, thickness: 1 m}}
interactions: [{friction: 0.4}]
bodies:
  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}
  hammer: {position: [1, 2], velocity: [0, -20 m/s], shapes: [{disk: {radius: 0.3, material: iron}}]}
  pebble: {position: [0, 10 mm], shapes: [{disk: {radius: 10 mm, material: stone}}]}
  big: {position: [-0.2, 50 mm], shapes: [{disk: {radius: 50 mm, material: stone}}]}
probes: {pebble: {contact_force: pebble, quantity: y}, big: {contact_force: big, quantity: y}, hammer: {contact_force: hammer, quantity: y}}
output: {frames: {every: 1 ms}}
`)
const run = (...words) => execFileSync(command, words, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
run('run', 'blow.yaml', '-o', 'blow', '--quiet')
try {
  run('view', 'blow')
} catch (error) {
  if (!/without its viewer/.test(String(error.stderr))) throw error
  console.log('skipped: the viewer is not built')
  process.exit(77)
}
const html = readFileSync(join(home, 'blow', 'page.html'), 'utf8')
const element = (id) => {
  const found = html.match(new RegExp(`<script[^>]*id="?${id}"?[^>]*>([\\s\\S]*?)</script>`))
  assert.ok(found, id)
  return { textContent: found[1] }
}
const { openRun, forceOn } = await import(pathToFileURL(join(source, 'viewer', 'src', 'run.js')))
const page = await openRun({ getElementById: element })
const [head, ...rows] = readFileSync(join(home, 'blow', 'series.csv'), 'utf8').trim().split('\n').map((row) => row.split(','))
const body = new Map([...page.name].map(([k, name]) => [name, Number(k)]))
let compared = 0, largest = 0
for (let f = 0; f < page.frames; f++) {
  const row = rows.find((r) => Math.abs(Number(r[0]) - page.time[f]) < 1e-6)
  if (!row || !Number(row[0])) continue
  for (const name of ['pebble', 'big', 'hammer']) {
    const wanted = Math.abs(Number(row[head.indexOf(name)])), read = forceOn(page, f * page.bodies + body.get(name))
    if (wanted < 1e-3) continue // no contact
    largest = Math.max(largest, wanted)
    assert.ok(Math.abs(read - wanted) <= 5e-4 * wanted, `${name} at ${row[0]} s: ${read} N on the page, ${wanted} N in series.csv`)
    compared++
  }
}
assert.ok(compared > 500 && largest > 1e6, `${compared} forces compared, the largest ${largest} N`)
console.log('1 passed, 0 failed')
