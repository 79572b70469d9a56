// The page in space: a closed vessel and what is in it, judged by pixels and by numbers that are not the page's own.
//   node page_space.mjs TALUS SOURCE_DIR      exit code 77: something that it needs is not installed
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import assert from 'node:assert/strict'

const [talus, source] = process.argv.slice(2)
const skip = (why) => {
  console.log(`skipped: ${why}`)
  process.exit(77)
}
const puppeteerPath = join(source, 'viewer/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
if (!chromium) skip('Chromium is not installed')
if (!existsSync(puppeteerPath)) skip('puppeteer-core is not installed: (cd viewer && npm ci)')
const { default: puppeteer } = await import(pathToFileURL(puppeteerPath))

const home = mkdtempSync(join(tmpdir(), 'talus-space-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const run = (...args) => execFileSync(talus, args, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })

/* Balls fly freely, each with its own speed, in a closed box of six plates: what each does is known without a page. */
const R = 0.02, balls = []
for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) for (let k = 0; k < 4; k++) balls.push([-0.09 + 0.06 * i, -0.09 + 0.06 * j, -0.09 + 0.06 * k])
const speedOf = (n) => 0.01 * (n + 1)
const plate = (axis, side) => {
  const size = [0.36, 0.36, 0.36], at = [0, 0, 0]
  size[axis] = 0.02
  at[axis] = side * 0.17
  return `      - box: {size: [${size}], centre: [${at}], material: glass}`
}
writeFileSync(join(home, 'box.yaml'), `dimension: 3
time: {end: 0.1 s, step: 1 ms}
gravity: [0, 0, 0]
materials: {glass: {density: 2500 kg/m^3}}
interactions: [{friction: 0.3}]
bodies:
  vessel:
    kind: fixed
    shapes:
${[0, 1, 2].flatMap((axis) => [plate(axis, -1), plate(axis, 1)]).join('\n')}
${balls.map((x, n) => `  ball ${n}: {position: [${x}], velocity: [0, ${n % 2 ? '-' : ''}${speedOf(n)}, 0], shapes: [{sphere: {radius: ${R}, material: glass}}]}`).join('\n')}
probes: {height: {body: ball 0, quantity: y}}
output: {frames: {every: 10 ms}}
`)
run('run', 'box.yaml', '-o', 'box', '--quiet')
// A spike of one row in an otherwise smooth column, as an impact makes it.
const rows = readFileSync(join(home, 'box/series.csv'), 'utf8').trim().split('\n').map((line) => line.split(','))
const column = rows[0].indexOf('height'), spiked = rows.length >> 1
rows.slice(1).forEach((row) => (row[column] = String(0.1 + Number(row[0]))))
rows[spiked][column] = '5000'
writeFileSync(join(home, 'box/series.csv'), rows.map((row) => row.join(',')).join('\n') + '\n')
try {
  run('view', 'box')
} catch (error) {
  if (!/without its viewer/.test(String(error.stderr))) throw error
  skip('the viewer is not built')
}

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
async function open(width, height, touch = false) {
  const page = await browser.newPage()
  page.on('console', (m) => ['error', 'warn'].includes(m.type()) && said.push(m.text()))
  page.on('pageerror', (e) => said.push(e.message))
  page.on('request', (r) => /^(http|ws)/.test(r.url()) && said.push(`asks for ${r.url()}`))
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch })
  await page.goto(pathToFileURL(join(home, 'box/page.html')).href)
  await page.waitForFunction('window.talus || document.getElementById("message").textContent', { timeout: 60000 })
  return page
}
const page = await open(1000, 700)
const get = (text) => page.evaluate(text)

// The picture as it is drawn now, in its own pixels: rows from below. Pixels of grains are those whose colour is warm, boundaries are cool.
const helpers = `window.look = () => {
  const { stage } = talus, gl = stage.renderer.getContext(), w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, data = new Uint8Array(4 * w * h)
  stage.dirty = true
  stage.draw()
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data)
  return { w, h, data }
}
window.warm = (half) => {
  const { w, h, data } = look()
  let n = 0
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) {
    const o = 4 * (y * w + x)
    if (data[o] > data[o + 2] + 4 && (!half || (half === 'left') === (x < w / 2))) n++
  }
  return n
}
talus.setForces(false)`
await get(helpers)
const vessel = await get('[...talus.run.name].find(([, name]) => name === "vessel")[0]')
const ball = (n) => get(`[...talus.run.name].find(([, name]) => name === "ball ${n}")[0]`)

