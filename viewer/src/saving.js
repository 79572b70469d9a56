// The dialog that saves a picture or a film of what is seen.
import { film } from './film.js'
import { compose } from './picture.js'
import { download, pngOf } from './save.js'

export class Saving {
  // page: { run, stage, colouring, clock(), isDark(), seek(t), quiet(), rate(), time() }
  constructor(dialog, page) {
    this.page = page
    this.canvas = document.createElement('canvas')
    this.dialog = dialog
    this.find = (name) => dialog.querySelector(`[name=${name}]`)
    this.find('picture').addEventListener('click', async () => {
      download(await this.picture(), `${page.run.title}-${page.clock()}.png`)
      dialog.close()
    })
    this.find('film').addEventListener('click', () => this.save())
    this.find('cancel').addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => (this.stopped = true))
    dialog.addEventListener('input', () => this.describe())
  }
  open() {
    const { time } = this.page.run
    for (const [name, t] of [['from', time[0]], ['to', time[time.length - 1]]]) this.find(name).value ||= String(Number(t.toPrecision(6)))
    this.find('rate').value = String(this.page.rate())
    this.describe()
    this.dialog.showModal()
  }
  settings() {
    const [from, to, rate, fps] = ['from', 'to', 'rate', 'fps'].map((name) => Number(this.find(name).value.replace(',', '.')))
    return { from, to, rate, fps, count: Math.floor(((to - from) / rate) * fps + 1e-6) + 1 }
  }
  describe(text) {
    const { from, to, rate, fps, count } = this.settings(), right = to > from && rate > 0 && fps >= 1 && fps <= 120 && count < 100000
    this.find('film').disabled = !right
    this.find('said').textContent = text ?? (right ? `${count} pictures, a film of ${Number((count / fps).toPrecision(3))} s` : 'from, to, speed and pictures a second do not fit')
  }
  draw() {
    const { stage, colouring, clock, isDark } = this.page
    return compose(this.canvas, stage, colouring, clock(), isDark())
  }
  picture() {
    this.page.quiet()
    return pngOf(this.draw())
  }
  // A Blob; null when it was stopped.
  async film({ from, rate, fps, count }, progress) {
    const { seek, quiet, time } = this.page, before = time()
    quiet()
    try {
      return await film({ count, rate: fps, progress, draw: (k) => (seek(from + (k * rate) / fps), this.draw()) })
    } finally {
      seek(before)
    }
  }
  async save() {
    const button = this.find('film'), bar = this.find('progress')
    this.stopped = false
    button.disabled = true
    bar.hidden = false
    try {
      const blob = await this.film(this.settings(), (share) => ((bar.value = share), !this.stopped))
      if (blob) download(blob, `${this.page.run.title}.webm`)
      this.dialog.close()
    } catch (error) {
      this.describe(error.message)
    }
    bar.hidden = true
    button.disabled = false
  }
}
