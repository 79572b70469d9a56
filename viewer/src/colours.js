// Colours of bodies, by what the user asks for. Even steps of lightness, so that they survive print and most colour blindness.
const STOPS = ['#2b1d4f', '#3f4a8a', '#33759a', '#2e9c8f', '#5fbf6f', '#b5d65a', '#fbe96b']
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
const RAMP = STOPS.map(rgb)

export const gradient = `linear-gradient(to right, ${STOPS.join(', ')})`

export function ramp(x) {
  const t = Math.min(1, Math.max(0, x)) * (RAMP.length - 1), i = Math.min(RAMP.length - 2, Math.floor(t)), f = t - i
  return RAMP[i].map((c, k) => c + f * (RAMP[i + 1][k] - c))
}

// The same scale for shaders.
export const stops = RAMP.flat().map((c) => c / 255)
export const STOPS_GLSL = `
  uniform float stops[${3 * STOPS.length}];
  vec3 stop(int i) { return vec3(stops[3 * i], stops[3 * i + 1], stops[3 * i + 2]); }
  vec3 ramp(float x) {
    float t = clamp(x, 0.0, 1.0) * ${STOPS.length - 1}.0;
    int i = min(${STOPS.length - 2}, int(t));
    return mix(stop(i), stop(i + 1), t - float(i));
  }`

const ROLE_COLOURS = ['#d6cdbd', '#7d8590', '#9a86b8', '#3a7ca5', '#b4a38f']
const MATERIAL_COLOURS = ['#c9a66b', '#6b93c4', '#8fb573', '#c77d6e', '#a78bb8', '#d3b8a0', '#7fb5b0', '#b0b0b0']
export const roleColour = (role) => rgb(ROLE_COLOURS[role] ?? ROLE_COLOURS[0])
export const materialColour = (m) => (m < 0 ? rgb('#b0b0b0') : rgb(MATERIAL_COLOURS[m % MATERIAL_COLOURS.length]))
