// The picture as it is seen, with what explains it, on a canvas of its own: for files.
import { ramp } from './colours.js'
import { quantity, unitFor } from './format.js'

const PAD = 10

// Legend, scale bar and clock are drawn as large as they are on the page.
export function compose(target, stage, colouring, clock, dark) {
  const { canvas } = stage, ratio = canvas.width / canvas.clientWidth, ctx = target.getContext('2d')
  target.width = canvas.width - (canvas.width % 2) // films want even sizes
  target.height = canvas.height - (canvas.height % 2)
  stage.dirty = true
  stage.draw()
  ctx.drawImage(canvas, 0, 0)
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  const w = target.width / ratio, h = target.height / ratio, ink = dark ? '#e4e6e9' : '#23262a'
  Object.assign(ctx, { font: '12px system-ui, sans-serif', textBaseline: 'middle', fillStyle: ink, strokeStyle: ink, lineWidth: 1.5 })
  drawLegend(ctx, colouring, ink, w)
  const { size, wide } = scaleBar(stage)
  ctx.beginPath()
  ctx.moveTo(PAD, h - PAD - 6)
  ctx.lineTo(PAD, h - PAD)
  ctx.lineTo(PAD + wide, h - PAD)
  ctx.lineTo(PAD + wide, h - PAD - 6)
  ctx.stroke()
  ctx.fillText(quantity(size, 'm', 2), PAD + wide + 7, h - PAD - 3)
  ctx.textAlign = 'right'
  ctx.fillText(clock, w - PAD, h - PAD - 3)
  return target
}

// A round length of about 110 pixels.
export function scaleBar(stage) {
  const pixel = stage.pixel(), wanted = 110 * pixel, power = 10 ** Math.floor(Math.log10(wanted)), size = power * [5, 2, 1].find((f) => f * power <= wanted)
  return { size, wide: size / pixel }
}

function drawLegend(ctx, colouring, ink, width) {
  let x = PAD, y = PAD + 8
  const write = (text, gap) => {
    ctx.fillStyle = ink
    ctx.fillText(text, x, y)
    x += ctx.measureText(text).width + gap
  }
  if (colouring.field) {
    const [low, high] = colouring.scale(), [factor, unit] = unitFor(Math.max(Math.abs(low), Math.abs(high)), colouring.field.unit)
    write(colouring.field.name, 12)
    write(String(Number((low / factor).toPrecision(3))), 6)
    for (let i = 0; i < 110; i++) {
      ctx.fillStyle = `rgb(${ramp(i / 109).join(' ')})`
      ctx.fillRect(x + i, y - 5.5, 1.5, 11)
    }
    x += 116
    write(`${Number((high / factor).toPrecision(3))} ${unit}`, 0)
    return
  }
  const named = colouring.categories()
  if (colouring.id === 'role' && named.length < 2) return
  for (const [name, colour] of named) {
    if (x > PAD && x + 17 + ctx.measureText(name).width > width - PAD) (x = PAD), (y += 20)
    ctx.fillStyle = `rgb(${colour.join(' ')})`
    ctx.fillRect(x, y - 5.5, 11, 11)
    x += 17
    write(name, 12)
  }
}
