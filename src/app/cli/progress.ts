/** How far long work is: on a terminal one line that changes, with rate and time left; in a log one line a step. */
import type { Screen } from './cli-host.ts'

const EVERY_MS = 250
const MB = 1_000_000

/** One step of the work, counted in bytes. */
export class Progress {
  readonly #screen: Screen
  readonly #step: string
  readonly #beganAt: number
  #shownAt: number
  #longest = 0

  /** `step`: what is done, as in "copying the database". */
  constructor(screen: Screen, step: string) {
    this.#screen = screen
    this.#step = step
    this.#beganAt = screen.nowMs()
    this.#shownAt = -Infinity
    if (!screen.isTerminal) screen.remark(`${step} …\n`)
  }

  /** Called as often as is convenient. */
  readonly at = (doneBytes: number, allBytes: number): void => {
    const now = this.#screen.nowMs()
    if (!this.#screen.isTerminal || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const seconds = (now - this.#beganAt) / 1000
    const rate = seconds > 0 ? doneBytes / seconds : 0
    const left = rate > 0 ? `, ${Math.round(rate / MB)} MB/s, ${spanOf((allBytes - doneBytes) / rate)} left` : ''
    this.#show(`${this.#step}: ${percentOf(doneBytes, allBytes)} of ${megabytes(allBytes)}${left}`)
  }

  /** The step is over. On a terminal its line gives way to what comes next. */
  end(): void {
    if (this.#screen.isTerminal) this.#show('')
  }

  #show(line: string): void {
    this.#longest = Math.max(this.#longest, line.length)
    const end = line === '' ? '\r' : ''
    this.#screen.remark(`\r${line.padEnd(this.#longest)}${end}`)
  }
}

/** `12 MB`, and `0.3 MB` where that would be 0. */
export function megabytes(bytes: number): string {
  return bytes < MB ? `${(bytes / MB).toFixed(1)} MB` : `${Math.round(bytes / MB)} MB`
}

function percentOf(done: number, all: number): string {
  return `${all === 0 ? 100 : Math.floor((done / all) * 100)}%`
}

function spanOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.ceil(whole / 60)} min`
}
