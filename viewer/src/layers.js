// The panel of layers: what is shown, faded or hidden, by group and by name; walls that fade by themselves; the section plane.
import { ROLES } from './run.js'
import { materialColour, roleColour } from './colours.js'
import { quantity } from './format.js'
import { FADED, HIDDEN, SHOWN } from './veil.js'
import { AXES } from './section.js'

const ROLE_NAMES = ['grains', 'fixed', 'driven', 'links', 'solids']
const MODES = [[SHOWN, 'show'], [FADED, 'fade'], [HIDDEN, 'hide']]
const MOST_NAMES = 60

const make = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

const where = (run, of) => {
  const groups = new Map()
  for (let b = 0; b < run.bodies; b++) {
    const key = of(b)
    if (key === undefined) continue
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(b)
  }
  return groups
}

// What a name says of its kind: 'tile 12', 'tile[12]' and 'tile_12' are tiles.
export const stem = (name) => name.replace(/[\s_.\-[(#]*\d+[\])]*$/, '') || name
export const groupsByRole = (run) => where(run, (b) => run.role[b])
export const groupsByName = (run) => where(run, (b) => (run.name.has(b) ? stem(run.name.get(b)) : undefined))

// Bodies whose name fits a pattern: * any letters, ? one; without either, what contains it.
export function bodiesNamed(run, pattern) {
  if (!pattern) return []
  const text = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.')
  const fits = new RegExp(/[*?]/.test(pattern) ? `^${text}$` : text, 'i')
  return [...run.name].filter(([, name]) => fits.test(name)).map(([b]) => b)
}

export class LayersPanel {
  // changed(): what is shown has changed; deform(times): displacements of solids.
  constructor(host, run, veil, section, changed, deform) {
    Object.assign(this, { host, run, veil, section, changed, deform, rows: [] })
    this.count = make('span', { className: 'dim' })
    this.all = make('button', { id: 'show-all', textContent: 'Show everything', title: 'a', onclick: () => this.showAll() })
    host.append(make('p', { className: 'row' }, this.all, this.count))
    this.addRows('By role', groupsByRole(run), (role) => [ROLE_NAMES[role] ?? ROLES[role], roleColour(role)])
    const materials = where(run, (b) => (run.material[b] >= 0 ? run.material[b] : undefined))
    if (materials.size > 1) this.addRows('By material', materials, (m) => [run.materials[m], materialColour(m)])
    const named = new Map([...groupsByName(run)].slice(0, MOST_NAMES))
    if (named.size) this.addRows('By name', named, (name) => [name, null])
    if (run.name.size > 1) this.addPattern()
    if (!run.planar) this.addSpace()
    if (run.solids) this.addDeform()
    this.refresh()
  }

  control(name, bodies) {
    const buttons = MODES.map(([mode, word]) => {
      const button = make('button', { textContent: word })
      button.addEventListener('click', () => this.set(bodies(), mode))
      return button
    })
    const control = make('span', { className: 'segments' }, ...buttons)
    control.setAttribute('role', 'group')
    control.setAttribute('aria-label', name)
    this.rows.push({ buttons, bodies })
    return control
  }

  addRows(title, groups, of) {
    this.host.append(make('h3', { textContent: title }))
    for (const [key, bodies] of groups) {
      const [name, colour] = of(key), label = make('span', { className: 'layer' })
      if (colour) label.append(make('i', { style: `background: rgb(${colour.join(' ')})` }))
      label.append(make('span', { textContent: name }), make('span', { className: 'dim', textContent: bodies.length > 1 ? String(bodies.length) : '' }))
      this.host.append(make('div', { className: 'layers-row' }, label, this.control(name, () => bodies)))
    }
  }

  addPattern() {
    const field = make('input', { type: 'search', placeholder: 'name, or tile*', id: 'pattern' }), found = make('span', { className: 'dim' })
    field.setAttribute('aria-label', 'Names of bodies; * stands for any letters')
    field.addEventListener('input', () => {
      const n = bodiesNamed(this.run, field.value).length
      found.textContent = field.value ? String(n) : ''
      this.refresh()
    })
    this.host.append(make('div', { className: 'layers-row' }, make('span', { className: 'layer' }, field, found), this.control('bodies of this name', () => bodiesNamed(this.run, field.value))))
  }

  addSpace() {
    const { veil, section } = this
    this.walls = make('input', { type: 'checkbox', id: 'walls' })
    this.walls.addEventListener('change', () => this.setWalls(this.walls.checked))
    this.host.append(make('h3', { textContent: 'Walls' }), make('label', { title: 'w' }, this.walls, ' fade where they stand before the grains'))
    if (!veil.walls.size) this.host.lastChild.hidden = this.host.lastChild.previousSibling.hidden = true
    this.axis = make('select', { id: 'section', title: 'x: the next' }, ...AXES.map((name) => make('option', { value: name, textContent: { off: 'none', view: 'line of sight' }[name] ?? `${name} axis` })))
    this.axis.addEventListener('change', () => this.setSection({ axis: this.axis.value }))
    this.share = make('input', { type: 'range', id: 'section-share', min: 0, max: 1, step: 'any' })
    this.share.setAttribute('aria-label', 'Place of the section')
    this.share.addEventListener('input', () => this.setSection({ share: Number(this.share.value) }))
    this.place = make('output')
    this.flip = make('button', { textContent: 'other side' })
    this.flip.addEventListener('click', () => this.setSection({ flipped: !section.flipped }))
    this.whole = make('input', { type: 'checkbox', id: 'section-whole' })
    this.whole.addEventListener('change', () => this.setSection({ whole: this.whole.checked }))
    this.cutting = make('div', {}, make('p', { className: 'row' }, this.share, this.place), make('p', { className: 'row' }, this.flip, make('label', {}, this.whole, ' leave grains whole')))
    this.host.append(make('h3', { textContent: 'Section' }), make('label', {}, 'across the ', this.axis), this.cutting)
  }

  // How many times as large displacements of solids are drawn.
  addDeform() {
    const field = make('input', { className: 'number', id: 'deform', value: '1', inputMode: 'decimal', title: 'all else stays where it is' })
    field.addEventListener('change', () => {
      const times = Number(field.value.replace(',', '.'))
      if (field.value.trim() !== '' && Number.isFinite(times)) this.deform(times)
    })
    this.host.append(make('h3', { textContent: 'Solids' }), make('label', {}, 'displacements drawn ', field, ' times as large'))
  }

  set(bodies, mode) {
    this.veil.set(bodies, mode)
    this.update()
  }
  setWalls(on) {
    this.veil.fading = on
    this.update()
  }
  setSection(values) {
    Object.assign(this.section, values)
    this.update(false)
  }
  nextSection() {
    this.setSection({ axis: AXES[(AXES.indexOf(this.section.axis) + 1) % AXES.length] })
  }
  moveSection(step) {
    if (this.section.axis !== 'off') this.setSection({ share: Math.min(1, Math.max(0, this.section.share + step)) })
  }
  showAll() {
    this.veil.mode.fill(SHOWN)
    this.section.reset()
    this.update()
  }
  update(veiled = true) {
    this.refresh()
    this.changed(veiled)
  }

  // What is not shown, in a few words; empty: all is.
  said() {
    const [hidden, faded] = this.veil.count(), parts = []
    if (hidden) parts.push(`${hidden} hidden`)
    if (faded) parts.push(`${faded} faded`)
    if (this.section.axis !== 'off') parts.push('cut open')
    return parts.join(', ')
  }

  refresh() {
    const { veil, section } = this
    for (const { buttons, bodies } of this.rows) {
      const members = bodies(), mode = members.length ? veil.of(members) : -1
      buttons.forEach((button, i) => {
        button.setAttribute('aria-pressed', MODES[i][0] === mode)
        button.disabled = !members.length
      })
    }
    this.count.textContent = this.said()
    this.all.disabled = !this.said()
    if (!this.axis) return
    this.walls.checked = veil.fading
    this.axis.value = section.axis
    this.share.value = section.share
    this.whole.checked = section.whole
    this.cutting.hidden = section.axis === 'off'
    const place = section.place()
    this.place.textContent = place === null ? '' : `${section.axis} = ${quantity(place, 'm', 3)}`
  }
}
