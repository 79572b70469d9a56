// Finite-element solids in the page, of a run whose displacements and stresses are known in closed form (tests/solids/make_solids.c).
//   node page_solids.mjs TALUS SOURCE_DIR MAKE_SOLIDS      exit code 77: something that it needs is not installed
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import assert from 'node:assert/strict'

const [talus, source, makeSolids] = process.argv.slice(2)
const skip = (why) => {
  console.log(`skipped: ${why}`)
  process.exit(77)
}
const puppeteerPath = join(source, 'viewer/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!chromium) skip('Chromium is not installed')
if (!existsSync(puppeteerPath)) skip('puppeteer-core is not installed: (cd viewer && npm ci)')
const { default: puppeteer } = await import(pathToFileURL(puppeteerPath))

const home = mkdtempSync(join(tmpdir(), 'talus-page-solids-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
for (const dimension of [2, 3]) {
  execFileSync(makeSolids, [`run${dimension}`, String(dimension), '5'], { cwd: home })
  try {
    execFileSync(talus, ['view', `run${dimension}`], { cwd: home, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
  } catch (error) {
    if (!/without its viewer/.test(String(error.stderr))) throw error
    skip('the viewer is not built')
  }
}
execFileSync(talus, ['run', join(source, 'tests/solids/pressed.yaml'), '-o', 'pressed', '--quiet'], { cwd: home })
execFileSync(talus, ['view', 'pressed'], { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })

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

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, protocolTimeout: 120000, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] })
const said = []
async function open(run) {
  const page = await browser.newPage()
  page.on('console', (m) => ['error', 'warn'].includes(m.type()) && said.push(m.text()))
  page.on('pageerror', (e) => said.push(e.message))
  page.on('request', (r) => /^(http|ws)/.test(r.url()) && said.push(`asks for ${r.url()}`))
  await page.setViewport({ width: 1000, height: 700 })
  await page.goto(pathToFileURL(join(home, run, 'page.html')).href)
  await page.waitForFunction('window.talus || document.getElementById("message").textContent', { timeout: 60000 })
  await page.evaluate(`window.colourAt = (x, y) => {
    const { stage } = talus, gl = stage.renderer.getContext(), h = gl.drawingBufferHeight, scale = gl.drawingBufferWidth / stage.canvas.clientWidth, out = new Uint8Array(4)
    stage.dirty = true
    stage.draw()
    gl.readPixels(Math.round(x * scale), h - 1 - Math.round(y * scale), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out)
    return [...out.slice(0, 3)]
  }
  window.isPaper = ([r, g, b]) => r > 245 && g > 245 && b > 240
  talus.setForces(false)`)
  return page
}

/* What make_solids.c does with all blocks but the soil: u = t G x of all nodes. */
const END = 0.04, G = [[0.02, 0.01, 0], [0.03, -0.01, 0.02], [-0.01, 0.005, 0.015]]
const gradient = (planar, t) => G.map((row, i) => row.map((g, k) => (planar && (i > 1 || k > 1) ? 0 : (g * t) / END)))
function stressOf(g) {
  const young = 20e6, poisson = 0.3, lame = (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)), shear = young / (2 * (1 + poisson)), trace = g[0][0] + g[1][1] + g[2][2]
  const s = g.map((row, i) => row.map((_, k) => shear * (g[i][k] + g[k][i]) + (i === k ? lame * trace : 0))), mean = (s[0][0] + s[1][1] + s[2][2]) / 3
  return { pressure: -mean, von_mises: Math.sqrt(1.5 * s.flat().reduce((sum, x, i) => sum + (x - (i % 4 ? 0 : mean)) ** 2, 0)) }
}

for (const run of ['run2', 'run3']) {
  const page = await open(run), planar = run === 'run2', get = (text) => page.evaluate(text)
  const bodyOf = (name) => get(`[...talus.run.name].find(([, name]) => name === '${name}')[0]`)
  const nodesOf = (i) => get(`(() => { const { first, nodes } = talus.run.solids.list[${i}], of = (a, n) => [...a.subarray(n * first, n * (first + nodes))]
    return { rest: of(talus.run.solids.point, 3), now: of(talus.stage.solids.position.array, 3), value: of(talus.stage.solids.value.array, 1) } })()`)

  await check(`${run}: nodes are where they are led to, also between frames, and bear what Hooke's law says`, async () => {
    const solids = await get('talus.run.solids.list.length')
    assert.equal(solids, planar ? 2 : 4)
    for (const t of [0, 0.01, 0.025, END])
      for (const field of ['von_mises', 'pressure', 'deformation']) {
        await get(`talus.seek(${t}), talus.setColour('${field}')`)
        for (let i = 1; i < solids; i++) {
          const { rest, now, value } = await nodesOf(i), g = gradient(planar, t), stress = stressOf(g), full = stressOf(gradient(planar, END))
          for (let k = 0; k < value.length; k++) {
            const x = rest.slice(3 * k, 3 * k + 3), u = g.map((row) => row.reduce((sum, a, c) => sum + a * x[c], 0))
            u.forEach((wanted, c) => assert.ok(Math.abs(now[3 * k + c] - x[c] - wanted) < 1e-5, `node ${k} of solid ${i} at ${t} s: ${now[3 * k + c] - x[c]} m, not ${wanted}`))
            const wanted = field === 'deformation' ? Math.hypot(...u) : stress[field], room = field === 'deformation' ? 1e-5 : 2e-3 * full.von_mises
            assert.ok(Math.abs(value[k] - wanted) < room, `${field} of node ${k} of solid ${i} at ${t} s: ${value[k]}, not ${wanted}`)
          }
        }
      }
  })

  await check(`${run}: a solid has the colour that the legend has at its stress`, async () => {
    await get(`talus.seek(${END}), talus.setColour('von_mises')`)
    const { von_mises: bears } = stressOf(gradient(planar, END))
    await get(`talus.colouring.fix([0, ${2 * bears}]), talus.setColour('von_mises')`)
    const stops = await get(`[...getComputedStyle(document.querySelector('#legend i.ramp')).backgroundImage.matchAll(/rgb\\((\\d+), (\\d+), (\\d+)\\)/g)].map((m) => m.slice(1).map(Number))`)
    assert.equal(stops.length, 7)
    assert.ok((await get("document.getElementById('legend').innerText")).includes('von Mises stress'))
    const shares = (rgb) => rgb.map((c) => c / (rgb[0] + rgb[1] + rgb[2])), wanted = shares(stops[3])
    const inside = planar ? [0.4 + 0.1 * 0.22, 0.1 * 0.27, 0] : [0.4 + 0.08 * 0.6, 0, 0.08 * 0.7] // of no line between elements
    const seen = shares(await get(`colourAt(...talus.stage.project(${JSON.stringify(inside)}))`))
    wanted.forEach((c, k) => assert.ok(Math.abs(c - seen[k]) < 0.02, `${seen}, in the legend ${wanted}`))
    await get('talus.colouring.fix(null)')
  })

  await check(`${run}: displacements drawn larger; solids are hidden and picked like other bodies`, async () => {
    await get("talus.setColour('role')")
    const times = async (text) => {
      await page.click('#tab-layers')
      await page.$eval('#deform', (field, value) => {
        field.value = value
        field.dispatchEvent(new Event('change'))
      }, text)
      const { rest, now } = await nodesOf(1)
      return Math.hypot(...now.map((x, i) => x - rest[i]))
    }
    const once = await times('1'), fold = await times('3')
    assert.ok(once > 0.001 && Math.abs(fold / once - 3) < 1e-4, `${once}, then ${fold}`)
    assert.equal(await times('0'), 0)
    await times('1')
    const soil = await bodyOf('soil'), middle = planar ? [0.163, 0.07, 0] : [0.163, 0, 0.06], at = `...talus.stage.project(${JSON.stringify(middle)})`
    if (!planar) await get("talus.look('front')")
    assert.equal(await get(`talus.stage.pick(${at})`), soil)
    assert.ok(!(await get(`isPaper(colourAt(${at}))`)))
    await page.click('#layers [aria-label="solids"] button:nth-child(3)')
    assert.ok(await get(`isPaper(colourAt(${at}))`), 'hidden')
    await page.click('#layers [aria-label="solids"] button:nth-child(2)')
    assert.ok(!(await get(`isPaper(colourAt(${at}))`)), 'faded')
    assert.equal(await get(`talus.stage.pick(${at})`), soil, 'a faded one is picked where nothing is behind it')
    await get('talus.layers.showAll()')
    await get(`talus.pick(${soil})`)
    assert.ok((await get("document.getElementById('body').innerText")).includes('solid'))
    await get('talus.pick(-1)')
  })

  await check(`${run}: what cannot yield is not asked how it has`, async () => {
    const menu = await get('talus.colouring.menu.map(([id]) => id)')
    assert.ok(menu.includes('von_mises') && !menu.includes('plastic_strain') && !menu.includes('cap'), menu.join(' '))
  })

  if (!planar)
    await check(`${run}: what is nearer hides what is farther; a section takes away what lies beyond it, and nothing else`, async () => {
      await get("talus.look('front')")
      const near = await bodyOf('near'), soil = await bodyOf('soil'), pick = (x) => get(`talus.stage.pick(...talus.stage.project(${JSON.stringify(x)}))`)
      assert.equal(await pick([0.28, -0.02, 0.1]), near) // before the soil
      assert.equal(await pick([0.018, 0.27, 0.11]), soil) // of the ball behind it
      const seen = (x) => get(`colourAt(...talus.stage.project(${JSON.stringify(x)}))`), left = [0.07, 0, 0.06], right = [0.256, 0, 0.06]
      const before = [await seen(left), await seen(right)]
      const share = (await get('(0.163 - (talus.stage.centre.x - 1.001 * talus.stage.half.x)) / (2.002 * talus.stage.half.x)'))
      await get(`talus.layers.setSection({ axis: 'x', share: ${share} })`)
      const kept = await seen(left)
      assert.ok(kept.every((c, k) => Math.abs(c - before[0][k]) < 4), `${kept}, before ${before[0]}`)
      assert.ok(await get(`isPaper(colourAt(...talus.stage.project(${JSON.stringify(right)})))`), 'beyond the section')
      // across the line of sight: one looks at the cut, which is filled, flat and darker
      const deep = await get('0.5 + (talus.stage.centre.y - 0.1) / (2.002 * talus.stage.half.y)')
      await get(`talus.layers.setSection({ axis: 'y', share: ${deep} })`)
      const flat = [await seen([0.07, 0.1, 0.06]), await seen([0.163, 0.1, 0.07]), await seen([0.256, 0.1, 0.1])]
      for (const other of flat) assert.ok(other.every((c, k) => Math.abs(c - flat[0][k]) < 4), `a cut face of one colour: ${flat.join(' / ')}`)
      assert.ok(flat[0].every((c, k) => c < 0.95 * before[0][k]), `cut ${flat[0]}, whole ${before[0]}`)
      await get('talus.layers.showAll()')
    })
  await page.close()
}

// Soil whose cap is at 400 kPa at the end, 0.1 s, as the scene says; beside it a pad that is elastic.
await check('how soil has yielded, at nodes; what is elastic beside it has not', async () => {
  const page = await open('pressed'), get = (text) => page.evaluate(text)
  for (const [field, name, begins, ends] of [['plastic_strain', 'plastic strain', 0, (0.2 * (1 - Math.exp(-0.2))) / Math.sqrt(3)], ['cap', 'cap', 200e3, 400e3]]) {
    assert.deepEqual(await get(`talus.colouring.menu.filter(([id]) => id === '${field}')`), [[field, name]])
    for (const [time, wanted] of [[0, begins], [0.1, ends]]) {
      await get(`talus.seek(${time}), talus.setColour('${field}')`)
      const [soil, pad] = await get('talus.run.solids.list.map(({ first, nodes }) => [...talus.stage.solids.value.array.subarray(first, first + nodes)])')
      assert.equal(soil.length, 8)
      for (const x of soil) assert.ok(Math.abs(x - wanted) < 2e-3 * ends, `${field} of the soil at ${time} s: ${x}, not ${wanted}`)
      assert.ok(pad.length === 8 && pad.every((x) => x === 0), `${field} of the pad: ${pad}`)
    }
    assert.ok((await get("document.getElementById('legend').innerText")).includes(name))
  }
  await page.close()
})

await check('it stays silent, and asks nothing of the network', () => assert.deepEqual(said, []))

await browser.close()
process.exit(failures ? 1 : 0)
