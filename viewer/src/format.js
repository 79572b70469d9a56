// Numbers as engineers read them.
const PREFIX = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']]
const TAKES_PREFIX = /^(m|s|N|J|W|Pa|N m|m\/s|N s)$/

// The factor and the unit in which a size is written: [1e-3, 'mm'] for a few millimetres.
export function unitFor(size, unit) {
  if (unit === '1') return [1, '']
  if (unit === 'kg' && size < 1 && size > 0) return [1e-3, 'g']
  if (!TAKES_PREFIX.test(unit) || !(size >= 1e-10) || !Number.isFinite(size)) return [1, unit]
  const [factor, prefix] = PREFIX.find(([f]) => size >= 0.9995 * f) ?? PREFIX[PREFIX.length - 1]
  return [factor, prefix + unit]
}

export function quantity(x, unit = '', digits = 4) {
  if (!Number.isFinite(x)) return '–'
  if (unit === '1') unit = ''
  if (unit === 'kg' && Math.abs(x) < 1 && x !== 0) return quantity(1e3 * x, 'g', digits)
  if (x === 0) return unit ? `0 ${unit}` : '0'
  const size = Math.abs(x)
  if (TAKES_PREFIX.test(unit) && size >= 1e-10) {
    const [factor, name] = unitFor(size, unit)
    return `${Number((x / factor).toPrecision(digits))} ${name}`
  }
  const text = size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 1) : String(Number(x.toPrecision(digits)))
  return unit ? `${text} ${unit}` : text
}

export const escapeText = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])
