// The panels beside the picture: the picked body, the run, the scene.
import { bodyName, forceOn, ROLES, speed } from './run.js'
import { escapeText, quantity } from './format.js'
import { Plots } from './plots.js'
import { FADED, HIDDEN, SHOWN } from './veil.js'

// What was made here as HTML. Everything else comes from files of anyone, numbers too, and is text.
class Html {
  constructor(text) {
    this.text = text
  }
}
const rows = (pairs) => `<table>${pairs.filter(([, v]) => v !== null && v !== undefined).map(([k, v]) => `<tr><th>${escapeText(k)}</th><td>${v instanceof Html ? v.text : escapeText(v)}</td></tr>`).join('')}</table>`

// The contacts of a body in a frame, strongest first.
export function contactsOf(run, body, frame) {
  const { contacts } = run, out = []
  for (let i = frame > 0 ? contacts.end[frame - 1] : 0; i < contacts.end[frame]; i++) {
    if (contacts.candidate[i] !== body && contacts.antagonist[i] !== body) continue
    const other = contacts.candidate[i] === body ? contacts.antagonist[i] : contacts.candidate[i]
    out.push({ other, force: contacts.force[i], friction: contacts.friction[i] * contacts.force[i], state: contacts.state.map((of) => of[i]) })
  }
  return out.sort((a, b) => b.force - a.force)
}

export class BodyPanel {
  constructor(host, run, actions) {
    this.host = host
    this.run = run
    this.actions = actions
    host.innerHTML = '<div class="facts"></div><div class="curves"></div>'
    this.facts = host.querySelector('.facts')
    this.plots = new Plots(host.querySelector('.curves'), actions.seek, run.title)
    this.body = -1
    this.show(-1, 0)
    this.facts.addEventListener('click', (e) => {
      const target = e.target.closest('[data-body]'), mode = e.target.closest('[data-mode]')
      if (target) actions.pick(Number(target.dataset.body))
      if (mode) actions.setMode(Number(mode.dataset.mode))
    })
  }

  pick(body) {
    const { run, plots } = this
    this.body = body
    plots.clear()
    if (body < 0) return
    const of = (value) => Float32Array.from({ length: run.frames }, (_, k) => value(k * run.bodies + body))
    plots.add('speed', 'm/s', run.time, of((i) => speed(run, i)))
    plots.add('force (largest normal)', 'N', run.time, of((i) => forceOn(run, i)))
    for (const c of run.planar ? [0, 1] : [0, 1, 2]) plots.add('xyz'[c], 'm', run.time, of((i) => run.position[c][i]))
  }

  modes(body) {
    const now = this.actions.veil.mode[body]
    const one = ([mode, word, key]) => `<button data-mode="${mode}" aria-pressed="${now === mode}" title="${key}">${word}</button>`
    return `<p><span class="segments" role="group" aria-label="How it is shown">${[[SHOWN, 'show', 'a: everything'], [FADED, 'fade', 'd'], [HIDDEN, 'hide', 'h']].map(one).join('')}</span></p>`
  }

  show(body, frame) {
    const { run } = this
    if (body < 0) {
      const named = [...run.name].slice(0, 60).map(([b, name]) => `<button class="link" data-body="${b}">${escapeText(name)}</button>`)
      this.facts.innerHTML = `<p>Click a body in the picture${named.length ? ', or pick one here:' : '.'}</p><p class="names">${named.join(' ')}</p>`
      return
    }
    const i = frame * run.bodies + body, vector = (parts, unit) => parts.map((x) => quantity(x[i], unit, 3)).slice(0, run.planar ? 2 : 3).join(', ')
    const contacts = contactsOf(run, body, frame)
    const states = run.contacts.state.map((_, k) => k).filter((k) => contacts.some((c) => c.state[k] !== 0)) // of laws that are met here
    const spin = run.spin && (run.planar ? quantity(run.spin[2][i], 'rad/s') : vector(run.spin, 'rad/s'))
    this.facts.innerHTML =
      `<h2>${escapeText(bodyName(run, body))} <button class="link" data-body="-1" title="esc">let go</button></h2>` +
      this.modes(body) +
      rows([
        ['number', body],
        ['role', ROLES[run.role[body]]],
        ['material', run.material[body] >= 0 ? run.materials[run.material[body]] ?? '–' : null],
        ['mass', run.mass[body] > 0 ? quantity(run.mass[body], 'kg') : '– (it is not moved by forces)'],
        ['position', vector(run.position, 'm')],
        ['velocity', `${vector(run.velocity, 'm/s')}`],
        ['speed', new Html(`<span data-what="speed">${quantity(speed(run, i), 'm/s')}</span>`)],
        ['angular velocity', spin],
        [run.all_contacts ? 'contacts' : 'contacts shown', contacts.length],
      ]) +
      (contacts.length
        ? `<table class="contacts"><tr><th>with</th><th>normal</th><th>friction</th>${states.map((k) => `<th>${escapeText(run.states[k][0].replaceAll('_', ' '))}</th>`).join('')}</tr>${contacts
            .slice(0, 12)
            .map((c) => `<tr><td><button class="link" data-body="${c.other}">${escapeText(bodyName(run, c.other))}</button></td><td>${quantity(c.force, 'N', 3)}</td><td>${quantity(c.friction, 'N', 3)}</td>${states.map((k) => `<td>${quantity(c.state[k], run.states[k][1] === '1' ? '' : run.states[k][1], 3)}</td>`).join('')}</tr>`)
            .join('')}</table>`
        : '')
  }
}

