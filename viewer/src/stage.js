// The picture: one mesh for all bodies, placed by a texture of poses; strokes for forces, bars and paths; cameras; picking.
import * as THREE from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { boundingRadius, buildMesh, groundOf } from './shapes.js'
import { HALF_PLANE, HALF_SPACE } from './run.js'
import { Solids } from './solids.js'
import { Veil, VEIL_GLSL, veilUniforms } from './veil.js'

const FAR = 1e30 // beyond every plane of the view: where bodies are that are not there
const WIDTH = 1024 // texels of a row of the textures; two a body for poses

const PLACE = `
  uniform highp sampler2D poses;
  uniform lowp sampler2D colours;
  in float body;
  vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
  ivec2 texel(int i) { return ivec2(i % ${WIDTH}, i / ${WIDTH}); }
  vec4 turned() { return texelFetch(poses, texel(2 * int(body) + 1), 0); }
  vec3 placed(vec3 x) { return texelFetch(poses, texel(2 * int(body)), 0).xyz + turn(turned(), x); }
  vec4 painted() { return texelFetch(colours, texel(int(body)), 0); }
  int veil() { return int(painted().a * 255.0 + 0.5); } // bits of veil.js
  bool hidden() { return (veil() & 3) == 0; }
  const vec4 NOWHERE = vec4(0.0, 0.0, 2.0, 1.0);
`
const BODY_VERTEX = `${PLACE}
  uniform int picking;
  in vec4 ink;
  out vec3 vNormal;
  out vec3 vPosition;
  flat out vec4 vColour;
  flat out int vVeil;
  void main() {
    int id = int(body) + 1;
    vVeil = veil();
    vColour = picking == 1 ? vec4(float(id & 255), float((id >> 8) & 255), float(id >> 16), 255.0) / 255.0 : mix(painted(), ink, ink.a);
    vNormal = turn(turned(), normal);
    vPosition = placed(position);
    gl_Position = hidden() ? NOWHERE : projectionMatrix * viewMatrix * vec4(vPosition, 1.0);
  }`
// What the section plane cuts open shows its back side: flat, darker, as if it were filled.
const BODY_FRAGMENT = `${VEIL_GLSL}
  uniform int picking;
  uniform int planar;
  in vec3 vNormal;
  in vec3 vPosition;
  flat in vec4 vColour;
  flat in int vVeil;
  out vec4 colour;
  void main() {
    colour = vec4(vColour.rgb, 1.0);
    if (planar == 1) {
      bool faded = (vVeil & 3) == 1;
      if (faded != (translucent == 1)) discard;
      if (faded && picking == 0) colour.a = 0.25;
      return;
    }
    if (cutAway(vVeil, vPosition)) discard;
    vec3 n = dot(vNormal, vNormal) > 0.25 ? normalize(vNormal) : normalize(cross(dFdx(vPosition), dFdy(vPosition))), eye = normalize(cameraPosition - vPosition);
    if (dot(n, eye) < 0.0) n = -n;
    float seen = opacity(vVeil, vPosition, n, eye);
    if ((seen < 0.99) != (translucent == 1)) discard;
    if (picking == 1) return;
    colour.a = translucent == 1 ? seen : 1.0;
    if (!gl_FrontFacing) {
      colour.rgb *= 0.66;
      return;
    }
    float sky = 0.5 + 0.5 * n.z, sun = max(0.0, dot(n, normalize(vec3(-0.4, -0.55, 0.75)))), front = max(0.0, dot(n, eye));
    colour.rgb *= 0.38 + 0.22 * sky + 0.42 * sun + 0.10 * front;
  }`
const GROUND_VERTEX = `${PLACE}
  uniform vec3 middle;
  uniform vec3 u;
  uniform vec3 v;
  out vec2 at;
  void main() {
    at = position.xy * length(u);
    gl_Position = hidden() ? NOWHERE : projectionMatrix * viewMatrix * vec4(placed(middle + position.x * u + position.y * v), 1.0);
  }`
const GROUND_FRAGMENT = `
  in vec2 at;
  uniform float cell;
  uniform float far;
  uniform vec3 paper;
  uniform vec3 ink;
  out vec4 colour;
  float lines(vec2 x) {
    vec2 w = fwidth(x), d = abs(fract(x - 0.5) - 0.5) / max(w, vec2(1e-6));
    return (1.0 - min(1.0, min(d.x, d.y))) * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y)));
  }
  void main() {
    float shown = 1.0 - smoothstep(0.35 * far, far, length(at)), line = max(0.10 * lines(at / cell), 0.2 * lines(at / (5.0 * cell)));
    colour = vec4(mix(paper, ink, (0.07 + line) * shown), 1.0);
  }`
