/** How far long work is: on a terminal one line that changes, with rate and time left; in a log one line a step. */
import type { Screen } from './cli-host.ts'

const EVERY_MS = 250
const TIMED_EVERY_MS = 1_000
const MB = 1_000_000

/** The line on a terminal that is written over. It gives way to what comes next once the work is over. */
abstract class ChangingLine {
  protected readonly screen: Screen
  #shownAt = -Infinity
  #longest = 0

  constructor(screen: Screen) {
    this.screen = screen
  }

  end(): void {
    if (this.screen.isTerminal) this.show('')
  }

  /** Whether the line is due again; in a log it never is. */
  protected isDue(now: number): boolean {
    if (!this.screen.isTerminal || now - this.#shownAt < EVERY_MS) return false
    this.#shownAt = now
    return true
  }

  protected show(line: string): void {
    this.#longest = Math.max(this.#longest, line.length)
    this.screen.remark(`\r${line.padEnd(this.#longest)}${line === '' ? '\r' : ''}`)
  }
}

/** One step of the work, counted in bytes. */
export class Progress extends ChangingLine {
  readonly #step: string
  readonly #beganAt: number

  /** `step`: what is done, as in "copying the database". */
  constructor(screen: Screen, step: string) {
    super(screen)
    this.#step = step
    this.#beganAt = screen.nowMs()
    if (!screen.isTerminal) screen.remark(`${step} …\n`)
  }

  /** Called as often as is convenient. */
  readonly at = (doneBytes: number, allBytes: number): void => {
    const now = this.screen.nowMs()
    if (!this.isDue(now)) return
    const seconds = (now - this.#beganAt) / 1000
    const rate = seconds > 0 ? doneBytes / seconds : 0
    const left = rate > 0 ? `, ${Math.round(rate / MB)} MB/s, ${spanOf((allBytes - doneBytes) / rate)} left` : ''
    this.show(`${this.#step}: ${percentOf(doneBytes, allBytes)} of ${megabytes(allBytes)}${left}`)
  }
}

/** How far the steps of a work are that are counted in objects. */
export class CountedProgress extends ChangingLine {
  #step: string | null = null
  #beganAt = 0

  /** Called as often as is convenient; `step` names what is counted, as in "account". */
  readonly at = (step: string, done: number, all: number): void => {
    const now = this.screen.nowMs()
    if (step !== this.#step) {
      this.#step = step
      this.#beganAt = now
      if (!this.screen.isTerminal) this.screen.remark(`${step}: ${all} …\n`)
    }
    if (!this.isDue(now)) return
    const seconds = (now - this.#beganAt) / 1000
    const rate = seconds > 0 ? done / seconds : 0
    const left = rate > 0 ? `, ${Math.round(rate)}/s, ${Math.ceil((all - done) / rate)} s left` : ''
    this.show(`${step}: ${done} of ${all}${left}`)
  }
}

/** A step that nothing counts: on a terminal its line says how long it takes so far. */
export class TimedStep extends ChangingLine {
  readonly #timer: NodeJS.Timeout | null

  /** `step`: what is done, as in "Looking for damage". */
  constructor(screen: Screen, step: string) {
    super(screen)
    const beganAt = screen.nowMs()
    const line = (): string => `${step}, ${Math.round((screen.nowMs() - beganAt) / 1_000)} s`
    this.#timer = screen.isTerminal ? setInterval(() => this.show(line()), TIMED_EVERY_MS).unref() : null
    if (screen.isTerminal) this.show(step)
    else screen.remark(`${step} …\n`)
  }

  override end(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    super.end()
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