// What the run could not keep, where everybody sees it: steps above their tolerance, warnings, an early end. Hidden when there is nothing.
export function fillKept(host, run) {
  const s = run.summary
  if (!s) return
  const said = []
  if (s.status && s.status !== 'done') said.push(`The run ended early: ${s.status}`)
  if (s.missed_steps > 0)
    said.push(
      `${s.missed_steps} of ${s.steps} steps missed their tolerance (${quantity(s.missed_tolerance, 'm/s', 2)}), by ${quantity(s.missed_median, 'm/s', 2)} in the median and ` +
        `${quantity(s.missed_worst, 'm/s', 2)} at worst (t = ${quantity(s.missed_worst_time, 's', 4)}); ${s.advice ?? ''}`,
    )
  for (const text of Array.isArray(s.warnings) ? s.warnings : []) said.push(String(text))
  for (const text of said) {
    const line = host.appendChild(document.createElement('p'))
    line.textContent = text
  }
  host.hidden = said.length === 0
}

export function fillRun(host, run) {
  const s = run.summary
  let html = `<h2>${escapeText(run.title)}</h2>`
  if (run.notes.length) html += `<ul class="notes">${run.notes.map((n) => `<li>${escapeText(n)}</li>`).join('')}</ul>`
  if (s) {
    html += rows([
      ['status', s.status],
      ['scene', s.scene],
      ['simulated time', quantity(s.time_end, 's')],
      ['steps', s.steps],
      ['bodies', s.bodies],
      ['degrees of freedom', s.degrees_of_freedom],
      ['wall time', `${quantity(s.wall_seconds, 's')} on ${s.threads} thread${s.threads === 1 ? '' : 's'} (${quantity(s.time_end / s.wall_seconds, '', 3)} × real time)`],
      ['contacts', `${quantity(s.contacts_mean)} in the mean, at most ${s.contacts_max}`],
      ...(s.candidates_max === undefined ? [] : [['near pairs', `${quantity(s.candidates_mean)} in the mean, at most ${s.candidates_max}`]]),
      ['sweeps a step', quantity(s.iterations_mean)],
      ['steps above the tolerance', `${s.unconverged_steps} (${quantity((100 * s.unconverged_steps) / Math.max(1, s.steps), '%', 3)})`],
      ['largest residual', quantity(s.residual_max, 'm/s')],
      ['largest penetration', quantity(s.penetration_max, 'm')],
      ['state hash', new Html(`<code>${escapeText(s.state_hash)}</code>`)],
      ['talus', s.version],
    ])
    const stages = Object.entries(s.stage_seconds ?? {}), total = stages.reduce((sum, [, t]) => sum + t, 0)
    if (total > 0) html += `<h3>Time by stage</h3><table class="stages">${stages.map(([name, t]) => `<tr><th>${escapeText(name)}</th><td><i style="width:${((100 * t) / total).toFixed(1)}%"></i></td><td>${quantity((100 * t) / total, '%', 3)}</td></tr>`).join('')}</table>`
  } else html += '<p>No summary: the run was killed, or is still going on.</p>'
  host.innerHTML = html
}

export function fillScene(host, run) {
  host.innerHTML = '<p><button>Copy</button> <span></span></p><pre tabindex="0"></pre>'
  host.querySelector('pre').textContent = run.scene
  host.querySelector('button').addEventListener('click', async () => {
    const said = host.querySelector('span')
    try {
      await navigator.clipboard.writeText(run.scene)
      said.textContent = 'copied'
    } catch {
      said.textContent = 'this browser does not let a local page copy: select the text'
    }
  })
}