const LINE_VERTEX = `${PLACE}
  uniform vec4 ink;
  flat out vec4 vColour;
  void main() {
    vColour = vec4(mix(painted().rgb, ink.rgb, ink.a), (veil() & 3) == 1 ? 0.25 : 1.0);
    gl_Position = hidden() ? NOWHERE : projectionMatrix * viewMatrix * vec4(placed(position), 1.0);
  }`
const LINE_FRAGMENT = `flat in vec4 vColour; out vec4 colour; void main() { colour = vColour; }`
// A stroke is a quad that faces the eye, from a to b with round ends; width in metres, at least a pixel or so.
const STROKE_VERTEX = `
  in vec3 a;
  in vec3 b;
  in float width;
  in vec4 paint;
  uniform vec2 size;
  uniform int cutting;
  uniform vec4 cut;
  out vec4 vPaint;
  out vec3 vAt; // along, across, length; in half widths
  void main() {
    vec4 p = viewMatrix * vec4(a, 1.0), q = viewMatrix * vec4(b, 1.0);
    vec3 along = q.xyz - p.xyz, eye = projectionMatrix[3][3] == 1.0 ? vec3(0.0, 0.0, 1.0) : normalize(-(p.xyz + q.xyz));
    float length_ = length(along);
    vec3 t = length_ > 0.0 ? along / length_ : vec3(1.0, 0.0, 0.0), side = cross(eye, t);
    side = length(side) > 1e-6 ? normalize(side) : vec3(0.0, 1.0, 0.0);
    float depth = projectionMatrix[3][3] == 1.0 ? 1.0 : max(1e-6, -0.5 * (p.z + q.z));
    float pixel = 2.0 * depth / (projectionMatrix[1][1] * size.y), half_ = 0.5 * max(width, 1.2 * pixel);
    float s = position.x < 0.0 ? -half_ : length_ + half_;
    vAt = vec3(s, position.y * half_, length_) / half_;
    vPaint = paint;
    gl_Position = projectionMatrix * vec4(p.xyz + t * s + side * position.y * half_, 1.0);
    if (cutting > 0 && dot(cut.xyz, 0.5 * (a + b)) > cut.w) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  }`
const STROKE_FRAGMENT = `
  in vec4 vPaint;
  in vec3 vAt;
  out vec4 colour;
  void main() {
    float beyond = max(max(-vAt.x, vAt.x - vAt.z), 0.0), d = length(vec2(beyond, vAt.y)), edge = max(fwidth(d), 1e-4);
    colour = vec4(vPaint.rgb, vPaint.a * (1.0 - smoothstep(1.0 - edge, 1.0, d)));
    if (colour.a < 0.01) discard;
  }`

// Without a graphics card every pixel counts.
function drawnBySoftware() {
  const gl = document.createElement('canvas').getContext('webgl2'), about = gl?.getExtension('WEBGL_debug_renderer_info')
  const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : ''
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return /swiftshader|llvmpipe|software/i.test(name)
}

function texture(texels, type) {
  const rows = Math.max(1, Math.ceil(texels / WIDTH))
  const data = type === THREE.FloatType ? new Float32Array(4 * WIDTH * rows) : new Uint8Array(4 * WIDTH * rows)
  const t = new THREE.DataTexture(data, WIDTH, rows, THREE.RGBAFormat, type)
  t.needsUpdate = true
  return t
}

const material = (vertexShader, fragmentShader, uniforms, more) =>
  new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms, glslVersion: THREE.GLSL3, ...more })

