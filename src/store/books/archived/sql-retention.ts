import { type RawBuilder, type Selectable, sql } from 'kysely'
import { DAY_MS } from '../../../core/durations.ts'
import { firstIdAt, type IdPrefix, timeOfId } from '../../../core/ids.ts'
import { nanoUsd } from '../../../core/money.ts'
import type {
  Archive,
  ArchiveKind,
  ArchiveLines,
  DaysApart,
  DayToDrop,
  DroppedDay,
  RetentionStore,
} from '../../../metering/usage/retention.ts'
import { SqlStore, type TablesTransaction } from '../../engine/database.ts'
import type { ArchiveRow } from '../../schema/archive-tables.ts'
import type { UsageRow } from '../../schema/tables.ts'
import { dayOf } from '../roll-ups.ts'
import { idOfLine, lineOf } from './archive-lines.ts'
import { addSums, isBareRefusal, keepSums, noSums } from './day-sums.ts'
import { setDaysApart } from './daily-partitions.ts'
import { dropDay, dropEmptyDays } from './drop-days.ts'

/** Rows that are read with one statement. */
const PORTION = 200

/** Where the rows of a kind are, and which of the table they are. Written as the partial indexes have it. */
const KINDS: Readonly<
  Record<ArchiveKind, { table: 'usage_records' | 'audit_entries'; prefix: IdPrefix; which: string }>
> = {
  usage: { table: 'usage_records', prefix: 'req', which: '1 = 1' },
  refusals: {
    table: 'usage_records',
    prefix: 'req',
    which: `outcome <> 'completed' and outcome = 'refused' and cost_nano = 0 and usage_source = 'none'`,
  },
  tries: {
    table: 'usage_records',
    prefix: 'req',
    which: `outcome <> 'completed' and outcome = 'refused' and cost_nano = 0 and usage_source = 'none' and
      fault in ('key_unknown', 'key_malformed', 'base_url_wrong', 'path_unknown')`,
  },
  audit: { table: 'audit_entries', prefix: 'aud', which: '1 = 1' },
}

export class SqlRetentionStore extends SqlStore implements RetentionStore {
  setDaysApart(nowMs: number, wanted: boolean): Promise<DaysApart> {
    return setDaysApart(this.database, nowMs, wanted)
  }

  dropDay(day: DayToDrop): Promise<DroppedDay> {
    return dropDay(this.database, day)
  }

  dropEmptyDays(beforeMs: number): Promise<number> {
    return dropEmptyDays(this.database, beforeMs)
  }

  async oldestDay(
    kind: ArchiveKind,
    { fromMs, beforeMs }: { readonly fromMs: number; readonly beforeMs: number },
  ): Promise<number | null> {
    const { table } = KINDS[kind]
    const query = sql<{ id: string }>`select id from ${sql.table(table)} where ${span(kind, fromMs, beforeMs)}
      order by id limit 1`
    const id = (await query.execute(this.database.views)).rows[0]?.id
    const at = id === undefined ? null : timeOfId(id)
    return at === null ? null : dayOf(at)
  }

  async newestRecord(): Promise<string | null> {
    const query = this.database.kysely.selectFrom('usage_records').select('id').orderBy('id', 'desc').limit(1)
    return (await query.executeTakeFirst())?.id ?? null
  }

  async count(kind: ArchiveKind, beforeMs: number): Promise<number> {
    const { table } = KINDS[kind]
    const query = sql<{ rows: number }>`select cast(count(*) as bigint) as rows from ${sql.table(table)}
      where ${span(kind, 0, beforeMs)}`
    return (await query.execute(this.database.views)).rows[0]?.rows ?? 0
  }

  async *lines(kind: ArchiveKind, dayAt: number): AsyncGenerator<ArchiveLines> {
    const { table } = KINDS[kind]
    for (let after = ''; ;) {
      const query = sql<Selectable<UsageRow>>`select * from ${sql.table(table)}
        where ${span(kind, dayAt, dayAt + DAY_MS)} and id > ${after} order by id limit ${PORTION}`
      const { rows } = await query.execute(this.database.views)
      // Of refusals, those alone that are nothing but a count.
      const fitting = kind === 'usage' || kind === 'audit' ? rows : rows.filter(isBareRefusal)
      const cost = table === 'usage_records' ? fitting.reduce((sum, row) => sum + row.cost_nano, 0n) : 0n
      if (fitting.length > 0) yield { lines: fitting.map(lineOf), cost: nanoUsd(cost) }
      const last = rows.at(-1)
      if (rows.length < PORTION || last === undefined) return
      after = last.id
    }
  }