await check('an opaque vessel hides its grains; hidden or faded it does not; one click brings everything back', async () => {
  await get('talus.layers.setWalls(false)')
  assert.equal(await get('warm()'), 0, 'grains are seen through an opaque box')
  await get(`talus.pick(${vessel})`)
  await page.focus('#canvas')
  await page.keyboard.press('h')
  assert.equal(await get(`talus.stage.veil.mode[${vessel}]`), 0)
  await get('talus.pick(-1)')
  const open = await get('warm()')
  assert.ok(open > 5000, `${open} pixels of grains when the vessel is hidden`)
  assert.equal(await get('document.getElementById("veiled").innerText.trim()'), '1 hidden show all')
  await page.click('#veiled button')
  assert.equal(await get('warm()'), 0)
  assert.equal(await get('document.getElementById("veiled").hidden'), true)
  // by group, in the panel: fade what is fixed
  await page.click('#tab-layers')
  await page.click('#layers [aria-label="fixed"] button:nth-child(2)')
  const faded = await get('warm()')
  assert.ok(faded > 0.7 * open, `${faded} pixels of grains through the faded vessel, ${open} without it`)
  await page.click('#layers [aria-label="grains"] button:nth-child(3)')
  assert.equal(await get('warm()'), 0, 'hidden grains are not seen')
  await page.keyboard.press('a')
  assert.deepEqual(await get('[...new Set(talus.stage.veil.mode)]'), [2])
})

await check('bodies by name: a pattern hides what fits it', async () => {
  await page.type('#pattern', 'ball 1*')
  assert.equal(await get('document.querySelector("#pattern + .dim").textContent'), '11')
  await page.click('[aria-label="bodies of this name"] button:nth-child(3)')
  assert.equal(await get('talus.stage.veil.mode.filter((m) => m === 0).length'), 11)
  await page.click('#show-all')
})

await check('walls fade by themselves in a closed vessel, from every side, and one picks through them', async () => {
  await page.reload()
  await page.waitForFunction('window.talus')
  assert.equal(await get('talus.stage.veil.fading'), true)
  await get(helpers)
  for (const side of ['corner', 'front', 'right', 'top']) {
    await get(`talus.look('${side}')`)
    const [seen, free] = await get(`[warm(), (talus.layers.set([${vessel}], 0), warm()), talus.layers.showAll()]`)
    assert.ok(seen > 0.8 * free, `from ${side}: ${seen} pixels of grains of ${free}`)
    // what stands behind the grains does not fade: the picture is covered where a wall is seen beside them
    const opaque = await get(`(() => { const { w, h, data } = look(), o = 4 * ((h >> 1) * w + (w >> 1)); return data[o + 3] })()`)
    assert.equal(opaque, 255)
  }
  await get("talus.look('front')")
  const front = await ball(0) // nearest to the eye, in a corner of the pack
  const [x, y] = await get(`talus.stage.project(talus.stage.centreOf(${front}))`)
  assert.equal(await get(`talus.stage.pick(${x}, ${y})`), front)
})

