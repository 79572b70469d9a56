// Finite-element solids: their surfaces (in the plane their elements) as they are deformed, coloured by what their nodes bear.
import * as THREE from 'three'
import { STOPS_GLSL, stops } from './colours.js'
import { VEIL_GLSL } from './veil.js'

// The streams of the page: meshes, and of every frame × node displacement, stresses and, of a run where a solid yields, how it has. null: the run has none.
export function readSolids(streams) {
  if (!streams.solid) return null
  const table = streams.solid.values, list = [], loops = [], nodes = streams.solid_point.values.length / 3
  let first = 0, loop = 0, at = 0
  for (let i = 0; 3 * i < table.length; i++) {
    const [body, count, faces] = table.subarray(3 * i, 3 * i + 3)
    list.push({ body, first, nodes: count })
    for (const end = loop + faces; loop < end; loop++) {
      const size = streams.solid_loop.values[loop]
      loops.push({ body, nodes: streams.solid_node.values.subarray(at, at + size) })
      at += size
    }
    first += count
  }
  const part = (name) => streams[name] && { values: streams[name].values, step: streams[name].step }
  const elements = { vonMises: part('solid_von_mises'), pressure: part('solid_pressure'), plasticStrain: part('solid_plastic_strain'), cap: part('solid_cap') }
  return { list, loops, nodes, point: streams.solid_point.values, displacement: ['solid_x', 'solid_y', 'solid_z'].map(part), ...elements }
}

// What colours nodes: a value of entry i = frame × nodes + node.
export function solidFields({ solids }) {
  if (!solids) return []
  const of = ({ values, step }) => (i) => values[i] * step, [x, y, z] = solids.displacement.map(of), none = () => NaN
  const yielded = () => [
    { id: 'plastic_strain', name: 'plastic strain', unit: '', value: none, node: of(solids.plasticStrain) },
    { id: 'cap', name: 'cap', unit: 'Pa', value: none, node: of(solids.cap) },
  ]
  return [
    { id: 'von_mises', name: 'von Mises stress', unit: 'Pa', value: none, node: of(solids.vonMises) },
    { id: 'pressure', name: 'pressure', unit: 'Pa', signed: true, value: none, node: of(solids.pressure) },
    { id: 'deformation', name: 'displacement of solids', unit: 'm', value: none, node: (i) => Math.hypot(x(i), y(i), z(i)) },
    ...(solids.cap ? yielded() : []),
  ]
}

const VERTEX = (place) => `${place}
  uniform int picking;
  in float value;
  out vec3 vPosition;
  out float vValue;
  flat out vec4 vColour;
  flat out int vVeil;
  void main() {
    int id = int(body) + 1;
    vVeil = veil();
    vColour = picking == 1 ? vec4(float(id & 255), float((id >> 8) & 255), float(id >> 16), 255.0) / 255.0 : painted();
    vPosition = position;
    vValue = value;
    gl_Position = hidden() ? NOWHERE : projectionMatrix * viewMatrix * vec4(position, 1.0);
  }`
// As bodies are lit (stage.js), but less where colours are a scale. What is cut open shows its back, flat and darker.
const FRAGMENT = `${VEIL_GLSL}
  ${STOPS_GLSL}
  uniform int picking;
  uniform int planar;
  uniform int valued;
  uniform int back; // 1: only backs are drawn, of which WebGL is told that they are fronts
  uniform vec2 scale;
  in vec3 vPosition;
  in float vValue;
  flat in vec4 vColour;
  flat in int vVeil;
  out vec4 colour;
  void main() {
    bool faded = (vVeil & 3) == 1;
    if (faded != (translucent == 1)) discard;
    colour = vec4(vColour.rgb, 1.0);
    if (planar == 0 && cutAway(vVeil, vPosition)) discard;
    if (picking == 1) return;
    bool front = (gl_FrontFacing && back == 0) || planar == 1;
    if (valued == 1 && front) colour.rgb = ramp((vValue - scale.x) / (scale.y - scale.x));
    vec3 n = normalize(cross(dFdx(vPosition), dFdy(vPosition))), eye = normalize(cameraPosition - vPosition);
    if (dot(n, eye) < 0.0) n = -n;
    if (faded) colour.a = planar == 1 ? 0.25 : opacity(vVeil, vPosition, n, eye);
    if (planar == 1) return;
    if (!front) {
      colour.rgb *= 0.66;
      return;
    }
    float sky = 0.5 + 0.5 * n.z, sun = max(0.0, dot(n, normalize(vec3(-0.4, -0.55, 0.75)))), light = 0.38 + 0.22 * sky + 0.42 * sun + 0.10 * max(0.0, dot(n, eye));
    colour.rgb *= valued == 1 ? mix(1.0, light, 0.4) : light;
  }`
const LINE_VERTEX = (place) => `${place}
  out vec3 vPosition;
  flat out int vVeil;
  void main() {
    vVeil = veil();
    vPosition = position;
    gl_Position = hidden() ? NOWHERE : projectionMatrix * viewMatrix * vec4(position, 1.0);
  }`
const LINE_FRAGMENT = `${VEIL_GLSL}
  uniform int planar;
  uniform float ink;
  in vec3 vPosition;
  flat in int vVeil;
  out vec4 colour;
  void main() {
    if (planar == 0 && cutAway(vVeil, vPosition)) discard;
    colour = vec4(vec3(0.13), (vVeil & 3) == 1 ? 0.3 * ink : ink);
  }`

