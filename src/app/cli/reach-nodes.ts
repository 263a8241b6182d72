import { systemClock } from '../../core/clock.ts'
import { waitForNodes } from '../../cluster/wait-for-nodes.ts'
import type { Store } from '../../store/store.ts'
import { CommandFailure, type CliHost } from './cli-host.ts'

/**
 * Waits until all running gateways follow the change with this number; null: there is none. `done` begins the sentence of
 * the failure, as in "The key is disabled".
 */
export async function reachNodes(
  seq: number | null,
  { store, host, done }: { store: Store; host: CliHost; done: string },
): Promise<void> {
  if (seq === null) return
  const behind = await waitForNodes(seq, { nodes: store.nodes, clock: systemClock, host: host.machine })
  if (behind.length === 0) return
  throw new CommandFailure(
    `${done} in the database, but ${behind.join(', ')} did not confirm it: restart that gateway.`,
  )
}