await check('a section plane takes away what lies on one side, and nothing of the other', async () => {
  await get("talus.look('front'), talus.layers.setWalls(false), talus.layers.set([" + vessel + "], 0)")
  const whole = await get("[warm('left'), warm('right')]")
  await get("talus.layers.setSection({ axis: 'x', share: 0.5 })")
  const cut = await get("[warm('left'), warm('right')]")
  assert.ok(whole[1] > 3000 && cut[1] < 0.02 * whole[1], `the side cut away: ${whole[1]} pixels before, ${cut[1]} after`)
  assert.ok(cut[0] >= 0.98 * whole[0], `the side kept: ${whole[0]} pixels before, ${cut[0]} after`)
  await get('talus.layers.setSection({ flipped: true })')
  const other = await get("[warm('left'), warm('right')]")
  assert.ok(other[0] < 0.02 * whole[0] && other[1] >= 0.98 * whole[1], `the other side: ${other}`)
  // through the middle of the first layer of balls: cut open they are as wide as before, and filled: one flat colour, darker than the ball was
  const count = () => get('warm()'), front = await ball(0)
  const around = () => get(`(() => {
    const { w, h, data } = look(), { stage } = talus, scale = w / stage.canvas.clientWidth, [x, y] = stage.project(stage.centreOf(${front})), out = []
    for (const [dx, dy] of [[0, 0], [7, 0], [-7, 0], [0, 7], [0, -7]]) {
      const o = 4 * ((h - 1 - Math.round((y + dy) * scale)) * w + Math.round((x + dx) * scale))
      out.push(data[o] + data[o + 1] + data[o + 2])
    }
    return out
  })()`)
  await get("talus.layers.showAll(), talus.layers.set([" + vessel + "], 0)")
  const full = await count(), round = await around()
  await get("talus.layers.setSection({ axis: 'y', share: 0.5 + 0.09 / 0.36 })")
  const open = await count(), flat = await around()
  assert.ok(open > 0.9 * full, `the cut balls cover ${open} pixels, ${full} when whole`)
  assert.equal(new Set(flat).size, 1, `a cut face of one colour: ${flat}`)
  assert.ok(new Set(round).size > 1 && flat[0] < 0.9 * round[0], `cut ${flat}, whole ${round}`)
  await get("talus.layers.setSection({ whole: true })")
  assert.deepEqual([await count(), await around()], [full, round], 'grains left whole')
  await get('talus.layers.showAll()')
})

await check('a body has the colour that the legend has at its speed; typed limits hold at all times', async () => {
  await page.select('#colour', 'velocity')
  await get(`talus.layers.setWalls(false), talus.layers.set([${vessel}], 0), talus.look('front')`)
  // what a reader does: the limits as they are written, their unit, and the colours between them
  const legend = () => get(`(() => {
    const host = document.getElementById('legend'), limits = [...host.querySelectorAll('input')].map((input) => Number(input.value))
    const stops = [...getComputedStyle(host.querySelector('i.ramp')).backgroundImage.matchAll(/rgb\\((\\d+), (\\d+), (\\d+)\\)/g)].map((m) => m.slice(1).map(Number))
    return { limits, stops, text: host.innerText }
  })()`)
  const inLegend = ({ limits, stops }, value) => {
    const x = Math.min(1, Math.max(0, (value - limits[0]) / (limits[1] - limits[0]))) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(x))
    return stops[i].map((c, k) => c + (x - i) * (stops[i + 1][k] - c))
  }
  // light makes a colour darker, but not another one: shares of red, green and blue are compared
  const shares = (rgb) => rgb.map((c) => c / (rgb[0] + rgb[1] + rgb[2]))
  const pixelOf = (b) => get(`(() => {
    const { w, h, data } = look(), { stage } = talus, scale = w / stage.canvas.clientWidth, [x, y] = stage.project(stage.centreOf(${b}))
    return [...data.slice(4 * ((h - 1 - Math.round(y * scale)) * w + Math.round(x * scale))).slice(0, 3)]
  })()`)
  const compare = async () => {
    const shown = await legend()
    assert.equal(shown.stops.length, 7)
    assert.ok(shown.text.includes('speed') && shown.text.includes('mm/s'), shown.text)
    for (const n of [0, 3, 16, 35, 49, 51]) { // of the layer in front: balls 0 to 3, 16 to 19 …
      const wanted = shares(inLegend(shown, 1e3 * speedOf(n))), seen = shares(await pixelOf(await ball(n)))
      wanted.forEach((c, k) => assert.ok(Math.abs(c - seen[k]) < 0.02, `ball ${n} of ${speedOf(n)} m/s: ${seen}, in the legend ${wanted}`))
    }
    return shown.limits
  }
  await get('talus.seek(0)')
  const auto = await compare()
  assert.ok(auto[0] < 40 && auto[1] > 600 && auto[1] <= 640, `limits ${auto} mm/s of speeds from 10 to 640 mm/s`)
  await page.$eval('#legend input:nth-of-type(2)', (input) => {
    input.value = '320'
    input.dispatchEvent(new Event('change'))
  })
  assert.deepEqual(await compare(), [auto[0], 320])
  await get('talus.seek(0.05)')
  assert.deepEqual((await legend()).limits, [auto[0], 320])
  await get("talus.setColour('size')")
  assert.ok((await legend()).text.includes('equivalent radius'))
  const size = await get(`talus.colouring.field.value(0, ${await ball(5)})`)
  assert.ok(Math.abs(size - R) < 1e-6, `radius ${size} m`)
  await get("talus.setColour('velocity')")
  assert.deepEqual((await legend()).limits, [auto[0], 320])
  await page.click('#legend button.link')
  assert.deepEqual((await legend()).limits, auto)
  for (const [id] of await get('talus.colouring.menu')) await get(`talus.setColour('${id}')`)
  await get("talus.setColour('group')")
  assert.ok((await get('document.getElementById("legend").innerText')).includes('ball'))
  await get("talus.setColour('role'), talus.layers.showAll()")
})

