// A plane that cuts the picture open: across an axis, or across the line of sight.
export const AXES = ['off', 'x', 'y', 'z', 'view']

export class Section {
  constructor(stage) {
    this.stage = stage
    this.reset()
  }
  reset() {
    Object.assign(this, { axis: 'off', share: 0.5, flipped: false, whole: false }) // share of the box's depth; whole: grains are not cut
  }
  // The plane as [normal, distance]: what lies beyond is not drawn.
  plane() {
    const { centre, half, camera, controls } = this.stage
    const normal = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1] }[this.axis] ?? camera.position.clone().sub(controls.target).normalize().toArray()
    const n = this.flipped ? normal.map((x) => -x) : normal, h = half.toArray(), middle = n.reduce((sum, x, c) => sum + x * centre.toArray()[c], 0)
    const reach = n.reduce((sum, x, c) => sum + Math.abs(x) * h[c], 0) * 1.001
    return { normal: n, distance: middle + (this.flipped ? 1 - 2 * this.share : 2 * this.share - 1) * reach }
  }
  // Where the plane is, along its axis, in metres.
  place() {
    const { normal, distance } = this.plane(), along = { x: 0, y: 1, z: 2 }[this.axis]
    return along === undefined ? null : distance * normal[along]
  }
  apply() {
    const on = this.axis !== 'off'
    if (!on) return this.stage.cut(0, [0, 0, 0, 0])
    const { normal, distance } = this.plane()
    this.stage.cut(this.whole ? 2 : 1, [...normal, distance])
  }
}
