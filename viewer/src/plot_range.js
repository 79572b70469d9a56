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

// Mean over [t − width/2, t + width/2], as far as there are values: the integral of the line through the points, divided by the time.
export function movingMean(x, y, width) {
  const n = x.length, integral = new Float64Array(n), out = new Float64Array(n)
  for (let i = 1; i < n; i++) integral[i] = integral[i - 1] + 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1])
  let at = 0
  const upTo = (t) => { // t never falls behind the last one asked for at the same end
    while (at + 1 < n - 1 && x[at + 1] <= t) at++
    const dx = x[at + 1] - x[at], s = t - x[at], slope = dx > 0 ? (y[at + 1] - y[at]) / dx : 0
    return integral[at] + s * (y[at] + 0.5 * slope * s)
  }
  if (n < 2 || !(width > 0)) return Float64Array.from(y)
  const from = Float64Array.from(x, (t) => Math.max(x[0], t - width / 2)), to = Float64Array.from(x, (t) => Math.min(x[n - 1], t + width / 2))
  const before = Array.from(from, upTo)
  at = 0
  for (let i = 0; i < n; i++) {
    const all = upTo(to[i]) - before[i]
    out[i] = to[i] > from[i] ? all / (to[i] - from[i]) : y[i]
  }
  return out
}