// Strokes of one kind: as many as wanted, rewritten when they change.
class Strokes {
  constructor(scene, uniforms, { order, depthTest }) {
    const geometry = new THREE.InstancedBufferGeometry()
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3))
    geometry.setIndex([0, 1, 2, 0, 2, 3])
    this.geometry = geometry
    this.capacity = 0
    const look = material(STROKE_VERTEX, STROKE_FRAGMENT, uniforms, { transparent: true, depthTest, depthWrite: false })
    this.mesh = new THREE.Mesh(geometry, look)
    this.mesh.frustumCulled = false
    this.mesh.renderOrder = order
    scene.add(this.mesh)
    this.begin(16)
  }
  begin(capacity) {
    if (capacity > this.capacity) {
      this.capacity = Math.ceil(1.5 * capacity)
      for (const [name, size] of [['a', 3], ['b', 3], ['width', 1], ['paint', 4]]) {
        this.geometry.deleteAttribute(name)
        this.geometry.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(this.capacity * size), size))
      }
      this.geometry._maxInstanceCount = undefined // three remembers the old capacity
    }
    this.count = 0
  }
  add(a, b, width, r, g, b_, alpha) {
    const i = this.count++, { a: start, b: end, width: wide, paint } = this.geometry.attributes
    start.array.set(a, 3 * i)
    end.array.set(b, 3 * i)
    wide.array[i] = width
    paint.array[4 * i] = r
    paint.array[4 * i + 1] = g
    paint.array[4 * i + 2] = b_
    paint.array[4 * i + 3] = alpha
  }
  end() {
    this.geometry.instanceCount = this.count
    for (const name of ['a', 'b', 'width', 'paint']) this.geometry.attributes[name].needsUpdate = true
  }
}

