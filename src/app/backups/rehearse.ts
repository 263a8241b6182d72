import { statfs, stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { MaintenanceEnd } from '../../control/system.ts'
import type { RehearsalOrder, RehearsalSaid } from './rehearsal-thread.ts'

/** The copy, and what bringing it up to this version writes beside it. */
const ROOM_FACTOR = 2.5
const LONGEST_MS = 4 * 3_600_000

/**
 * Restores a backup beside the running database, brings it up to this version and proves its books, in a thread of its own;
 * nothing of it is kept. Rejects with what went wrong.
 */
export async function rehearse(
  order: RehearsalOrder,
  { onProgress, signal }: { onProgress(share: number | null): void; readonly signal: AbortSignal },
): Promise<NonNullable<MaintenanceEnd['proof']>> {
  const [{ size }, disk] = await Promise.all([stat(order.path), statfs(order.dataDirectory)])
  if (disk.bavail * disk.bsize < size * ROOM_FACTOR) throw new Error('the disk has too little room for a copy')
  const worker = new Worker(new URL('./rehearsal-thread.ts', import.meta.url), { name: 'rehearsal', workerData: order })
  const end = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  const ended = Promise.withResolvers<NonNullable<MaintenanceEnd['proof']>>()
  const stop = (): void => {
    ended.reject(new Error('it was stopped'))
    void worker.terminate()
  }
  end.addEventListener('abort', stop, { once: true })
  worker.on('message', (said: RehearsalSaid) => {
    if (said.kind === 'progress') onProgress(said.share)
    else if (said.kind === 'done') ended.resolve(said.proof)
    else ended.reject(new Error(said.failure))
  })
  worker.on('error', (error) => ended.reject(error))
  worker.once('exit', () => ended.reject(new Error('the thread ended before its time')))
  try {
    return await ended.promise
  } finally {
    end.removeEventListener('abort', stop)
  }
}
