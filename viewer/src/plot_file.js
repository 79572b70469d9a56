// A plot as a file of its own: SVG, and PNG made of it.
import { pngOf } from './save.js'

const [W, H, LEFT, RIGHT, TOP, BOTTOM] = [720, 360, 76, 18, 34, 44]
const SPACE = 'http://www.w3.org/2000/svg'

function node(name, attributes = {}, text = '') {
  const made = document.createElementNS(SPACE, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}

function ticks(low, high, most) {
  const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough)), step = power * [1, 2, 5, 10].find((f) => f * power >= rough)
  const first = Math.ceil(low / step - 1e-9), count = Math.floor(high / step + 1e-9) - first + 1, digits = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))
  return Array.from({ length: Math.max(0, count) }, (_, i) => [(first + i) * step, ((first + i) * step).toFixed(digits)])
}

// curves: [{ y, colour, faint }] over x; y in units of `factor`, named `unit`; notes: what is said at the top right.
export function plotSvg({ name, unit, factor, x, curves, xRange, yRange, note }) {
  const svg = node('svg', { xmlns: SPACE, width: W, height: H, viewBox: `0 0 ${W} ${H}`, 'font-family': 'system-ui, sans-serif', 'font-size': 13 })
  const [y0, y1] = yRange.map((v) => v / factor), across = (t) => LEFT + ((t - xRange[0]) / (xRange[1] - xRange[0])) * (W - LEFT - RIGHT)
  const up = (v) => H - BOTTOM - ((v - y0) / (y1 - y0)) * (H - TOP - BOTTOM)
  svg.append(node('rect', { width: W, height: H, fill: '#fff' }), node('text', { x: LEFT, y: 21, 'font-weight': 600 }, unit ? `${name} / ${unit}` : name))
  if (note) svg.append(node('text', { x: W - RIGHT, y: 21, 'text-anchor': 'end', fill: '#666' }, note))
  for (const [t, text] of ticks(...xRange, 8))
    svg.append(node('line', { x1: across(t), x2: across(t), y1: TOP, y2: H - BOTTOM, stroke: '#e4e2dc' }), node('text', { x: across(t), y: H - BOTTOM + 18, 'text-anchor': 'middle', fill: '#444' }, text))
  for (const [v, text] of ticks(y0, y1, 6))
    svg.append(node('line', { x1: LEFT, x2: W - RIGHT, y1: up(v), y2: up(v), stroke: '#e4e2dc' }), node('text', { x: LEFT - 8, y: up(v) + 4, 'text-anchor': 'end', fill: '#444' }, text))
  svg.append(node('text', { x: (LEFT + W - RIGHT) / 2, y: H - 7, 'text-anchor': 'middle', fill: '#444' }, 'time / s'))
  const clip = node('clipPath', { id: 'frame' })
  clip.append(node('rect', { x: LEFT, y: TOP, width: W - LEFT - RIGHT, height: H - TOP - BOTTOM }))
  svg.append(clip)
  for (const { y, colour, faint, dashed } of curves) {
    let d = ''
    for (let i = 0, pen = 'M'; i < x.length; i++) {
      if (!Number.isFinite(y[i]) || (x[i + 1] ?? x[i]) < xRange[0] || (x[i - 1] ?? x[i]) > xRange[1]) continue
      d += `${pen}${across(x[i]).toFixed(2)} ${up(y[i] / factor).toFixed(2)}`
      pen = 'L'
    }
    svg.append(node('path', { d, fill: 'none', stroke: colour, 'stroke-width': 1.6, 'stroke-opacity': faint ? 0.3 : 1, 'stroke-dasharray': dashed ? '6 4' : 'none', 'stroke-linejoin': 'round', 'clip-path': 'url(#frame)' }))
  }
  return new XMLSerializer().serializeToString(svg)
}

export async function plotPng(svg, scale = 2) {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: W * scale, height: H * scale })
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
  return pngOf(canvas)
}
