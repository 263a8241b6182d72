import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock as clock } from '../../core/clock.ts'
import { openStore } from '../../store/open-store.ts'
import { restoreBackup } from './restore-backup.ts'
import type { MaintenanceEnd } from '../../control/system.ts'

/** Begins a folder in the data directory, where there is room for databases. Each rehearsal clears away the one before. */
const REHEARSAL_FOLDER = '.rehearsal-'

/** What the thread of a rehearsal is given. */
export interface RehearsalOrder {
  readonly path: string
  readonly dataDirectory: string
  readonly secret: string | null
  readonly passphrase: string | null
}

export type RehearsalSaid =
  | { readonly kind: 'progress'; readonly share: number | null }
  | { readonly kind: 'done'; readonly proof: NonNullable<MaintenanceEnd['proof']> }
  | { readonly kind: 'failed'; readonly failure: string }

// Looks through a whole database, which would hold up every request of the thread that serves.

const { path, dataDirectory, secret, passphrase } = workerData as RehearsalOrder
const say = (said: RehearsalSaid): void => parentPort?.postMessage(said)

for (const name of await readdir(dataDirectory)) {
  // Left by a process that was killed: only one rehearsal runs at a time.
  if (name.startsWith(REHEARSAL_FOLDER)) await rm(join(dataDirectory, name), { recursive: true, force: true })
}
const directory = await mkdtemp(join(dataDirectory, REHEARSAL_FOLDER))
try {
  const { proof } = await restoreBackup({
    path,
    directory,
    secret,
    passphrase,
    isKept: false,
    openStore: (draft) => openStore({ databaseUrl: null, dataDirectory: draft, clock }),
    randomBytes,
    nowMs: () => clock.now(),
    onProgress: (done, all) => say({ kind: 'progress', share: all === 0 ? 0 : done / all }),
    onCopied: () => say({ kind: 'progress', share: null }),
    onUnpacked: () => {},
  })
  const { accounts, entries, disagreements } = proof
  say({ kind: 'done', proof: { accounts, entries, disagreements: disagreements.length } })
} catch (error) {
  say({ kind: 'failed', failure: error instanceof Error ? error.message : String(error) })
} finally {
  await rm(directory, { recursive: true, force: true })
}
