import type { Screen } from './cli-host.ts'

const EVERY_MS = 1_000

/** A step that nothing counts: on a terminal one line that says how long it takes so far, in a log one line. */
export class TimedStep {
  readonly #screen: Screen
  readonly #step: string
  readonly #beganAt: number
  readonly #timer: NodeJS.Timeout | null
  #longest = 0

  /** `step`: what is done, as in "Looking for damage". */
  constructor(screen: Screen, step: string) {
    this.#screen = screen
    this.#step = step
    this.#beganAt = screen.nowMs()
    this.#timer = screen.isTerminal ? setInterval(() => this.#show(this.#line()), EVERY_MS).unref() : null
    if (screen.isTerminal) this.#show(step)
    else screen.remark(`${step} …\n`)
  }

  /** The step is over. On a terminal its line gives way to what comes next. */
  end(): void {
    if (this.#timer === null) return
    clearInterval(this.#timer)
    this.#show('')
  }

  #line(): string {
    return `${this.#step}, ${Math.round((this.#screen.nowMs() - this.#beganAt) / 1_000)} s`
  }

  #show(line: string): void {
    this.#longest = Math.max(this.#longest, line.length)
    this.#screen.remark(`\r${line.padEnd(this.#longest)}${line === '' ? '\r' : ''}`)
  }
}
