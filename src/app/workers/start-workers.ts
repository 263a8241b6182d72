import { randomUUID } from 'node:crypto'
import { thisHost } from '../../cluster/host-process.ts'
import { systemClock as clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import { SharedUses, sharedUsesMemory } from '../../metering/limits/shared-uses.ts'
import type { Settings } from '../installation/environment.ts'
import type { OpenInstallation } from '../opening/open-installation.ts'
import type { WorkerSlot } from '../server/worker-slot.ts'
import { WorkerPool } from './worker-pool.ts'

/** Makes the pool of the threads beside this one, and this one's own slot among them. None of them runs yet. */
export function startWorkers(parts: {
  readonly settings: Settings
  readonly installation: Pick<OpenInstallation, 'secret' | 'store'> & Partial<Pick<OpenInstallation, 'sealing'>>
  readonly log: Logger
  /** How many threads carry requests, the main thread included. */
  readonly threads: number
}): { readonly workers: WorkerPool; readonly slot: WorkerSlot } {
  const { settings, installation, log, threads } = parts
  const { secret, sealing = [secret], store } = installation
  const limits = sharedUsesMemory()
  const uses = new SharedUses(limits, 0)
  const workers = new WorkerPool({
    settings,
    secret,
    sealing,
    store,
    threads,
    host: thisHost(randomUUID),
    limits,
    clock,
    log,
    onEnded: (thread) => uses.forgetThread(thread),
  })
  return { workers, slot: workers.slot }
}
