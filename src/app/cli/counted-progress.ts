import type { Screen } from './cli-host.ts'

const EVERY_MS = 250

/** How far the steps of a work are that are counted in objects: on a terminal one line that changes, in a log one a step. */
export class CountedProgress {
  readonly #screen: Screen
  #step: string | null = null
  #beganAt = 0
  #shownAt = -Infinity
  #longest = 0

  constructor(screen: Screen) {
    this.#screen = screen
  }

  /** Called as often as is convenient; `step` names what is counted, as in "account". */
  readonly at = (step: string, done: number, all: number): void => {
    const now = this.#screen.nowMs()
    if (step !== this.#step) {
      this.#step = step
      this.#beganAt = now
      if (!this.#screen.isTerminal) this.#screen.remark(`${step}: ${all} …\n`)
    }
    if (!this.#screen.isTerminal || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const seconds = (now - this.#beganAt) / 1000
    const rate = seconds > 0 ? done / seconds : 0
    const left = rate > 0 ? `, ${Math.round(rate)}/s, ${Math.ceil((all - done) / rate)} s left` : ''
    this.#show(`${step}: ${done} of ${all}${left}`)
  }

  /** The work is over: its line gives way to what comes next. */
  end(): void {
    if (this.#screen.isTerminal) this.#show('')
  }

  #show(line: string): void {
    this.#longest = Math.max(this.#longest, line.length)
    this.#screen.remark(`\r${line.padEnd(this.#longest)}${line === '' ? '\r' : ''}`)
  }
}
