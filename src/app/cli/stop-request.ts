import type { CliHost } from './cli-host.ts'

/** A terminal's Ctrl-C reaches this process twice where a launcher started it. */
const SAME_SIGNAL_MS = 1000

/**
 * What asks this process to end: SIGTERM, SIGINT, and SIGHUP where no file is to be applied, since a terminal that closes
 * sends it. It is listened to from the moment that this is made. A signal that comes later than the first ends the process
 * at once.
 */
export class StopRequest {
  readonly #host: CliHost
  readonly #asked = Promise.withResolvers<void>()
  #firstAt: number | null = null
  #isByHand = false

  constructor(host: CliHost, { hangUpStops }: { readonly hangUpStops: boolean }) {
    this.#host = host
    host.onStopSignal((signal) => this.#hear(signal))
    if (hangUpStops) host.onHangUp(() => this.#hear('SIGHUP'))
  }

  /** Resolves with the first signal. */
  get asked(): Promise<void> {
    return this.#asked.promise
  }

  get isAsked(): boolean {
    return this.#firstAt !== null
  }

  /** A person at a terminal asked, before whom no load balancer has to turn away. */
  get isByHand(): boolean {
    return this.#isByHand
  }

  #hear(signal: NodeJS.Signals): void {
    if (this.#firstAt === null) {
      this.#isByHand = signal !== 'SIGTERM'
      this.#firstAt = this.#host.nowMs()
      this.#asked.resolve()
    } else if (this.#host.nowMs() - this.#firstAt > SAME_SIGNAL_MS) {
      this.#host.exit(1)
    }
  }
}

/** Listens to SIGHUP from now on. What comes before there is anything to do is done once, as soon as there is. */
export function hangUps(host: CliHost): { answerWith(work: () => void): void } {
  let isAsked = false
  let work = (): void => {
    isAsked = true
  }
  host.onHangUp(() => work())
  return {
    answerWith(given) {
      work = given
      if (isAsked) given()
    },
  }
}
