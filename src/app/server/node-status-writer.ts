import { performance } from 'node:perf_hooks'
import type { ClockWatch } from '../../cluster/clock-watch.ts'
import type { NodeStore } from '../../cluster/nodes.ts'
import { version } from '../installation/version.ts'

export interface StandingNotesOptions {
  readonly nodes: Pick<NodeStore, 'report'>
  readonly clocks: ClockWatch
  readonly node: { readonly id: string }
  inFlight(): number
  onError(error: unknown): void
}

/** Writes down how this node stands, for admins; on PostgreSQL the answer compares its clock with the server’s. */
export class StandingNotes {
  readonly #options: StandingNotesOptions
  readonly #version = version()
  #used = performance.eventLoopUtilization()
  #writing: Promise<void> | null = null

  constructor(options: StandingNotesOptions) {
    this.#options = options
  }

  /** To be called every few seconds; does nothing while the one before is under way. Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#writeNow()
      .catch(this.#options.onError)
      .finally(() => (this.#writing = null))
    return this.#writing
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#writing
  }

  async #writeNow(): Promise<void> {
    const { nodes, clocks, node, inFlight } = this.#options
    const used = performance.eventLoopUtilization()
    const { utilization: busy } = performance.eventLoopUtilization(used, this.#used)
    this.#used = used
    const sent = clocks.reading()
    const standing = { version: this.#version, inFlight: inFlight(), busy, clock: clocks.read() }
    const serverMs = await nodes.report(node.id, standing)
    if (serverMs !== null) clocks.heardDatabase(serverMs, sent)
  }
}
