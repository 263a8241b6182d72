import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Order } from './orders.ts'
import { type Sighting, watch } from './watching-client.ts'

/** The clients of one load: a number of orders in flight at a time, until the orders run out or `stop` is called. */
export class Load {
  readonly sightings: Sighting[] = []
  readonly #origin: string
  readonly #agent: Agent
  readonly #orders: Iterator<Order>
  #isStopped = false
  readonly #milestones: { readonly count: number; reached(): void }[] = []

  constructor(orders: Iterable<Order>, options: { origin: string; parallel: number }) {
    this.#origin = options.origin
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.parallel, maxFreeSockets: options.parallel })
    this.#orders = orders[Symbol.iterator]()
  }

  /** Resolves when every order that was sent has come to its end. */
  async run(): Promise<readonly Sighting[]> {
    await Promise.all(Array.from({ length: this.#agent.maxSockets }, () => this.#workOff()))
    this.#agent.destroy()
    return this.sightings
  }

  /** Resolves when so many orders more have come to their end, of which there must be more. */
  whenEnded(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#milestones.push({ count: this.sightings.length + count, reached: resolve })
    })
  }

  /** Sends nothing more. Requests under way go on to their end. */
  stop(): void {
    this.#isStopped = true
  }

  async #workOff(): Promise<void> {
    for (;;) {
      const next = this.#isStopped ? undefined : this.#orders.next()
      if (next === undefined || next.done === true) return
      const sighting = await watch(next.value, { origin: this.#origin, agent: this.#agent })
      this.sightings.push(sighting)
      for (const { count, reached } of this.#milestones) if (this.sightings.length >= count) reached()
      // The gateway is down: asking again at once only keeps the processor from those who restart it.
      if (sighting.status === null || sighting.fault === 'store_unavailable') await pause(VAIN_PAUSE_MS)
    }
  }
}

const VAIN_PAUSE_MS = 20