await check('one spike does not flatten a plot, which says where it is and how high; a moving mean is that of its definition', async () => {
  await page.click('#tab-plots')
  const height = 'talus.plots.plots.find((p) => p.name === "height")', range = () => get(`[${height}.plot.scales.y.min, ${height}.plot.scales.y.max]`)
  const [low, high] = await range() // of 0.1 m + t, to 0.1 s
  assert.ok(low < 0.1 && low > 0.05 && high > 0.2 && high < 0.3, `from ${low} to ${high} m`)
  const arrow = '#plots figure[data-name=height] .outside.above'
  assert.equal(await get(`document.querySelector('${arrow}').textContent`), '▲ 5 km')
  const [at, wide] = await get(`[parseFloat(document.querySelector('${arrow}').style.left), document.querySelector('#plots figure[data-name=height] .u-over').clientWidth]`)
  assert.ok(Math.abs(at / wide - Number(rows[spiked][0]) / 0.1) < 0.02, `the arrow is at ${at} of ${wide} pixels`)
  await page.click(arrow)
  assert.ok((await range())[1] >= 5000, 'a click shows it')
  await get(`[...document.querySelectorAll('#plots figure[data-name=height] button')].find((b) => b.textContent === 'crop').click()`)
  assert.deepEqual(await range(), [low, high])
  // A row of 5 km between two of some mm is a triangle: the area 5 km × 1 ms beside the line, which a mean over 10 ms leaves as it is.
  await page.type('#smooth', '0.01')
  await page.keyboard.press('Enter')
  const means = await get(`Array.from(${height}.mean)`), time = rows.slice(1).map((row) => Number(row[0])), peak = time[spiked - 1]
  means.forEach((mean, i) => {
    const t = time[i], apart = Math.abs(t - peak), cut = [Math.max(time[0], t - 0.005), Math.min(time[time.length - 1], t + 0.005)]
    if (apart > 0.0035 && apart < 0.0065) return // the window cuts the triangle
    const wanted = 0.1 + (cut[0] + cut[1]) / 2 + (apart < 0.005 ? ((5000 - 0.1 - peak) * 0.001) / (cut[1] - cut[0]) : 0)
    assert.ok(Math.abs(mean - wanted) < 1e-3 * wanted, `the mean at ${t} s is ${mean} m, not ${wanted} m`)
  })
  const svg = await get(`talus.plots.svgOf(${height})`)
  for (const text of ['height / mm', 'time / s', 'mean over 10 ms', '▲ 5 km at 50 ms', 'stroke-opacity="0.3"']) assert.ok(svg.includes(text), `'${text}' is not in the SVG`)
  assert.equal(await get(`new DOMParser().parseFromString(talus.plots.svgOf(${height}), 'image/svg+xml').querySelectorAll('path').length`), 2)
  // the button saves a PNG: caught where the page hands it to the browser
  await get(`window.saved = new Promise((done) => (HTMLAnchorElement.prototype.click = function () { fetch(this.href).then((r) => r.blob()).then((b) => createImageBitmap(b)).then((i) => done([this.download, i.width, i.height])) })), 0`)
  await get(`[...document.querySelectorAll('#plots figure[data-name=height] button')].find((b) => b.textContent === 'png').click()`)
  assert.deepEqual(await get('window.saved'), ['box-height.png', 1440, 720])
})

