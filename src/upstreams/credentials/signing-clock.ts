import type { Clock } from '../../core/clock.ts'

/** AWS takes signatures that are up to five minutes off. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html */
const TAKEN_MS = 4 * 60_000

/**
 * The time by which requests to AWS are signed: that of this machine, corrected by the dates of AWS' answers where it is off by
 * more than signatures may be, as the SDKs of AWS do.
 */
export class SigningClock {
  readonly #clock: Pick<Clock, 'now'>
  readonly #onCorrected: (aheadMs: number) => void
  #offsetMs = 0

  /** @param onCorrected hears by how much the clock of this machine is ahead, once it is known that it is */
  constructor(clock: Pick<Clock, 'now'>, onCorrected: (aheadMs: number) => void = () => {}) {
    this.#clock = clock
    this.#onCorrected = onCorrected
  }

  now(): number {
    return this.#clock.now() + this.#offsetMs
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  /** Hears the `date` of an answer. Whether the time was corrected by it. */
  heard(date: string | undefined): boolean {
    const theirs = Date.parse(date ?? '')
    if (Number.isNaN(theirs) || Math.abs(theirs - this.now()) < TAKEN_MS) return false
    this.#offsetMs = theirs - this.#clock.now()
    this.#onCorrected(-this.#offsetMs)
    return true
  }
}
