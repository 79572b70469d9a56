// Linked plots: one time axis, one time cursor, zoomed together; a click seeks.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { quantity, unitFor } from './format.js'
import { movingMean, robustRange } from './plot_range.js'
import { plotPng, plotSvg } from './plot_file.js'
import { download } from './save.js'

const SOLVER = { contacts: '', iterations: '', residual: 'm/s', penetration: 'm', kinetic_energy: 'J', potential_energy: 'J', candidates: '', tolerance: 'm/s' }
const HEIGHT = 132

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const button = (textContent, title, className = 'link') => Object.assign(document.createElement('button'), { textContent, title, className })

// Marks of an axis: as many digits as their steps need, in one unit, which the last one names.
function labels(ticks, increment, unit) {
  const [factor, name] = unitFor(Math.max(...ticks.map(Math.abs)), unit), digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(increment / factor) + 1e-9)))
  return ticks.map((v, i) => {
    const x = v / factor, text = ticks.length === 1 && x === 0 ? '0' : x === 0 || (Math.abs(x) < 1e6 && increment / factor >= 1e-6) ? x.toFixed(digits) : x.toExponential(2)
    return i === ticks.length - 1 && name ? `${text} ${name}` : text
  })
}

export class Plots {
  constructor(host, seek, title) {
    this.title = title // of files
    this.window = 0 // of the moving mean, in seconds
    this.host = host
    this.seek = seek
    this.plots = []
    this.now = 0
  }

  // Columns of the run's series: the probes of the scene first, then what every run has.
  addSeries(run) {
    const [time] = run.series
    if (!time?.length) {
      this.host.append(Object.assign(document.createElement('p'), { textContent: 'This run has no series.csv.' }))
      return
    }
    const units = run.summary?.probes ?? {}
    const tolerance = run.series[run.columns.indexOf('tolerance')] // runs of earlier versions have none
    const limits = { residual: tolerance?.map((v) => (v > 0 ? v : NaN)) } // 0: nothing was compared
    run.columns.slice(1).forEach((name, i) => {
      if (name !== 'tolerance') this.add(name, units[name] ?? SOLVER[name] ?? '', time, run.series[i + 1], !(name in SOLVER), limits[name], run.means?.[i + 1])
    })
  }

  // `limit`: what y should stay below; `means`: of a thinned curve, those of its stretches.
  add(name, unit, x, y, probe = true, limit = null, means = null) {
    const box = document.createElement('figure'), caption = box.appendChild(document.createElement('figcaption')), output = document.createElement('output')
    box.className = 'plot'
    box.dataset.name = name
    const png = button('png', 'save this plot as PNG'), svg = button('svg', 'save this plot as SVG'), crop = button('crop', 'leave out single spikes')
    crop.hidden = true
    caption.append(Object.assign(document.createElement('b'), { textContent: name }), crop, png, svg, output)
    this.host.append(box)
    const entry = { name, unit, x, y, limit, means, mean: null, probe, whole: false, output, box, crop, arrows: {} }
    entry.plot = this.draw(entry)
    entry.mark = entry.plot.over.appendChild(Object.assign(document.createElement('i'), { className: 'mark' }))
    for (const side of ['above', 'below']) {
      const arrow = entry.plot.over.appendChild(button('', 'values lie outside: click to see them', `outside ${side}`))
      arrow.hidden = true
      arrow.addEventListener('click', () => this.setWhole(entry, true))
      entry.arrows[side] = arrow
    }
    crop.addEventListener('click', () => this.setWhole(entry, false))
    svg.addEventListener('click', () => download(new Blob([this.svgOf(entry)], { type: 'image/svg+xml' }), `${this.title}-${name}.svg`))
    png.addEventListener('click', async () => download(await plotPng(this.svgOf(entry)), `${this.title}-${name}.png`))
    const { over } = entry.plot
    let down = null
    over.addEventListener('pointerdown', (e) => (down = e.target.tagName === 'BUTTON' ? null : e.clientX))
    over.addEventListener('pointerup', (e) => {
      if (down !== null && Math.abs(e.clientX - down) < 4) this.seek(entry.plot.posToVal(e.clientX - over.getBoundingClientRect().left, 'x'))
      down = null
    })
    this.plots.push(entry)
    if (this.window > 0) this.smoothOne(entry)
    this.point(entry)
    this.mark(this.now)
  }