  async archives(of?: { readonly kind: ArchiveKind; readonly dayAt: number }): Promise<readonly Archive[]> {
    const query = this.database.kysely
      .selectFrom('archives')
      .selectAll()
      .orderBy('day_at')
      .orderBy('kind')
      .orderBy('part')
    const rows = await (
      of === undefined ? query : query.where('kind', '=', of.kind).where('day_at', '=', of.dayAt)
    ).execute()
    return rows.map(archiveOf)
  }

  async register(archive: Archive, lastPart: number): Promise<boolean> {
    const { name, kind, dayAt, part, records, bytes, sha256 } = archive
    return this.database.transaction(async (transaction) => {
      // On SQLite the transaction itself is the lock.
      if (this.database.kind === 'postgres') {
        await sql`lock table archives in share row exclusive mode`.execute(transaction)
      }
      const known = await transaction
        .selectFrom('archives')
        .select('part')
        .where('kind', '=', kind)
        .where('day_at', '=', dayAt)
        .orderBy('part', 'desc')
        .limit(1)
        .executeTakeFirst()
      if ((known?.part ?? 0) !== lastPart) return false
      const rows = await transaction
        .insertInto('archives')
        .values({
          name,
          kind,
          day_at: dayAt,
          part,
          records,
          cost_nano: archive.cost,
          bytes,
          sha256,
          written_at: archive.writtenAt,
          is_finished: archive.isFinished,
          place: archive.place,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('name')
        .execute()
      return rows.length === 1
    })
  }

  async retire(kind: ArchiveKind, lines: readonly string[]): Promise<number> {
    const wanted = new Map(lines.map((line) => [idOfLine(line), line]))
    const retired = await this.#tryToRetire(kind, wanted)
    if (typeof retired === 'number') return retired
    // What is there otherwise than the archive has it stays, for another part of the archive.
    for (const id of retired) wanted.delete(id)
    const again = await this.#tryToRetire(kind, wanted)
    return typeof again === 'number' ? again : 0
  }

  async finish(name: string): Promise<void> {
    await this.database.kysely.updateTable('archives').set({ is_finished: true }).where('name', '=', name).execute()
  }

  async forgetSessions(beforeMs: number, limit: number): Promise<number> {
    const rows = await sql`delete from sessions where id in
      (select id from sessions where expires_at < ${beforeMs} order by expires_at limit ${limit}) returning id`.execute(
      this.database.kysely,
    )
    return rows.rows.length
  }

  /** Returns how many went, or the ids of those that are not as the archive has them: then nothing went. */
  async #tryToRetire(kind: ArchiveKind, wanted: ReadonlyMap<string, string>): Promise<number | readonly string[]> {
    if (wanted.size === 0) return 0
    try {
      return await this.database.transaction((transaction) => retireIn(transaction, kind, wanted))
    } catch (error) {
      if (error instanceof Changed) return error.ids
      throw error
    }
  }
}

async function retireIn(
  transaction: TablesTransaction,
  kind: ArchiveKind,
  wanted: ReadonlyMap<string, string>,
): Promise<number> {
  const { table } = KINDS[kind]
  const { rows } = await sql<Selectable<UsageRow>>`delete from ${sql.table(table)}
    where id in (${sql.join([...wanted.keys()])}) returning *`.execute(transaction)
  const changed = rows.filter((row) => lineOf(row) !== wanted.get(row.id)).map(({ id }) => id)
  if (changed.length > 0) throw new Changed(changed)
  if (kind !== 'audit' && rows.length > 0) {
    const sums = noSums()
    addSums(sums, rows)
    await keepSums(transaction, kind, sums)
  }
  return rows.length
}

/** Undoes a portion. */
class Changed extends Error {
  readonly ids: readonly string[]

  constructor(ids: readonly string[]) {
    super('rows are not as the archive has them')
    this.ids = ids
  }
}

function span(kind: ArchiveKind, fromMs: number, beforeMs: number): RawBuilder<unknown> {
  const { prefix, which } = KINDS[kind]
  return sql`${sql.raw(which)} and id >= ${firstIdAt(prefix, fromMs)} and id < ${firstIdAt(prefix, Math.max(0, beforeMs))}`
}

function archiveOf(row: Selectable<ArchiveRow>): Archive {
  return {
    name: row.name,
    kind: row.kind,
    dayAt: row.day_at,
    part: row.part,
    records: row.records,
    cost: nanoUsd(row.cost_nano),
    bytes: row.bytes,
    sha256: row.sha256,
    writtenAt: row.written_at,
    isFinished: row.is_finished,
    place: row.place,
  }
}
