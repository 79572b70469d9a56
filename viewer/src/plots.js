// Linked plots: one time axis, one time cursor, zoomed together; a click seeks.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { escapeText, quantity } from './format.js'

const SOLVER = { contacts: '', iterations: '', residual: 'm/s', penetration: 'm', kinetic_energy: 'J', potential_energy: 'J', candidates: '' }
const HEIGHT = 132

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export class Plots {
  constructor(host, seek) {
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
    run.columns.slice(1).forEach((name, i) => this.add(name, units[name] ?? SOLVER[name] ?? '', time, run.series[i + 1], !(name in SOLVER)))
  }

  add(name, unit, x, y, probe = true) {
    const box = document.createElement('figure')
    box.className = 'plot'
    box.dataset.name = name
    box.innerHTML = `<figcaption><b>${escapeText(name)}</b> <output></output></figcaption>`
    this.host.append(box)
    const colour = style(probe ? '--curve' : '--curve2')
    const axis = { stroke: style('--dim'), grid: { stroke: style('--grid'), width: 1 }, ticks: { show: false }, font: '11px system-ui', size: 22 }
    const plot = new uPlot(
      {
        width: this.width(), height: HEIGHT, legend: { show: false }, padding: [6, 10, 0, 0],
        cursor: { y: false, points: { size: 6 }, drag: { x: true, y: false, setScale: true } },
        scales: { x: { time: false } },
        axes: [axis, { ...axis, size: 58, space: 24, values: (_, ticks) => ticks.map((v) => quantity(v, '', 3)) }],
        series: [{}, { stroke: colour, width: 1.3, points: { show: false } }],
        hooks: {
          setScale: [(u, key) => key === 'x' && this.zoomed(u)],
          setCursor: [(u) => this.hover(u)],
        },
      },
      [x, y],
      box,
    )
    const mark = document.createElement('i')
    mark.className = 'mark'
    plot.over.append(mark)
    let down = null
    plot.over.addEventListener('pointerdown', (e) => (down = e.clientX))
    plot.over.addEventListener('pointerup', (e) => {
      if (down !== null && Math.abs(e.clientX - down) < 4) this.seek(plot.posToVal(e.clientX - plot.over.getBoundingClientRect().left, 'x'))
      down = null
    })
    this.plots.push({ plot, mark, unit, x, y, output: box.querySelector('output'), box })
    this.mark(this.now)
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
    for (const { plot, mark, unit, x, y, output } of this.plots) {
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
      output.textContent = quantity(y[low], unit)
    }
  }

  resize() {
    const width = this.width()
    for (const { plot } of this.plots) if (plot.width !== width) plot.setSize({ width, height: HEIGHT })
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
    const kept = this.plots.map(({ plot, unit, x, y, box }) => [box.dataset.name, unit, x, y, plot.series[1]._stroke])
    this.clear()
    for (const [name, unit, x, y] of kept) this.add(name, unit, x, y, !(name in SOLVER))
  }
}
