import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import type { MaintenanceEnd, MaintenanceKind, MaintenanceStart, RunningMaintenance } from '../../control/system.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/log.ts'
import { makeDirectory } from '../../store/make-directory.ts'
import { backupName, deleteOldBackups, listBackups } from '../backups/backup-files.ts'
import type { Settings } from '../installation/environment.ts'

export interface MaintenanceOptions {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'error'>
}

type MaintenanceOutcome = Pick<MaintenanceEnd, 'file' | 'proof'>

/** Backups and rehearsals that an admin begins: one at a time, each of them longer than a request waits. */
export class Maintenance {
  readonly #options: MaintenanceOptions
  readonly #end = new AbortController()
  readonly #last: Partial<Record<MaintenanceKind, MaintenanceEnd>> = {}
  #running: RunningMaintenance | null = null
  #done: Promise<void> = Promise.resolve()

  constructor(options: MaintenanceOptions) {
    this.#options = options
  }

  get running(): RunningMaintenance | null {
    return this.#running
  }

  get last(): Readonly<Partial<Record<MaintenanceKind, MaintenanceEnd>>> {
    return { ...this.#last }
  }

  async begin(kind: MaintenanceKind): Promise<MaintenanceStart> {
    const { backupDir, databaseUrl } = this.#options.settings
    if (backupDir === null || databaseUrl !== null) return 'not_here'
    if (this.#running !== null) return 'busy'
    this.#running = { kind, since: new Date(this.#options.clock.now()).toISOString(), share: null }
    const newest = kind === 'backup' ? null : ((await listBackups(backupDir).catch(() => []))[0]?.path ?? null)
    if (kind === 'rehearsal' && newest === null) {
      this.#running = null
      return 'no_backup'
    }
    this.#done = this.#carryOut(kind, newest ?? join(backupDir, backupName(this.#options.clock.now())))
    return 'begun'
  }

  /** Breaks off what is under way, with nothing left behind. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.#done
  }

  async #carryOut(kind: MaintenanceKind, path: string): Promise<void> {
    const { clock, log } = this.#options
    const began = clock.elapsed()
    const file = basename(path)
    const ended = (failure: string | null, proof: MaintenanceOutcome['proof']): void => {
      const at = new Date(clock.now()).toISOString()
      this.#last[kind] = { at, took_ms: Math.round(clock.elapsed() - began), file, failure, proof }
      this.#running = null
    }
    try {
      const proof = kind === 'backup' ? await this.#backUp(path) : await this.#rehearse(path)
      ended(null, proof)
      log.info({ kind, path }, 'finished an admin’s backup or rehearsal')
    } catch (error) {
      log.error({ err: error, kind, path }, 'failed to finish an admin’s backup or rehearsal')
      ended(error instanceof Error ? error.message : String(error), null)
    }
  }

  async #backUp(path: string): Promise<null> {
    const { settings, clock } = this.#options
    const { dataDir, backupDir, backupKeep } = settings
    // Loaded when they are wanted.
    const { noteFor, takeBackup } = await import('../backups/take-backup.ts')
    await makeDirectory(backupDir ?? '', 0o700)
    const note = await noteFor(settings, { randomBytes, nowMs: clock.now() })
    const onProgress = (done: number, all: number): void => {
      this.#end.signal.throwIfAborted()
      this.#at(all === 0 ? 0 : done / all)
    }
    await takeBackup({ dataDirectory: dataDir, path, note, randomBytes, onProgress })
    await deleteOldBackups(backupDir ?? '', backupKeep, clock.now())
    return null
  }

  async #rehearse(path: string): Promise<NonNullable<MaintenanceEnd['proof']>> {
    const { rehearse } = await import('../backups/rehearse.ts')
    const { dataDir, secret, backupPassphrase } = this.#options.settings
    const order = { path, dataDirectory: dataDir, secret, passphrase: backupPassphrase }
    return rehearse(order, { onProgress: (share) => this.#at(share), signal: this.#end.signal })
  }

  #at(share: number | null): void {
    if (this.#running !== null) this.#running = { ...this.#running, share }
  }
}
