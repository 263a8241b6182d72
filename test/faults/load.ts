import { Agent } from 'node:http'
import type { Order } from './orders.ts'
import { type Sighting, watch } from './watching-client.ts'

/** The clients of one load: a number of orders in flight at a time, until the orders run out or `stop` is called. */
export class Load {
  readonly sightings: Sighting[] = []
  readonly #origin: string
  readonly #agent: Agent
  readonly #orders: Iterator<Order>
  #isStopped = false
  #milestone: { readonly count: number; reached(): void } | null = null

  constructor(orders: Iterable<Order>, options: { origin: string; parallel: number }) {
    this.#origin = options.origin
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.parallel, maxFreeSockets: options.parallel })
    this.#orders = orders[Symbol.iterator]()
  }

  /** Fulfils when every order that was sent has come to its end. */
  async run(): Promise<readonly Sighting[]> {
    await Promise.all(Array.from({ length: this.#agent.maxSockets }, () => this.#workOff()))
    this.#agent.destroy()
    return this.sightings
  }

  /** Fulfils when so many orders have come to their end, of which there must be more. To be called once. */
  whenEnded(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#milestone = { count, reached: resolve }
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
      this.sightings.push(await watch(next.value, { origin: this.#origin, agent: this.#agent }))
      if (this.sightings.length === this.#milestone?.count) this.#milestone.reached()
    }
  }
}