  draw(entry) {
    const colour = style(entry.probe ? '--curve' : '--curve2')
    const axis = { stroke: style('--dim'), grid: { stroke: style('--grid'), width: 1 }, ticks: { show: false }, font: '11px system-ui', size: 22 }
    return new uPlot(
      {
        width: this.width(), height: HEIGHT, legend: { show: false }, padding: [8, 24, 0, 0],
        cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, setScale: true } },
        scales: { x: { time: false }, y: { range: (u) => this.range(entry, u) } },
        axes: [
          { ...axis, values: (_, ticks, _axis, _space, increment) => labels(ticks, increment, 's') },
          { ...axis, size: 64, space: 24, values: (_, ticks, _axis, _space, increment) => labels(ticks, increment, entry.unit) },
        ],
        series: [
          {},
          { stroke: () => (entry.mean ? `color-mix(in srgb, ${colour} 30%, transparent)` : colour), width: 1.3, points: { show: false } },
          { stroke: colour, width: 1.6, points: { show: false } },
          { stroke: style('--dim'), width: 1, dash: [4, 3], points: { show: false } },
        ],
        hooks: {
          setScale: [(u, key) => key === 'x' && this.zoomed(u), (_, key) => key === 'y' && entry.plot && this.point(entry)],
          setCursor: [(u) => this.hover(u)],
        },
      },
      this.data(entry),
      entry.box,
    )
  }
  data({ x, y, mean, limit }) {
    const none = new Array(x.length).fill(null)
    return [x, y, mean ?? none, limit ? Array.from(limit, (v) => (v > 0 ? v : null)) : none]
  }

  // The vertical range of what is shown: without single spikes, unless asked for.
  range(entry, u) {
    const [first, last] = u.series[0].idxs ?? [0, entry.x.length - 1], robust = robustRange(entry.y, first ?? 0, last ?? entry.x.length - 1)
    let { low, high } = robust
    entry.outside = entry.whole ? {} : robust
    entry.crops = robust.above !== null || robust.below !== null
    if (entry.whole) for (const end of [robust.above, robust.below]) if (end) (low = Math.min(low, end.value)), (high = Math.max(high, end.value))
    const near = entry.limit && robustRange(entry.limit, first ?? 0, last ?? entry.x.length - 1).high
    if (near > high && near < 4 * high) high = near
    const margin = high > low ? 0.06 * (high - low) : 0.1 * (Math.abs(high) || 1)
    return [low - margin, high + margin]
  }
  setWhole(entry, whole) {
    entry.whole = whole
    entry.plot.setData(this.data(entry), false)
    entry.plot.setScale('x', { min: entry.plot.scales.x.min, max: entry.plot.scales.x.max })
    this.point(entry)
  }
  // Arrows where values lie outside, with the farthest of them.
  point(entry) {
    const { plot, arrows, outside, unit, x } = entry
    if (!plot || !outside) return
    entry.crop.hidden = !(entry.whole && entry.crops)
    for (const [side, sign] of [['above', '▲'], ['below', '▼']]) {
      const arrow = arrows[side], end = outside[side]
      if (!arrow) continue
      arrow.hidden = !end
      if (!end) continue
      arrow.textContent = `${sign} ${quantity(end.value, unit, 3)}${end.count > 1 ? ` and ${end.count - 1} more` : ''}`
      const left = plot.valToPos(x[end.at], 'x'), wide = plot.bbox.width / devicePixelRatio
      arrow.style.left = `${left}px`
      arrow.classList.toggle('turned', left > wide / 2)
    }
  }

  // The moving mean of every plot, over so many seconds; 0: none.
  smooth(seconds) {
    this.window = seconds
    for (const entry of this.plots) this.smoothOne(entry)
    this.mark(this.now)
  }
  smoothOne(entry) {
    const { x, y, means, plot } = entry
    entry.mean = this.window > 0 ? movingMean(x, y, this.window, means) : null
    const { min, max } = plot.scales.x
    plot.setData(this.data(entry), false)
    plot.setScale('x', { min, max })
  }

  svgOf(entry) {
    const { plot, name, x, y, mean, limit, unit, outside } = entry, { scales } = plot, yRange = [scales.y.min, scales.y.max]
    const [factor, shown] = unitFor(Math.max(...yRange.map(Math.abs)), unit), colour = '#1f6fb2'
    const curves = mean ? [{ y, colour, faint: true }, { y: mean, colour }] : [{ y, colour }]
    if (limit) curves.push({ y: limit, colour: '#999', dashed: true })
    const ends = ['above', 'below'].filter((side) => outside[side]).map((side) => `${side === 'above' ? '▲' : '▼'} ${quantity(outside[side].value, unit, 3)} at ${quantity(x[outside[side].at], 's', 3)}`)
    const note = [...(mean ? [`mean over ${quantity(this.window, 's', 3)}`] : []), ...ends].join(', ')
    return plotSvg({ name, unit: shown, factor, x, curves, xRange: [scales.x.min, scales.x.max], yRange, note })
  }

  width() {
    return Math.max(220, this.host.clientWidth - 14)
  }

  zoomed(u) {
    if (this.zooming) return
    this.zooming = true
    const { min, max } = u.scales.x
    for (const { plot } of this.plots) if (plot !== u) plot.setScale('x', { min, max })
    this.zooming = false
    this.mark(this.now)
  }

  hover(u) {
    if (this.hovering) return
    this.hovering = true
    for (const { plot } of this.plots) if (plot !== u) plot.setCursor({ left: u.cursor.left, top: 0 }, false)
    this.hovering = false
  }

  // The time cursor, and the values there.
  mark(t) {
    this.now = t
    for (const { plot, mark, unit, x, y, mean, output } of this.plots) {
      const left = plot.valToPos(t, 'x'), wide = plot.bbox.width / devicePixelRatio // no layout is asked for here
      mark.style.transform = `translateX(${left}px)`
      mark.hidden = !(left >= 0 && left <= wide)
      let low = 0, high = x.length - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if (x[middle] < t) low = middle + 1
        else high = middle
      }
      if (low > 0 && t - x[low - 1] < x[low] - t) low--
      output.textContent = quantity((mean ?? y)[low], unit)
    }
  }

  resize() {
    const width = this.width()
    for (const { plot } of this.plots) if (plot.width !== width) plot.setSize({ width, height: HEIGHT })
    for (const entry of this.plots) this.point(entry)
    this.mark(this.now)
  }

  clear() {
    for (const { plot, box } of this.plots) {
      plot.destroy()
      box.remove()
    }
    this.plots = []
  }

  // Colours come from the style sheet: after a change of theme the curves are drawn anew.
  repaint() {
    const kept = [...this.plots]
    this.clear()
    for (const { name, unit, x, y, probe, limit, means } of kept) this.add(name, unit, x, y, probe, limit, means)
  }
}