export class Stage {
  constructor(canvas, run) {
    this.run = run
    this.canvas = canvas
    this.software = drawnBySoftware()
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software, alpha: false, powerPreference: 'high-performance' })
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace // colours are written as they are shown
    this.scene = new THREE.Scene()
    this.size = { value: new THREE.Vector2(1, 1) }
    this.poses = texture(2 * run.bodies, THREE.FloatType)
    this.paint = texture(run.bodies, THREE.UnsignedByteType)
    this.radius = boundingRadius(run)
    this.makeBodies()
    this.solids = run.solids ? new Solids(this.scene, run, PLACE, this.bodies.material.uniforms) : null
    const { cutting, cut } = this.glass.material.uniforms, cuttable = { size: this.size, cutting, cut }, whole = { ...cuttable, cutting: { value: 0 } }
    this.forces = new Strokes(this.scene, cuttable, { order: 3, depthTest: false })
    this.bars = new Strokes(this.scene, cuttable, { order: 4, depthTest: !run.planar })
    this.path = new Strokes(this.scene, whole, { order: 5, depthTest: false })
    this.veil = new Veil(run, this)
    this.measure()
    this.makeCamera()
    this.pickTarget = new THREE.WebGLRenderTarget(1, 1)
  }

  makeBodies() {
    const mesh = buildMesh(this.run), planar = this.run.planar
    const uniforms = { poses: { value: this.poses }, colours: { value: this.paint }, picking: { value: 0 }, planar: { value: planar ? 1 : 0 }, translucent: { value: 0 }, ...veilUniforms() }
    const geometry = new THREE.BufferGeometry()
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(mesh.position, 3))
    geometry.setAttribute('normal', new THREE.BufferAttribute(Int8Array.from(mesh.normal, (x) => Math.round(127 * x)), 3, true))
    geometry.setAttribute('body', new THREE.Float32BufferAttribute(mesh.body, 1))
    geometry.setAttribute('ink', new THREE.BufferAttribute(Uint8Array.from(mesh.ink), 4, true))
    const wide = mesh.body.length > 65535 ? THREE.Uint32BufferAttribute : THREE.Uint16BufferAttribute
    this.indices = { fine: new wide(mesh.index, 1), draft: mesh.draft ? new wide(mesh.draft, 1) : null }
    geometry.setIndex(this.indices.fine)
    this.bodies = new THREE.Mesh(geometry, material(BODY_VERTEX, BODY_FRAGMENT, uniforms, { side: planar ? THREE.DoubleSide : THREE.FrontSide, depthTest: !planar, depthWrite: !planar }))
    this.bodies.frustumCulled = false
    this.bodies.renderOrder = 1
    this.scene.add(this.bodies)
    this.makeGlass(geometry, uniforms)
    const lines = new THREE.BufferGeometry()
    lines.setAttribute('position', new THREE.Float32BufferAttribute(mesh.line, 3))
    lines.setAttribute('body', new THREE.Float32BufferAttribute(mesh.lineBody, 1))
    this.ink = { value: new THREE.Vector4(0, 0, 0, 0.4) }
    if (!planar) this.makeGrounds(uniforms)
    const look = material(LINE_VERTEX, LINE_FRAGMENT, { poses: uniforms.poses, colours: uniforms.colours, ink: this.ink }, { depthTest: false, transparent: true })
    this.lines = new THREE.LineSegments(lines, look)
    this.lines.frustumCulled = false
    this.lines.renderOrder = 2
    this.scene.add(this.lines)
  }

  // The same bodies once more, those parts that are translucent; only the triangles of such bodies (see veiled).
  makeGlass(opaque, uniforms) {
    const geometry = new THREE.BufferGeometry()
    for (const name of ['position', 'normal', 'body', 'ink']) geometry.setAttribute(name, opaque.getAttribute(name))
    this.glass = new THREE.Mesh(geometry, material(BODY_VERTEX, BODY_FRAGMENT, { ...uniforms, translucent: { value: 1 } }, { side: this.run.planar ? THREE.DoubleSide : THREE.FrontSide, transparent: true, depthTest: !this.run.planar, depthWrite: false }))
    this.glass.frustumCulled = false
    this.glass.renderOrder = 2
    this.glass.visible = false
    this.scene.add(this.glass)
  }

  // After a change of what is shown: the colours carry it (see colour), and the translucent pass has other triangles.
  veiled() {
    const { indices, bodies, glass, veil } = this, all = indices.fine.array, body = bodies.geometry.getAttribute('body').array, out = []
    const isGlass = Uint8Array.from({ length: this.run.bodies }, (_, b) => veil.isGlass(b))
    for (let i = 0; i < all.length; i += 3) if (isGlass[body[all[i]]]) out.push(all[i], all[i + 1], all[i + 2])
    glass.geometry.setIndex(new indices.fine.constructor(out, 1))
    glass.visible = out.length > 0
    for (let b = 0; b < this.run.bodies; b++) this.paint.image.data[4 * b + 3] = veil.bits(b)
    this.solids?.veiled(veil)
    this.paint.needsUpdate = true
    this.findHeap()
    this.dirty = true
  }
  findHeap() {
    if (!this.veil.fading) return
    const { heap, reach } = this.glass.material.uniforms, box = this.veil.heap(this) ?? { middle: [0, 0, 0], half: [-1, -1, -1] }
    heap.value.set(...box.middle)
    reach.value.set(...box.half)
  }

  // How much is cut (veil.js), by which plane.
  cut(what, plane) {
    const { cutting, cut } = this.glass.material.uniforms
    cutting.value = what
    cut.value.set(...plane)
    if (!this.run.planar) this.bodies.material.side = what ? THREE.DoubleSide : THREE.FrontSide
    this.solids?.cut(what > 0)
    this.dirty = true
  }

  // Half-spaces: squares with a grid that fade into the paper; from behind they are not there, so that one looks into a box.
  makeGrounds({ poses, colours }) {
    this.paper = { value: new THREE.Vector3() }
    this.groundInk = { value: new THREE.Vector3() }
    const far = 2.5 * this.run.extent, power = 10 ** Math.floor(Math.log10(0.1 * this.run.extent))
    for (const shape of this.run.shapes.filter((s) => s.kind === HALF_SPACE || s.kind === HALF_PLANE)) {
      const { middle, u, v } = groundOf(shape, far), geometry = new THREE.BufferGeometry()
      geometry.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3))
      geometry.setAttribute('body', new THREE.Float32BufferAttribute(Array(4).fill(shape.body), 1))
      geometry.setIndex([0, 1, 2, 0, 2, 3])
      const vectors = Object.fromEntries(Object.entries({ middle, u, v }).map(([name, x]) => [name, { value: new THREE.Vector3(...x) }]))
      const uniforms = { poses, colours, ...vectors, cell: { value: power }, far: { value: far }, paper: this.paper, ink: this.groundInk }
      const ground = new THREE.Mesh(geometry, material(GROUND_VERTEX, GROUND_FRAGMENT, uniforms, { side: THREE.FrontSide }))
      ground.frustumCulled = false
      this.scene.add(ground)
      this.grounds = [...(this.grounds ?? []), ground]
    }
  }

  // The box of all that has an end, in a frame.
  measure(frame = 0) {
    const { run } = this, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity]
    const include = (point, reach) => {
      for (let c = 0; c < 3; c++) {
        low[c] = Math.min(low[c], point[c] - reach)
        high[c] = Math.max(high[c], point[c] + reach)
      }
    }
    this.pose(frame, 0)
    const gone = (b) => run.gone && run.gone[frame * run.bodies + b]
    for (const s of run.shapes) if (s.kind !== HALF_PLANE && s.kind !== HALF_SPACE && !gone(s.body)) for (const p of s.points) include(this.toWorld(s.body, p), s.radius)
    for (const { ends, radius } of run.parts) for (const { body, point } of ends) include(this.toWorld(body, point), radius)
    this.solids?.eachNode(include)
    if (!(low[0] <= high[0])) for (const s of run.shapes) include(this.toWorld(s.body, s.points[0]), run.extent / 2)
    const centre = new THREE.Vector3(), half = new THREE.Vector3()
    for (let c = 0; c < 3; c++) {
      centre.setComponent(c, (low[c] + high[c]) / 2)
      half.setComponent(c, Math.max((high[c] - low[c]) / 2, 1e-6 * run.extent))
    }
    this.centre = centre
    this.half = half
    this.span = 2 * Math.max(half.x, half.y, half.z)
    const grains = [...this.radius].filter((r, b) => r > 0 && run.role[b] === 0).sort((a, b) => a - b)
    this.grain = grains.length ? grains[grains.length >> 1] : 0.05 * run.extent
  }

  makeCamera() {
    this.camera = this.run.planar ? new THREE.OrthographicCamera(-1, 1, 1, -1, -10, 1e4) : new THREE.PerspectiveCamera(35, 1, 0.01, 1e3)
    if (!this.run.planar) this.camera.up.set(0, 0, 1)
    const controls = new OrbitControls(this.camera, this.canvas)
    controls.enableDamping = false
    controls.zoomToCursor = true
    if (this.run.planar) {
      controls.enableRotate = false
      controls.mouseButtons.LEFT = THREE.MOUSE.PAN
      controls.touches.ONE = THREE.TOUCH.PAN
    }
    controls.addEventListener('change', () => (this.dirty = true))
    this.controls = controls
    this.dirty = true
  }

  // The whole view; in space from a side: front, top, right or the usual corner.
  look(from = 'corner', frame = 0) {
    this.measure(frame)
    const { half, centre, camera, controls } = this
    controls.target.copy(centre)
    if (this.run.planar) {
      camera.position.set(centre.x, centre.y, 100)
      camera.zoom = 1
    } else {
      const radius = half.length(), distance = (1.05 * radius) / Math.sin((Math.PI / 180) * 17.5) / Math.min(1, camera.aspect)
      const way = { corner: [0.75, -1.25, 0.65], front: [0, -1, 0.02], top: [0, -0.001, 1], right: [1, 0, 0.02] }[from]
      camera.position.copy(centre).addScaledVector(new THREE.Vector3(...way).normalize(), distance)
      camera.near = distance / 200
      camera.far = distance * 50
    }
    this.fitPlane()
    controls.update()
    camera.updateMatrixWorld()
    this.dirty = true
  }

  fitPlane() {
    const { camera, half } = this
    const aspect = this.size.value.x / this.size.value.y
    if (this.run.planar) {
      const tall = 1.06 * Math.max(half.y, half.x / aspect)
      camera.left = -tall * aspect
      camera.right = tall * aspect
      camera.top = tall
      camera.bottom = -tall
    } else camera.aspect = aspect
    camera.updateProjectionMatrix()
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas, ratio = this.software ? 1 : Math.min(2, window.devicePixelRatio || 1)
    if (!w || !h) return
    if (this.size.value.x === w * ratio && this.size.value.y === h * ratio) return
    this.renderer.setPixelRatio(ratio)
    this.renderer.setSize(w, h, false)
    this.size.value.set(w * ratio, h * ratio)
    this.fitPlane()
    this.dirty = true
  }

  zoom(factor) {
    if (this.run.planar) this.camera.zoom *= factor
    else this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target)
    this.camera.updateProjectionMatrix()
    this.controls.update()
    this.dirty = true
  }

  // Poses between two frames.
  pose(frame, share) {
    const { run } = this, { bodies } = run, out = this.poses.image.data
    const next = share > 0 ? Math.min(run.frames - 1, frame + 1) : frame
    const [x, y, z] = run.position, q = run.orientation
    for (let b = 0; b < bodies; b++) {
      const i = frame * bodies + b, j = next * bodies + b, o = 8 * b
      out[o] = x[i] + share * (x[j] - x[i])
      out[o + 1] = y[i] + share * (y[j] - y[i])
      out[o + 2] = z[i] + share * (z[j] - z[i])
      let d = 0
      for (let c = 0; c < 4; c++) d += q[4 * i + c] * q[4 * j + c]
      const sign = d < 0 ? -1 : 1
      let length = 0
      for (let c = 0; c < 4; c++) length += (out[o + 4 + c] = q[4 * i + c] + share * (sign * q[4 * j + c] - q[4 * i + c])) ** 2
      length = Math.sqrt(length)
      for (let c = 0; c < 4; c++) out[o + 4 + c] /= length
      if (run.gone && (run.gone[i] || run.gone[j])) out[o] = out[o + 1] = out[o + 2] = FAR
    }
    this.poses.needsUpdate = true
    this.solids?.pose(frame, share)
    if (this.veil) this.findHeap()
    this.dirty = true
  }

  // A point in the axes of a body (−1: the ground), as posed now.
  toWorld(b, p) {
    if (b < 0) return p
    const [x, y, z, , qx, qy, qz, qw] = this.poses.image.data.subarray(8 * b, 8 * b + 8)
    const tx = 2 * (qy * p[2] - qz * p[1]), ty = 2 * (qz * p[0] - qx * p[2]), tz = 2 * (qx * p[1] - qy * p[0])
    return [x + p[0] + qw * tx + qy * tz - qz * ty, y + p[1] + qw * ty + qz * tx - qx * tz, z + p[2] + qw * tz + qx * ty - qy * tx]
  }
  centreOf(b) {
    return this.poses.image.data.subarray(8 * b, 8 * b + 3)
  }

  colour(of) {
    const out = this.paint.image.data
    for (let b = 0; b < this.run.bodies; b++) {
      const [r, g, blue] = of(b)
      out[4 * b] = r
      out[4 * b + 1] = g
      out[4 * b + 2] = blue
      out[4 * b + 3] = this.veil.bits(b)
    }
    this.paint.needsUpdate = true
    this.dirty = true
  }

  // Fewer triangles, for machines that are slow while things move.
  detail(draft) {
    const index = draft && this.indices.draft ? this.indices.draft : this.indices.fine
    if (this.bodies.geometry.index === index) return
    this.bodies.geometry.setIndex(index)
    this.dirty = true
  }

  theme({ background, ink }) {
    this.background = background
    this.scene.background = new THREE.Color().setRGB(...background.map((c) => c / 255), THREE.LinearSRGBColorSpace)
    this.ink.value.set(...ink.map((c) => c / 255), 0.45)
    this.paper?.value.set(...background.map((c) => c / 255))
    this.groundInk?.value.set(...(background[0] > 128 ? [0.25, 0.27, 0.3] : [0.75, 0.78, 0.82]))
    this.dirty = true
  }

  // The body under a point of the canvas, in CSS pixels; −1: none. One picks through what is translucent, unless there is nothing behind it.
  pick(x, y) {
    const glass = [this.glass, ...(this.solids ? [this.solids.glass] : [])].filter((mesh) => mesh.visible), shown = glass.length > 0
    for (const mesh of glass) mesh.visible = false
    const behind = this.pickShown(x, y)
    for (const mesh of glass) mesh.visible = true
    return behind >= 0 || !shown ? behind : this.pickShown(x, y)
  }
  pickShown(x, y) {
    const { renderer, camera, canvas } = this, uniform = this.bodies.material.uniforms.picking, pixel = new Uint8Array(4)
    const hidden = [this.lines, this.forces.mesh, this.bars.mesh, this.path.mesh, ...(this.grounds ?? []), ...(this.solids ? [this.solids.lines] : [])], background = this.scene.background
    const shown = hidden.map((m) => m.visible)
    hidden.forEach((m) => (m.visible = false))
    uniform.value = 1
    this.scene.background = null
    camera.setViewOffset(canvas.clientWidth, canvas.clientHeight, x, y, 1, 1)
    renderer.setRenderTarget(this.pickTarget)
    renderer.setClearColor(0, 0)
    renderer.clear()
    renderer.render(this.scene, camera)
    renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixel)
    renderer.setRenderTarget(null)
    camera.clearViewOffset()
    uniform.value = 0
    this.scene.background = background
    hidden.forEach((m, i) => (m.visible = shown[i]))
    this.dirty = true
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1
  }

  // Where a point of the world is on the canvas, in CSS pixels.
  project(point) {
    const p = new THREE.Vector3(...point).project(this.camera)
    return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight]
  }

  // Metres of one CSS pixel at the centre of the view.
  pixel() {
    const { camera, canvas } = this
    if (this.run.planar) return (camera.top - camera.bottom) / camera.zoom / canvas.clientHeight
    return (2 * camera.position.distanceTo(this.controls.target) * Math.tan((Math.PI / 360) * camera.fov)) / canvas.clientHeight
  }

  draw() {
    this.resize()
    if (!this.dirty) return false
    this.dirty = false
    this.renderer.render(this.scene, this.camera)
    return true
  }
}
