// Curves of a page are those of series.csv: where a long run is thinned, its moving means are those of all rows; at map coordinates a curve has all its digits.
//   node page_series.mjs TALUS SOURCE_DIR      exit code 77: the viewer is not built
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import assert from 'node:assert/strict'

const [talus, source] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'talus-page-series-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))

// A drive holds what is pushed by 100 N for a tenth of the time, and moves it by ±0.1 m at 1000 km.
writeFileSync(join(home, 'long.yaml'), `time: {end: 20 s, step: 1 ms}
gravity: [0, 0]
mechanisms:
  m:
    bodies: {b: {mass: 1 kg}}
    joints: {s: {type: prismatic, parent: ground, child: b, position: 1000 km}}
    forces: {f: {joint: s, law: "100 N*step(sin(2*pi*t*100 Hz+0.1)-0.95)"}}
    drives: {d: {joint: s, position: "1000 km + 0.1 m*sin(2 rad/s*t)"}}
probes: {f: {joint: s, quantity: force}, q: {joint: s}}
output: {frames: {every: 0.1 s}}
`)
try {
  execFileSync(talus, ['run', join(home, 'long.yaml'), '-o', join(home, 'long'), '--quiet', '--view'], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
} catch (error) {
  if (!/without its viewer/.test(String(error.stderr))) throw error
  console.log('skipped: the viewer is not built')
  process.exit(77)
}
const viewer = (file) => import(pathToFileURL(join(source, 'viewer', 'src', file)))
const { openRun } = await viewer('run.js'), { movingMean } = await viewer('plot_range.js')
async function open(name) {
  const html = readFileSync(join(home, name, 'page.html'), 'utf8')
  return openRun({ getElementById: (id) => ({ textContent: html.match(new RegExp(`<script[^>]*id="?${id}"?[^>]*>([\\s\\S]*?)</script>`))[1] }) })
}
const page = await open('long')
const [head, ...rows] = readFileSync(join(home, 'long', 'series.csv'), 'utf8').trim().split('\n').map((row) => row.split(','))
const column = (name) => rows.map((row) => Number(row[head.indexOf(name)])), curve = (name) => page.columns.indexOf(name)
const t = column('time'), [time] = page.series

assert.ok(rows.length === 20001 && page.rows === 4000, `${rows.length} rows, ${page.rows} on the page`)
for (const name of ['f', 'q']) {
  const y = column(name), k = curve(name), width = 1
  const mean = movingMean(time, page.series[k], width, page.means[k])
  const largest = Math.max(...y), spread = largest - Math.min(...y)
  let compared = 0
  for (let i = 0; i < time.length; i += 100) {
    const from = Math.max(0, time[i] - width / 2), to = Math.min(20, time[i] + width / 2)
    let all = 0, length = 0
    for (let j = 0; j + 1 < t.length; j++) if (t[j] >= from - 1e-9 && t[j + 1] <= to + 1e-9) all += 0.5 * (y[j] - y[0] + y[j + 1] - y[0]) * (t[j + 1] - t[j]), length += t[j + 1] - t[j]
    const wanted = y[0] + all / length
    assert.ok(Math.abs(mean[i] - wanted) <= 0.02 * spread, `mean of ${name} at ${time[i]} s: ${mean[i]}, of series.csv ${wanted}`) // ends of the window are those of rows here
    compared++
  }
  assert.ok(compared === 40)
  assert.ok(Math.abs(Math.max(...page.series[k]) - largest) <= 1e-6 * spread, `${name}: ${Math.max(...page.series[k])} instead of ${largest}`)
}
const places = new Set(page.series[curve('q')])
assert.ok(places.size > 3000, `${places.size} places`)

// A line is its own mean; where a value is no number, it is that of the others.
const x = Float64Array.from({ length: 11 }, (_, i) => i)
assert.ok(movingMean(x, x, 4).every((v, i) => Math.abs(v - (i < 2 ? (i + 2) / 2 : i > 8 ? (i + 8) / 2 : i)) < 1e-12))
const gap = Float64Array.from(x, (v) => (v === 5 ? NaN : 7))
assert.ok(movingMean(x, gap, 4).every((v) => Math.abs(v - 7) < 1e-12))
// What a stage frees has a speed on the page; what is fixed in every frame has none.
writeFileSync(join(home, 'freed.yaml'), `time: {end: 1 s, step: 1 ms}
gravity: [0, 0]
materials: {stone: {density: 1000 kg/m^3}}
bodies:
  late: {kind: fixed, shapes: [{disk: {radius: 0.1, material: stone}}]}
  wall: {kind: fixed, position: [0, 1], shapes: [{disk: {radius: 0.1, material: stone}}]}
  ball: {position: [0, 2], shapes: [{disk: {radius: 0.1, material: stone}}]}
loads: {push: {body: late, x: 100}}
stages: {a: {until: {time: 0.5 s}}, b: {bodies: {late: {kind: free}}}}
output: {frames: {every: 0.1 s}}
`)
execFileSync(talus, ['run', join(home, 'freed.yaml'), '-o', join(home, 'freed'), '--quiet', '--view'], { stdio: ['ignore', 'pipe', 'pipe'] })
const freed = await open('freed')
assert.deepEqual(Array.from(freed.moves), [1, 0, 1])
console.log('1 passed, 0 failed')