export class Solids {
  // `place`: GLSL that finds the colour of a body; `uniforms` are those of the bodies, whose values are shared.
  constructor(scene, run, place, uniforms) {
    Object.assign(this, { run, deform: 1, frame: 0, share: 0, field: null })
    const { solids, planar } = run, body = [], index = [], edges = [], wide = Uint32Array
    this.middles = [] // of loops of more than three corners, behind the nodes
    for (const { body: of, first, nodes } of solids.list) for (let k = 0; k < nodes; k++) body[first + k] = of
    for (const loop of solids.loops) {
      const { nodes } = loop, n = nodes.length
      if (n === 3) index.push(...nodes)
      else {
        const middle = solids.nodes + this.middles.push(nodes) - 1
        body[middle] = loop.body
        for (let k = 0; k < n; k++) index.push(middle, nodes[k], nodes[(k + 1) % n])
      }
      for (let k = 0; k < n; k++) if (planar || nodes[k] < nodes[(k + 1) % n]) edges.push(nodes[k], nodes[(k + 1) % n]) // a surface has every edge twice
    }
    this.position = new THREE.BufferAttribute(new Float32Array(3 * body.length), 3)
    this.value = new THREE.BufferAttribute(new Float32Array(body.length), 1)
    const owner = new THREE.Float32BufferAttribute(body, 1), geometry = (list) => {
      const g = new THREE.BufferGeometry()
      g.setAttribute('position', this.position)
      g.setAttribute('value', this.value)
      g.setAttribute('body', owner)
      g.setIndex(new THREE.BufferAttribute(new wide(list), 1))
      return g
    }
    this.valued = { value: 0 }
    this.scale = { value: new THREE.Vector2(0, 1) }
    this.ink = { value: planar ? 0.22 : 0.28 }
    const own = { ...uniforms, valued: this.valued, scale: this.scale, stops: { value: stops }, ink: this.ink }
    const look = (vertexShader, fragmentShader, more, { translucent = 0, back = 0 } = {}) =>
      new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: { ...own, translucent: { value: translucent }, back: { value: back } }, glslVersion: THREE.GLSL3, depthTest: !planar, ...more })
    const side = planar ? THREE.DoubleSide : THREE.FrontSide, shape = geometry(index), offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }
    const add = (object, order) => {
      object.frustumCulled = false
      object.renderOrder = order
      scene.add(object)
      return object
    }
    this.mesh = add(new THREE.Mesh(shape, look(VERTEX(place), FRAGMENT, { side, depthWrite: !planar, ...offset })), 0.5)
    this.glass = add(new THREE.Mesh(shape, look(VERTEX(place), FRAGMENT, { side, transparent: true, depthWrite: false, ...offset }, { translucent: 1 })), 2)
    // What is cut open is filled: its back covers the lines that lie on it.
    this.back = add(new THREE.Mesh(shape, look(VERTEX(place), FRAGMENT, { side: THREE.BackSide, transparent: true }, { back: 1 })), 2.5)
    this.back.visible = false
    this.lines = add(new THREE.LineSegments(geometry(edges), look(LINE_VERTEX(place), LINE_FRAGMENT, { transparent: true, depthWrite: false })), planar ? 0.6 : 2)
    this.glass.visible = false
  }

  // Places between two frames, and values there.
  pose(frame, share) {
    Object.assign(this, { frame, share })
    const { run, deform } = this, { solids } = run, n = solids.nodes, out = this.position.array, next = share > 0 ? Math.min(run.frames - 1, frame + 1) : frame
    for (let c = 0; c < 3; c++) {
      const { values, step } = solids.displacement[c]
      for (let k = 0; k < n; k++) {
        const a = values[frame * n + k]
        out[3 * k + c] = solids.point[3 * k + c] + deform * step * (a + share * (values[next * n + k] - a))
      }
    }
    this.middles.forEach((nodes, m) => {
      for (let c = 0; c < 3; c++) out[3 * (n + m) + c] = nodes.reduce((sum, k) => sum + out[3 * k + c], 0) / nodes.length
    })
    this.position.needsUpdate = true
    this.paint()
  }
  paint() {
    const { run, field, frame, share } = this, n = run.solids.nodes, out = this.value.array, next = share > 0 ? Math.min(run.frames - 1, frame + 1) : frame
    if (!field) return
    for (let k = 0; k < n; k++) {
      const a = field.node(frame * n + k)
      out[k] = a + share * (field.node(next * n + k) - a)
    }
    this.middles.forEach((nodes, m) => (out[n + m] = nodes.reduce((sum, k) => sum + out[k], 0) / nodes.length))
    this.value.needsUpdate = true
  }

  // By a field of nodes and its scale; null: as the bodies that they are.
  colour(field, scale) {
    this.field = field
    this.valued.value = field ? 1 : 0
    if (field) this.scale.value.set(...scale)
    this.paint()
  }
  veiled(veil) {
    this.glass.visible = this.run.solids.list.some(({ body }) => veil.isGlass(body))
  }
  cut(on) {
    if (this.run.planar) return
    this.mesh.material.side = on ? THREE.DoubleSide : THREE.FrontSide
    this.back.visible = on
  }
  // Calls include with every node as it is.
  eachNode(include) {
    const x = this.position.array
    for (let k = 0; k < this.run.solids.nodes; k++) include(x.subarray(3 * k, 3 * k + 3), 0)
  }
}
