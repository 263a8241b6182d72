import { performance } from 'node:perf_hooks'
import type { ClockWatch } from '../../cluster/clock-watch.ts'
import type { NodeStore } from '../../cluster/nodes.ts'
import { version } from '../installation/version.ts'

export interface NodeStatusOptions {
  readonly nodes: Pick<NodeStore, 'report'>
  readonly clocks: ClockWatch
  readonly node: { readonly id: string }
  inFlight(): number
}

/** Writes the status of this node, for admins; on PostgreSQL the answer compares its clock with the server’s. */
export class NodeStatusWriter {
  readonly #options: NodeStatusOptions
  readonly #version = version()
  #used = performance.eventLoopUtilization()

  constructor(options: NodeStatusOptions) {
    this.#options = options
  }

  /** Called every few seconds. */
  async write(): Promise<void> {
    const { nodes, clocks, node, inFlight } = this.#options
    const used = performance.eventLoopUtilization()
    const { utilization: busy } = performance.eventLoopUtilization(used, this.#used)
    this.#used = used
    const sent = clocks.reading()
    const status = { version: this.#version, inFlight: inFlight(), busy, clock: clocks.read() }
    const serverMs = await nodes.report(node.id, status)
    if (serverMs !== null) clocks.heardDatabase(serverMs, sent)
  }
}
