// The page of a run, driven in headless Chromium: it plays, scrubs, picks a body and shows its curves, works by keyboard, on a phone and in the dark, and
// says nothing on the console. And its numbers are those of trajectory.h5, as h5py reads them.
//   node page.mjs TALUS MAKE_STONES SOURCE_DIR      exit code 77: something that it needs is not installed
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import assert from 'node:assert/strict'

const [talus, makeStones, source] = process.argv.slice(2)
const skip = (why) => {
  console.log(`skipped: ${why}`)
  process.exit(77)
}
const puppeteerPath = join(source, 'viewer/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!chromium) skip('Chromium is not installed')
if (!existsSync(puppeteerPath)) skip('puppeteer-core is not installed: (cd viewer && npm ci)')
const { default: puppeteer } = await import(pathToFileURL(puppeteerPath))

const home = mkdtempSync(join(tmpdir(), 'talus-page-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const run = (...args) => execFileSync(talus, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

let failures = 0
async function check(name, body) {
  try {
    await body()
    console.log(`ok      ${name}`)
  } catch (error) {
    failures++
    console.log(`FAILED  ${name}\n${error.stack}`)
  }
}

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, protocolTimeout: 300000, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
async function open(path, { width = 1280, height = 800, dark = false, touch = false } = {}) {
  const page = await browser.newPage(), said = []
  page.on('console', (m) => ['error', 'warn'].includes(m.type()) && said.push(m.text()))
  page.on('pageerror', (e) => said.push(e.message))
  page.on('request', (r) => r.url().startsWith('http') && said.push(`asks for ${r.url()}`))
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch })
  if (dark) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  await page.goto(pathToFileURL(path).href)
  await page.waitForFunction('window.talus || document.getElementById("message").textContent', { timeout: 120000 })
  return { page, said, get: (text) => page.evaluate(text) }
}

/* ---- the four-bar mechanism among disks ---- */

const four = join(home, 'four')
const scene = join(source, 'examples/four-bar-in-disks/config1.yaml')
run('run', scene, '-o', four, '--set', 'vibration.frequency=12', '--set', 'output.frames.every=0.02', '-u', '2.4', '--quiet', '--view')
const plane = await open(join(four, 'page.html'))

await check('it opens on the first frame, with a plot for each column of series.csv, the tolerance in that of the residual', async () => {
  assert.equal(await plane.get('talus.state.t'), 0)
  const columns = readFileSync(join(four, 'series.csv'), 'utf8').split('\n')[0].split(',').slice(1)
  assert.equal(columns.pop(), 'tolerance')
  assert.deepEqual(await plane.get('[...document.querySelectorAll("#plots figure")].map((f) => f.dataset.name)'), columns)
  const limit = readFileSync(join(four, 'series.csv'), 'utf8').trim().split('\n').slice(1).map((row) => Math.fround(row.split(',').at(-1)) || null)
  assert.deepEqual(await plane.get('Array.from(talus.plots.plots.find((p) => p.name === "residual").plot.data[3], (v) => v && Math.fround(v))'), limit)
  assert.equal(await plane.get('document.title'), 'four · talus')
})

await check('it plays: time goes on, the picture changes, and it stops when told', async () => {
  const pixels = async () => (await plane.page.screenshot({ clip: { x: 0, y: 0, width: 800, height: 600 }, encoding: 'base64' }))
  const before = await pixels()
  await plane.page.click('#play')
  await sleep(1500)
  await plane.page.click('#play')
  const t = await plane.get('talus.state.t')
  assert.ok(t > 0.05, `t = ${t} s after 1.5 s`)
  assert.notEqual(await pixels(), before)
  await sleep(300)
  assert.equal(await plane.get('talus.state.t'), t)
})

await check('it scrubs: the slider, the keys, a click on a plot', async () => {
  await plane.page.$eval('#time', (slider) => {
    slider.value = 1.5
    slider.dispatchEvent(new Event('input'))
  })
  assert.equal(await plane.get('talus.state.t'), 1.5)
  assert.equal(await plane.get('document.getElementById("clock").textContent'), '1.500 s')
  await plane.page.focus('#canvas')
  await plane.page.keyboard.press('End')
  assert.ok(Math.abs((await plane.get('talus.state.t')) - 2.4) < 1e-6)
  await plane.page.keyboard.press('ArrowLeft')
  assert.ok(Math.abs((await plane.get('talus.state.t')) - 2.38) < 1e-6)
  const [x, y] = await plane.get('(() => { const b = document.querySelector("#plots .u-over").getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2] })()')
  await plane.page.mouse.click(x, y)
  const t = await plane.get('talus.state.t')
  assert.ok(Math.abs(t - 1.2) < 0.05, `a click on the middle of a plot of 2.4 s goes to ${t} s`)
  // the value beside the name is that of the series at this time
  const rows = readFileSync(join(four, 'series.csv'), 'utf8').trim().split('\n').map((line) => line.split(','))
  const column = rows[0].indexOf('box_height'), row = rows.slice(1).reduce((a, b) => (Math.abs(b[0] - t) < Math.abs(a[0] - t) ? b : a))
  const shown = await plane.get('document.querySelector("#plots figure[data-name=box_height] output").textContent')
  assert.equal(shown, `${Number((1e3 * row[column]).toPrecision(4))} mm`)
})

await check('it picks a disk by a click, shows what it is and its curves', async () => {
  await plane.get('talus.seek(2.3), talus.look()')
  const disk = await plane.get('talus.run.role.findIndex((role, b) => role === 0 && b > 100)')
  const [x, y] = await plane.get(`(() => { const box = document.getElementById("canvas").getBoundingClientRect(), p = talus.stage.project(talus.stage.centreOf(${disk})); return [box.left + p[0], box.top + p[1]] })()`)
  await plane.page.mouse.click(x, y)
  assert.equal(await plane.get('talus.state.picked'), disk)
  const text = await plane.get('document.getElementById("body").innerText')
  for (const word of [`grain ${disk}`, 'aluminium', 'speed', 'contacts', 'angular velocity']) assert.ok(text.includes(word), `'${word}' is not in: ${text}`)
  const names = await plane.get('[...document.querySelectorAll("#body figure")].map((f) => f.dataset.name)')
  assert.deepEqual(names, ['speed', 'force (largest normal)', 'x', 'y'])
  const curve = await plane.get('document.querySelector("#body figure canvas").toDataURL().length')
  assert.ok(curve > 3000, 'the curve is drawn')
  await plane.page.keyboard.press('Escape')
  assert.equal(await plane.get('talus.state.picked'), -1)
})

await check('colours, forces, zoom and the other panels', async () => {
  const texel = () => plane.get('[...talus.stage.paint.image.data.slice(4 * 200, 4 * 200 + 3)].join()')
  const colours = new Set()
  for (const colour of ['role', 'material', 'velocity', 'force']) {
    await plane.page.select('#colour', colour)
    colours.add(await texel())
  }
  assert.ok(colours.size >= 3, [...colours].join(' | '))
  const strokes = await plane.get('talus.stage.forces.count')
  assert.ok(strokes > 0, `${strokes} forces`)
  await plane.page.click('#forces')
  assert.equal(await plane.get('talus.stage.forces.count'), 0)
  await plane.page.click('#forces')
  assert.equal(await plane.get('talus.stage.forces.count'), strokes)
  const pixel = await plane.get('talus.stage.pixel()')
  await plane.page.focus('#canvas')
  await plane.page.keyboard.press('+')
  assert.ok((await plane.get('talus.stage.pixel()')) < pixel)
  await plane.page.click('#tab-run')
  const summary = JSON.parse(readFileSync(join(four, 'summary.json'), 'utf8'))
  assert.ok((await plane.get('document.getElementById("run").innerText')).includes(summary.state_hash))
  await plane.page.click('#tab-scene')
  assert.equal(await plane.get('document.querySelector("#scene pre").textContent'), readFileSync(join(four, 'scene.yaml'), 'utf8'))
})

await check('it stays silent, and asks nothing of the network', () => assert.deepEqual(plane.said, []))

await check('a phone in the dark: nothing wider than the screen, dark paper, plots below the picture', async () => {
  const phone = await open(join(four, 'page.html'), { width: 390, height: 780, dark: true, touch: true })
  assert.ok((await phone.get('document.documentElement.scrollWidth')) <= 390)
  assert.ok((await phone.get('document.getElementById("side").getBoundingClientRect().top')) > 400)
  const paper = await phone.get('getComputedStyle(document.body).backgroundColor')
  assert.ok(paper.match(/\d+/g).every((c) => c < 60), paper)
  assert.deepEqual(phone.said, [])
  await phone.page.close()
})

/* ---- stones in space ---- */

const stones = join(home, 'stones')
execFileSync(makeStones, [stones, '5000', '60'])
run('view', stones)
const space = await open(join(stones, 'page.html'))

await check('in space: it turns, picks what is in front, and plays', async () => {
  await space.get('talus.seek(talus.run.time[50]), talus.look()')
  const box = await space.get('(() => { const b = document.getElementById("canvas").getBoundingClientRect(); return [b.left, b.top, b.width, b.height] })()')
  const before = await space.get('talus.stage.camera.position.toArray()')
  await space.page.mouse.move(box[0] + 300, box[1] + 300)
  await space.page.mouse.down()
  await space.page.mouse.move(box[0] + 400, box[1] + 330, { steps: 4 })
  await space.page.mouse.up()
  assert.notDeepEqual(await space.get('talus.stage.camera.position.toArray()'), before)
  assert.equal(await space.get('talus.state.picked'), -1, 'a drag is not a pick')
  await space.get('talus.look("top")')
  // of the stones under the pixel where the highest one is, the highest is picked
  const picked = await space.get(`(() => {
    const { run, stage, state } = talus, z = (b) => run.position[2][state.frame * run.bodies + b]
    let top = -1
    for (let b = 0; b < run.bodies; b++) if (run.role[b] === 0 && (top < 0 || z(b) > z(top))) top = b
    return [top, stage.pick(...stage.project(stage.centreOf(top)))]
  })()`)
  assert.equal(picked[1], picked[0])
  await space.get('talus.seek(0), talus.play(true)')
  await sleep(3000)
  await space.get('talus.play(false)')
  assert.ok((await space.get('talus.state.t')) > 0)
  assert.deepEqual(space.said, [])
})

await check('the numbers of the page are those of trajectory.h5', async () => {
  const python = `
import h5py, json, sys
f = h5py.File(sys.argv[1]); n = f["frames/pose"].shape[0]; out = []
for k in (0, n // 2, n - 1):
    first = f["frames/contact_end"][k - 1] if k else 0; last = f["frames/contact_end"][k]
    force = f["contacts/force"][first:last, 0] if last > first else []
    out.append({"pose": f["frames/pose"][k].tolist(), "largest": float(max(force, default=0)), "time": float(f["frames/time"][k])})
json.dump(out, sys.stdout)`
  for (const [page, dir] of [[plane, four], [space, stones]]) {
    const reader = ['/usr/bin/python3', 'python3'].map((name) => spawnSync(name, ['-c', python, join(dir, 'trajectory.h5')], { encoding: 'utf8', maxBuffer: 1 << 28 })).find((r) => r.status === 0)
    if (!reader) {
      console.log('        (not compared: python3 with h5py is not installed)')
      return
    }
    const frames = JSON.parse(reader.stdout), n = await page.get('talus.run.frames'), planar = await page.get('talus.run.planar')
    const extent = await page.get('talus.run.extent')
    for (const [i, k] of [0, Math.floor(n / 2), n - 1].entries()) {
      const shown = await page.get(`(() => { const { run } = talus, B = run.bodies, out = []; for (let b = 0; b < B; b++) { const i = ${k} * B + b; out.push([...run.position.map((x) => x[i]), ...run.orientation.slice(4 * i, 4 * i + 4)]) } return out })()`)
      assert.ok(Math.abs((await page.get(`talus.run.time[${k}]`)) - frames[i].time) < 1e-5)
      let worst = 0, turned = 0
      shown.forEach(([x, y, z, qx, qy, qz, qw], b) => {
        const p = frames[i].pose[b], q = planar ? [Math.cos(p[2] / 2), 0, 0, Math.sin(p[2] / 2)] : p.slice(3)
        worst = Math.max(worst, Math.abs(x - p[0]), Math.abs(y - p[1]), planar ? 0 : Math.abs(z - p[2]))
        turned = Math.max(turned, Math.sqrt(Math.max(0, 1 - (q[0] * qw + q[1] * qx + q[2] * qy + q[3] * qz) ** 2)))
      })
      assert.ok(worst < extent * 2 ** -14, `positions differ by ${worst} m of ${extent} m`)
      assert.ok(turned < 2 ** -8, `orientations differ by ${turned}`)
      const force = await page.get(`(() => { const c = talus.run.contacts; let m = 0; for (let i = ${k} ? c.end[${k} - 1] : 0; i < c.end[${k}]; i++) m = Math.max(m, c.force[i]); return m })()`)
      assert.ok(Math.abs(force - frames[i].largest) <= 0.1 * frames[i].largest + 1e-12, `largest force ${force} N instead of ${frames[i].largest} N`)
    }
  }
})

/* ---- sizes, and what cannot be shown ---- */

await check('a page is not larger than asked for, and says what it leaves out', async () => {
  run('view', stones, '-o', join(home, 'small.html'), '--size', '1.6')
  assert.ok(statSync(join(home, 'small.html')).size <= 1.6e6)
  const small = await open(join(home, 'small.html'))
  const notes = await small.get('talus.run.notes')
  assert.ok(notes.length >= 1 && notes.join().includes('strongest'), notes.join())
  await small.page.click('#tab-run')
  assert.ok((await small.get('document.getElementById("run").innerText')).includes(notes[0]))
  assert.deepEqual(small.said, [])
})

await check('no run, no page: exit code 2, and the file is named', () => {
  for (const args of [['view', join(home, 'nothing')], ['view'], ['view', four, '--size', 'big'], ['view', four, '-o', join(home, 'no/such/page.html')]]) {
    const result = spawnSync(talus, args, { encoding: 'utf8' })
    assert.equal(result.status, 2, `${args.join(' ')}: ${result.stderr}`)
    assert.ok(result.stderr.startsWith('talus view: '), result.stderr)
  }
})

await browser.close()
process.exit(failures ? 1 : 0)
