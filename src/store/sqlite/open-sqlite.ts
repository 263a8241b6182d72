import { setTimeout as pause } from 'node:timers/promises'
import { packSettlements } from '../books/packed-settlements.ts'
import { CHARGE_WIDTH, type SettlementRows } from '../engine/settlement-rows.ts'
import {
  type Engine,
  type EngineConnection,
  type EngineLink,
  type SettleOptions,
  storeClosed,
} from '../engine/engine.ts'
import { prepareFile } from './database-file.ts'
import { FileGuard } from './file-guard.ts'
import { JournalWriter } from './journal/journal-writer.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { MISMATCH, sqliteFailure } from './sqlite-failure.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { Thread } from './thread.ts'
import { Turns } from './turns.ts'
import { ViewConnection } from './view-connection.ts'

const WATCH_MS = 75
const BYTES = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size'
/** Transactions are milliseconds long; one that is not over by then is a defect, and closing must not wait for it. */
const LAST_TURN_MS = 10_000

/** Opens (and makes, with its directory, where missing) the embedded database. */
export async function openSqlite(dataDirectory: string, onTrouble: (error: Error) => void): Promise<Engine> {
  const file = await prepareFile(dataDirectory)
  const listeners = new Set<() => void>()
  const onCommitted = () => {
    for (const listener of listeners) listener()
  }
  const writer = await Thread.start(file, 'writer', { onCommitted, onTrouble })
  const content = {
    bytes: () => writer.run('reader', BYTES).then(({ rows }) => Number(rows[0]?.['bytes'] ?? 0)),
    copyTo: async (emptyFile: string) => void (await writer.run('reader', 'vacuum into ?', [emptyFile])),
  }
  const guard = await FileGuard.of({ file, content, onTrouble })
  return new SqliteEngine({ file, writer, listeners, guard, isShared: false })
}

/** The embedded database that another thread of this process has opened. */
export function joinSqlite({ file, line, opened }: EngineLink, onTrouble: (error: Error) => void): Engine {
  const listeners = new Set<() => void>()
  const onCommitted = () => {
    for (const listener of listeners) listener()
  }
  const writer = Thread.attach(line, { onCommitted, onTrouble })
  const guard = new FileGuard({ file, opened, content: null, onTrouble: () => {} })
  return new SqliteEngine({ file, writer, listeners, guard, isShared: true })
}

class SqliteEngine implements Engine {
  readonly kind = 'sqlite'
  readonly connectionLimit = null
  readonly #file: string
  readonly #writer: Thread
  readonly #journal: JournalWriter
  readonly #turns = new Turns()
  readonly #snapshots: SnapshotReader
  /** A thread of its own: a snapshot may go on for minutes. */
  readonly #views: SnapshotReader
  readonly #listeners: Set<() => void>
  readonly #guard: FileGuard
  /** Other threads of this process write by the same connection: nothing else tells them of commits. */
  #isShared: boolean
  #isClosed = false

  constructor(parts: {
    file: string
    writer: Thread
    listeners: Set<() => void>
    guard: FileGuard
    isShared: boolean
  }) {
    this.#guard = parts.guard
    this.#file = parts.file
    this.#isShared = parts.isShared
    this.#writer = parts.writer
    this.#journal = new JournalWriter(parts.writer)
    this.#snapshots = new SnapshotReader(parts.file, parts)
    this.#views = new SnapshotReader(parts.file, parts)
    this.#listeners = parts.listeners
  }

  async acquire(): Promise<EngineConnection> {
    if (this.#isClosed) throw storeClosed()
    return new SqliteConnection({ writer: this.#writer, turns: this.#turns, snapshots: this.#snapshots })
  }

  async acquireForViews(): Promise<EngineConnection> {
    if (this.#isClosed) throw storeClosed()
    return new ViewConnection(this.#views)
  }

  openJournal(): Promise<void> {
    return this.#writer.openJournal()
  }

  async settle(batch: SettlementRows, { mayJournal }: SettleOptions): Promise<number> {
    if (this.#isClosed) throw storeClosed()
    const bytes = packedOrRefused(batch)
    if (mayJournal && isOrdinary(batch) && (await this.#journal.add(bytes))) return this.#journal.takeOverruns()
    const endTurn = await this.#turns.take()
    try {
      return await this.#writer.settle(bytes)
    } finally {
      endTurn()
    }
  }

  watch(listener: () => void): () => void {
    if (this.#listeners.size === 0) this.#look(WATCH_MS)
    this.#guard.start()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#look(null)
    }
  }

  announce(): void {
    if (this.#isShared) this.#writer.announce()
  }

  share(): EngineLink {
    this.#isShared = true
    return { file: this.#file, opened: this.#guard.opened, line: this.#writer.share() }
  }

  get isLost(): boolean {
    return this.#guard.isLost
  }

  async ping(): Promise<void> {
    await this.#writer.run('reader', 'select 1')
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#journal.close()
    const turn = this.#turns.take()
    await Promise.race([turn, pause(LAST_TURN_MS, undefined, { ref: false })])
    // The writer last: what is left of the write-ahead file is folded back by the last connection, if it can write.
    await this.#snapshots.close()
    await this.#views.close()
    await this.#guard.finish()
    await this.#writer.close()
    // Callers that still wait are let through, to hear that the store is closed.
    void turn.then((endTurn) => endTurn())
  }

  #look(everyMs: number | null): void {
    // Fails only when the thread has ended, and then every other call says so.
    this.#writer.watch(everyMs).catch(() => {})
  }
}

/** What cannot even be packed fits no column, which SQLite calls a mismatch. */
function packedOrRefused(batch: SettlementRows): Uint8Array {
  try {
    return packSettlements(batch)
  } catch (error) {
    throw sqliteFailure(error instanceof Error ? error.message : String(error), MISMATCH)
  }
}

/** Nine million dollars: sums of such charges may become too large for a column, and who settles has to hear of that. */
const ORDINARY_CHARGE_LIMIT = 2n ** 53n

function isOrdinary({ charges }: SettlementRows): boolean {
  for (let at = CHARGE_WIDTH - 1; at < charges.length; at += CHARGE_WIDTH) {
    if ((charges[at] as bigint) >= ORDINARY_CHARGE_LIMIT) return false
  }
  return true
}