await check('a picture and a film: the film is as long as asked, and its pictures are of their times', async () => {
  await get("talus.setColour('velocity'), talus.layers.setWalls(true), talus.look('right'), talus.seek(0.05)")
  const picture = await get(`talus.saving.picture().then((b) => createImageBitmap(b)).then((image) => {
    const { width, height } = image, ctx = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true })
    ctx.drawImage(image, 0, 0)
    const data = ctx.getImageData(0, 0, width, height).data, colours = new Set()
    for (let x = 0; x < width; x++) colours.add(data.slice(4 * (18 * width + x), 4 * (18 * width + x) + 3).join())
    return [width, height, colours.size]
  })`)
  const canvas = await get('[talus.stage.canvas.width, talus.stage.canvas.height]')
  assert.ok(Math.abs(picture[0] - canvas[0]) <= 1 && Math.abs(picture[1] - canvas[1]) <= 1, `${picture}, the canvas ${canvas}`)
  assert.ok(picture[2] > 50, 'the scale of the legend is in the picture')
  // 0 to 0.1 s at a twentieth of the speed: 2 s of film, 21 pictures at 10 a second and so 2.1 s; read by the browser's own player
  const film = await get(`(async () => {
    const blob = await talus.saving.film({ from: 0, rate: 0.05, fps: 10, count: 21 }, () => true), video = document.createElement('video')
    const until = (name) => new Promise((done, fail) => { video.addEventListener(name, done, { once: true }); video.onerror = () => fail(new Error(video.error.message)) })
    const loaded = until('loadeddata')
    video.src = URL.createObjectURL(blob)
    await loaded
    const { videoWidth: width, videoHeight: height, duration } = video, ctx = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true })
    const at = async (t) => {
      const there = until('seeked')
      video.currentTime = t
      await there
      ctx.drawImage(video, 0, 0)
      return ctx.getImageData(0, 0, width, height).data
    }
    const differ = (a, b) => a.reduce((n, v, i) => n + (Math.abs(v - b[i]) > 40), 0), [first, early] = [await at(0.02), await at(0.05)]
    let late = await at(2.05)
    for (let k = 0; k < 100 && differ(first, late) === 0; k++) { // the player has been there, but may paint it a moment later
      await new Promise((done) => setTimeout(done, 50))
      ctx.drawImage(video, 0, 0)
      late = ctx.getImageData(0, 0, width, height).data
    }
    return { size: blob.size, type: blob.type, duration, width, height, same: differ(first, early), other: differ(first, late) }
  })()`)
  assert.ok(film.size > 5000 && film.type === 'video/webm', JSON.stringify(film))
  assert.ok(Math.abs(film.duration - 2.1) < 1e-3, `${film.duration} s`)
  assert.deepEqual([film.width, film.height], picture.slice(0, 2))
  assert.ok(film.same === 0 && film.other > 1000, `values that differ: ${film.same} of one picture, ${film.other} of the first and the last`)
  assert.equal(await get('talus.state.t'), 0.05, 'and the page is where it was')
  assert.equal(await get('talus.saving.film({ from: 0, rate: 0.05, fps: 10, count: 21 }, (share) => share < 0.3)'), null, 'it can be stopped')
  await page.focus('#canvas')
  await page.keyboard.press('s')
  assert.equal(await get('document.getElementById("save").open'), true)
  assert.ok((await get('document.querySelector("#save [name=said]").textContent')).includes('pictures'))
  await page.keyboard.press('Escape')
  await get("talus.setColour('role')")
})

await check('nothing is wider than a phone, and nothing lies over the legend', async () => {
  const phone = await open(390, 800, true)
  assert.ok((await phone.evaluate('document.documentElement.scrollWidth')) <= 390)
  for (const tab of ['layers', 'plots', 'body']) {
    await phone.evaluate(`talus.open('${tab}'), talus.layers.set([${vessel}], 0)`)
    assert.ok((await phone.evaluate('document.documentElement.scrollWidth')) <= 390, tab)
  }
  const apart = await phone.evaluate(`(() => { const [a, b] = ['legend', 'veiled'].map((id) => document.getElementById(id).getBoundingClientRect()); return a.right <= b.left || a.bottom <= b.top || b.bottom <= a.top })()`)
  assert.ok(apart, 'the legend and the word on what is hidden lie over each other')
  await phone.close()
})

await check('it stays silent, and asks nothing of the network', () => assert.deepEqual(said, []))

await browser.close()
process.exit(failures ? 1 : 0)
