// What the colours mean. The limits of a scale are fields: what is typed there holds, at all times, until "auto".
import { gradient } from './colours.js'
import { unitFor } from './format.js'

const make = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}
const digits = (x) => String(Number(x.toPrecision(3)))

export function fillLegend(host, colouring, changed) {
  const { field } = colouring
  host.replaceChildren()
  host.hidden = false
  if (!field) {
    const named = colouring.categories()
    host.hidden = colouring.id === 'role' && named.length < 2
    for (const [name, colour] of named) host.append(make('span', {}, make('i', { style: `background: rgb(${colour.join(' ')})` }), name))
    return
  }
  const scale = colouring.scale(), [factor, unit] = unitFor(Math.max(...scale.map(Math.abs)), field.unit)
  const limit = (which) => {
    const input = make('input', { className: 'limit', value: digits(scale[which] / factor), inputMode: 'decimal', title: 'type a limit; it is kept' })
    input.setAttribute('aria-label', `${which ? 'largest' : 'least'} ${field.name}${unit ? ` in ${unit}` : ''}`)
    input.style.width = `${Math.max(2, input.value.length) + 1.6}ch`
    input.addEventListener('change', () => {
      const wanted = [...scale]
      wanted[which] = input.value.trim() === '' ? NaN : Number(input.value.replace(',', '.')) * factor
      changed(colouring.fix(wanted))
    })
    input.addEventListener('keydown', (e) => e.key === 'Enter' && input.blur())
    return input
  }
  host.append(make('span', { textContent: field.name }), make('span', {}, limit(0), make('i', { className: 'ramp', style: `background: ${gradient}` }), limit(1), unit))
  if (colouring.isFixed()) {
    const auto = make('button', { className: 'link', textContent: 'auto', title: 'limits that hold 98 % of the values' })
    auto.addEventListener('click', () => changed(colouring.fix(null)))
    host.append(auto)
  }
}
