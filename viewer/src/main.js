// The page: state, transport, keys.
import './style.css'
import { frameAt, openRun, quantile } from './run.js'
import { Colouring } from './colouring.js'
import { quantity } from './format.js'
import { LayersPanel } from './layers.js'
import { fillLegend } from './legend.js'
import { drawParts } from './mechanism.js'
import { BodyPanel, fillKept, fillRun, fillScene } from './panels.js'
import { scaleBar } from './picture.js'
import { Plots } from './plots.js'
import { Saving } from './saving.js'
import { Section } from './section.js'
import { Stage } from './stage.js'
import { drawForces, drawPath } from './strokes.js'
import { FADED, HIDDEN, SHOWN } from './veil.js'

const $ = (id) => document.getElementById(id)
const RATES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]
const PICKED = [255, 140, 30]

function start(run) {
  const stage = new Stage($('canvas'), run)
  const first = run.time[0], last = run.time[run.frames - 1]
  const state = { t: first, playing: false, rate: 1, picked: -1, forces: run.contacts.candidate.length > 0, frame: -1, share: -1 }
  const reference = quantile(run.contacts.force.length, (i) => run.contacts.force[i], 0.99)
  const colouring = new Colouring(run)
  const plots = new Plots($('plots'), seek, run.title), section = new Section(stage)
  const layers = new LayersPanel($('layers'), run, stage.veil, section, veiled, deform), panel = new BodyPanel($('body'), run, { seek, pick, veil: stage.veil, setMode })

  /* ---- what is shown ---- */

  function paint() {
    const of = colouring.of(state.frame), { picked } = state
    stage.colour((b) => (b === picked ? PICKED : of(b)))
    const field = colouring.ofNodes()
    stage.solids?.colour(field, field && colouring.scale())
  }

  function show() {
    const frame = frameAt(run, state.t)
    const gap = frame + 1 < run.frames ? run.time[frame + 1] - run.time[frame] : 0
    const share = gap > 0 ? Math.min(1, Math.max(0, (state.t - run.time[frame]) / gap)) : 0
    if (frame !== state.frame || share !== state.share) {
      const fresh = frame !== state.frame
      Object.assign(state, { frame, share })
      stage.pose(frame, share)
      if (fresh) {
        paint()
        if (!$('body').hidden) panel.show(state.picked, frame)
      }
      drawOver()
      plots.mark(state.t)
      panel.plots.mark(state.t)
      $('time').value = state.t
      $('clock').textContent = `${state.t.toFixed(digits)} s`
    }
  }

  function drawOver() {
    drawForces(stage, run, state.frame, reference, state.forces)
    drawParts(stage, run)
    stage.dirty = true
  }

  function legend() {
    fillLegend($('legend'), colouring, (taken) => {
      if (!taken) say('A scale needs two numbers, the least first.')
      legend()
      paint()
    })
  }

  function showScale() {
    const { size, wide } = scaleBar(stage)
    $('scalebar').firstElementChild.style.width = `${wide}px`
    $('scalebar').lastElementChild.textContent = quantity(size, 'm', 2)
  }

  /* ---- actions ---- */

  function look(from = 'corner') {
    stage.look(from, state.frame)
    stage.pose(state.frame, state.share)
  }
  function seek(t) {
    state.t = Math.min(last, Math.max(first, t))
    show()
  }
  function play(on = !state.playing) {
    if (on && state.t >= last) state.t = first
    state.playing = on && last > first
    $('play').textContent = state.playing ? '❚❚' : '▶'
    $('play').setAttribute('aria-label', state.playing ? 'Pause' : 'Play')
  }
  function step(frames) {
    play(false)
    seek(run.time[Math.min(run.frames - 1, Math.max(0, state.frame + frames))])
  }
  function pick(body) {
    if (body === state.picked) return
    state.picked = body
    open(body >= 0 || !$('body').hidden ? 'body' : current())
    panel.pick(body)
    panel.show(body, state.frame)
    panel.plots.mark(state.t)
    drawPath(stage, run, !run.moves[body] || run.role[body] === 4 ? -1 : body)
    paint()
  }
  function setColour(colour) {
    colouring.set(colour)
    $('colour').value = colour
    legend()
    paint()
  }
  // What is shown, faded, hidden or cut has changed.
  function veiled(bodies = true) {
    if (bodies) stage.veiled()
    section.apply()
    $('veiled').hidden = !layers.said()
    $('veiled').firstElementChild.textContent = layers.said()
    if (bodies) {
      drawOver()
      if (!$('body').hidden) panel.show(state.picked, state.frame)
    }
  }
  function deform(times) {
    stage.solids.deform = times
    stage.pose(state.frame, state.share)
  }
  function setMode(mode, body = state.picked) {
    if (body >= 0) layers.set([body], stage.veil.mode[body] === mode ? SHOWN : mode)
    else say('Pick a body first: click it, or press n.')
  }
  function say(text) {
    $('message').textContent = text
    clearTimeout(state.saying)
    state.saying = setTimeout(() => ($('message').textContent = ''), 6000)
  }
  function setForces(on) {
    state.forces = $('forces').checked = on
    drawOver()
  }
  function smooth(text) {
    const width = text.trim() === '' ? 0 : Number(text.replace(',', '.'))
    if (!(width >= 0) || width === Infinity) return say('The width of the mean is a number of seconds.')
    for (const shown of [plots, panel.plots]) shown.smooth(width)
  }
  function setRate(rate) {
    state.rate = rate
    $('rate').value = String(rate)
  }

  /* ---- panels ---- */

  const tabs = ['plots', 'body', 'layers', 'run', 'scene']
  const current = () => tabs.find((name) => !$(name).hidden)
  function open(name) {
    for (const tab of tabs) {
      $(tab).hidden = tab !== name
      $(`tab-${tab}`).setAttribute('aria-selected', tab === name)
      $(`tab-${tab}`).tabIndex = tab === name ? 0 : -1
    }
    if (name === 'plots') plots.resize()
    if (name === 'body') {
      panel.show(state.picked, state.frame)
      panel.plots.resize()
    }
  }
  for (const name of tabs) $(`tab-${name}`).addEventListener('click', () => open(name))
  $('side').querySelector('nav').addEventListener('keydown', (e) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[e.key]
    if (!move) return
    const next = tabs[(tabs.indexOf(current()) + move + tabs.length) % tabs.length]
    open(next)
    $(`tab-${next}`).focus()
    e.stopPropagation()
  })

  /* ---- controls ---- */

  const digits = Math.min(6, Math.max(2, Math.ceil(-Math.log10((last - first) / run.frames || 1)) + 1))
  const duration = last - first, natural = duration / 12 // twelve seconds of looking, or real time where that is near
  setRates(duration >= 3 && duration <= 60 ? 1 : RATES.reduce((a, b) => (Math.abs(Math.log(b / natural)) < Math.abs(Math.log(a / natural)) ? b : a)))
  function setRates(rate) {
    $('rate').innerHTML = RATES.map((r) => `<option value="${r}">${r} ×</option>`).join('')
    setRate(rate)
  }
  Object.assign($('time'), { min: first, max: last, value: first })
  $('time').addEventListener('input', () => seek(Number($('time').value)))
  $('play').addEventListener('click', () => play())
  $('back').addEventListener('click', () => step(-1))
  $('forth').addEventListener('click', () => step(1))
  $('rate').addEventListener('change', () => setRate(Number($('rate').value)))
  $('colour').append(...colouring.menu.map(([value, textContent]) => Object.assign(document.createElement('option'), { value, textContent })))
  $('colour').addEventListener('change', () => setColour($('colour').value))
  $('forces').addEventListener('change', () => setForces($('forces').checked))
  $('reset').addEventListener('click', () => look())
  const saving = new Saving($('save'), {
    run, stage, colouring, seek,
    clock: () => $('clock').textContent, isDark: () => dark.matches, rate: () => state.rate, time: () => state.t,
    quiet() {
      play(false)
      stage.detail(false)
    },
  })
  $('saving').addEventListener('click', () => saving.open())
  $('smooth').addEventListener('change', () => smooth($('smooth').value))
  $('veiled').lastElementChild.addEventListener('click', () => layers.showAll())
  $('help').addEventListener('click', () => $('keys').showModal())
  if (!run.planar)
    for (const view of ['front', 'right', 'top']) {
      const button = Object.assign(document.createElement('button'), { textContent: view })
      button.addEventListener('click', () => look(view))
      document.querySelector('.views').append(button)
    }

  let down = null
  $('canvas').addEventListener('pointerdown', (e) => (down = [e.clientX, e.clientY]))
  $('canvas').addEventListener('pointerup', (e) => {
    if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return
    const box = $('canvas').getBoundingClientRect()
    pick(stage.pick(e.clientX - box.left, e.clientY - box.top))
  })

  const named = [...run.name.keys()]
  const pickNamed = (move) => named.length && pick(named[(named.indexOf(state.picked) + move + named.length + (state.picked < 0 && move < 0)) % named.length])
  const rate = (move) => setRate(RATES[Math.min(RATES.length - 1, Math.max(0, RATES.indexOf(state.rate) + move))])
  const keys = {
    ' ': () => play(), ArrowLeft: (e) => step(e.shiftKey ? -10 : -1), ArrowRight: (e) => step(e.shiftKey ? 10 : 1),
    Home: () => seek(first), End: () => seek(last), '[': () => rate(-1), ']': () => rate(1),
    c: () => setColour(colouring.next()), f: () => setForces(!state.forces),
    l: () => ($('loop').checked = !$('loop').checked), r: () => look(), '+': () => stage.zoom(1.25), '=': () => stage.zoom(1.25), '-': () => stage.zoom(0.8),
    n: () => pickNamed(1), p: () => pickNamed(-1), Escape: () => pick(-1),
    s: () => saving.open(), h: () => setMode(HIDDEN), d: () => setMode(FADED), a: () => layers.showAll(),
    w: () => !run.planar && layers.setWalls(!stage.veil.fading), x: () => !run.planar && layers.nextSection(), ',': () => layers.moveSection(-0.02), '.': () => layers.moveSection(0.02),
    '?': () => $('keys').showModal(),
  }
  window.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
    if (/^(SELECT|TEXTAREA)$/.test(e.target.tagName) || (e.target.tagName === 'INPUT' && !/^(checkbox|range)$/.test(e.target.type)) || (e.key === ' ' && e.target.tagName === 'BUTTON')) return
    if (!keys[e.key]) return
    e.preventDefault()
    keys[e.key](e)
  })

  /* ---- the loop ---- */

  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const theme = () => stage.theme(dark.matches ? { background: [22, 25, 29], ink: [10, 10, 12] } : { background: [251, 250, 247], ink: [60, 52, 44] })
  dark.addEventListener('change', () => {
    theme()
    plots.repaint()
    panel.plots.repaint()
  })
  new ResizeObserver(() => {
    stage.dirty = true
    plots.resize()
    panel.plots.resize()
  }).observe(document.body)

  fillKept($('kept'), run)
  fillRun($('run'), run)
  fillScene($('scene'), run)
  theme()
  stage.resize()
  stage.look('corner', 0)
  veiled()
  open('plots')
  plots.addSeries(run)
  $('forces').checked = state.forces
  document.title = `${run.title} · talus`
  say(run.notes.join(' '))
  legend()
  show()

  // Drawn in full when nothing moves; where a picture takes longer than 50 ms, as a draft meanwhile.
  let before = performance.now(), drawn = 0, slow = 0, moved = 0, wasDrawn = false
  stage.controls.addEventListener('change', () => {
    moved = performance.now()
    if (section.axis === 'view') section.apply()
  })
  function loop(now) {
    if (wasDrawn) slow += 0.3 * (now - before - slow)
    const moving = state.playing || now - moved < 300
    if (!moving) stage.detail(false)
    else if (slow > 50) stage.detail(true)
    const elapsed = Math.min(0.25, (now - before) / 1000)
    before = now
    if (state.playing) {
      let t = state.t + elapsed * state.rate
      if (t >= last && $('loop').checked) t = first
      else if (t >= last) play(false)
      seek(t)
    }
    wasDrawn = stage.draw()
    if (wasDrawn) {
      drawn++
      showScale()
    }
    requestAnimationFrame(loop)
  }
  requestAnimationFrame(loop)
  window.talus = { run, stage, state, layers, section, colouring, plots, saving, seek, play, step, pick, setColour, setForces, look, open, drawn: () => drawn } // for the console, and for tests
}

openRun(document)
  .then(start)
  .catch((error) => {
    console.error(error)
    $('message').textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later with WebGL 2.`
  })
