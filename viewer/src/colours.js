// Colours of bodies, by what the user asks for. Even steps of lightness, so that they survive print and most colour blindness.
const STOPS = ['#2b1d4f', '#3f4a8a', '#33759a', '#2e9c8f', '#5fbf6f', '#b5d65a', '#fbe96b']
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
const RAMP = STOPS.map(rgb)

export const gradient = `linear-gradient(to right, ${STOPS.join(', ')})`

export function ramp(x) {
  const t = Math.min(1, Math.max(0, x)) * (RAMP.length - 1), i = Math.min(RAMP.length - 2, Math.floor(t)), f = t - i
  return RAMP[i].map((c, k) => c + f * (RAMP[i + 1][k] - c))
}

const ROLE_COLOURS = ['#d6cdbd', '#7d8590', '#9a86b8', '#3a7ca5']
const MATERIAL_COLOURS = ['#c9a66b', '#6b93c4', '#8fb573', '#c77d6e', '#a78bb8', '#d3b8a0', '#7fb5b0', '#b0b0b0']
export const roleColour = (role) => rgb(ROLE_COLOURS[role] ?? ROLE_COLOURS[0])
export const materialColour = (m) => (m < 0 ? rgb('#b0b0b0') : rgb(MATERIAL_COLOURS[m % MATERIAL_COLOURS.length]))
