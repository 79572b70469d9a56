// What of a curve is shown: a range that single spikes do not stretch, and means over a moving window.

const [TAIL, FAR, LEAST] = [0.02, 2, 50] // share of values at either end that may lie outside; how far, in spreads of the rest; fewest values

// The range of y[first … last] in which nearly all values lie; `above` and `below` are those outside: how many, and the farthest ([index, value]).
export function robustRange(y, first, last) {
  const sorted = Float64Array.from(y.subarray(first, last + 1)).filter(Number.isFinite).sort(), n = sorted.length
  if (!n) return { low: 0, high: 1, above: null, below: null }
  const least = sorted[0], largest = sorted[n - 1], q = (share) => sorted[Math.round(share * (n - 1))]
  const low = q(TAIL), high = q(1 - TAIL), spread = high - low, crop = n >= LEAST && spread > 0
  const beyond = (limit, side) => {
    let count = 0, at = first
    for (let i = first; i <= last; i++) {
      if (side * (y[i] - limit) > 0) count++
      if (side * (y[i] - y[at]) > 0 || !Number.isFinite(y[at])) at = i
    }
    return { count, at, value: y[at] }
  }
  const top = crop && largest - high > FAR * spread, bottom = crop && low - least > FAR * spread
  const range = { low: bottom ? low - 0.2 * spread : least, high: top ? high + 0.2 * spread : largest }
  return { ...range, above: top ? beyond(range.high, 1) : null, below: bottom ? beyond(range.low, -1) : null }
}

// Integrals at x of the line through the points, and of the time in which there is one: where a value is no number nothing is known.
function integrals(x, y, means) {
  const n = means ? means.length + 1 : x.length, at = new Float64Array(n), value = new Float64Array(n), known = new Float64Array(n)
  for (let i = 0; i < n; i++) at[i] = means ? x[Math.min(2 * i, x.length - 1)] : x[i]
  for (let i = 1; i < n; i++) {
    const mean = means ? means[i - 1] : 0.5 * (y[i] + y[i - 1]), dt = at[i] - at[i - 1], there = Number.isFinite(mean)
    value[i] = value[i - 1] + (there ? mean * dt : 0)
    known[i] = known[i - 1] + (there ? dt : 0)
  }
  return { at, value, known }
}

// Mean over [t − width/2, t + width/2], as far as there are values: the integral of the line through the points, divided by the time. Of a thinned curve, whose
// points are extremes, `means` are those of its stretches, of which each has two points: then that of a line which is level in each.
export function movingMean(x, y, width, means = null) {
  const n = x.length, out = new Float64Array(n)
  if (n < 2 || !(width > 0)) return Float64Array.from(y)
  const { at, value, known } = integrals(x, y, means), last = at.length - 1
  let k = 0
  const upTo = (t) => { // t never falls behind the last one asked for at the same end
    while (k + 1 < last && at[k + 1] <= t) k++
    const dt = at[k + 1] - at[k], s = dt > 0 ? t - at[k] : 0, there = known[k + 1] > known[k]
    if (!there) return [value[k], known[k]]
    const slope = means ? 0 : (y[k + 1] - y[k]) / dt, level = means ? means[k] : y[k]
    return [value[k] + s * (level + 0.5 * slope * s), known[k] + s]
  }
  const from = Float64Array.from(x, (t) => Math.max(x[0], t - width / 2)), to = Float64Array.from(x, (t) => Math.min(x[n - 1], t + width / 2))
  const before = Array.from(from, upTo)
  k = 0
  for (let i = 0; i < n; i++) {
    const [all, time] = upTo(to[i])
    out[i] = time > before[i][1] ? (all - before[i][0]) / (time - before[i][1]) : y[i]
  }
  return out
}
