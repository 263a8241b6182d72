import type {
  Capture,
  CaptureBegin,
  CapturedRequest,
  CapturedSummary,
  CaptureEnd,
  CaptureKept,
  CaptureStore,
  EndedCapture,
} from '../../access/capture.ts'
import { CAPTURE_KEPT_MS, CAPTURE_REQUESTS, CAPTURES_AT_ONCE, CAPTURES_KEPT_BYTES } from '../../core/limits.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import { captureOf, endCapture, forgetCapture } from './capture-rows.ts'
import { changing, type ChangeRecorder } from '../engine/changes.ts'

/** Captures that one look ends or deletes; what is left comes with the next. */
const AT_A_TIME = 100
const NOT_KEPT: CaptureKept = { isKept: false, ended: null }

/** Each change locks the key before anything of its capture is written: it comes first, as in every other change of it. */
export class SqlCaptureStore extends SqlStore implements CaptureStore {
  begin(capture: Omit<Capture, 'kept' | 'missed' | 'ended'>): Promise<CaptureBegin> {
    const { id, keyId, accountId, begunBy, createdAt, endsAt } = capture
    return changing(this.database, async (transaction, record) => {
      const key = await lockRow(transaction, 'api_keys', keyId)
      if (key === undefined || key.status === 'deleted') return { kind: 'unknown_key' } as const
      if (key.capture_id !== null && (key.capture_ends_at ?? 0) > createdAt) return { kind: 'running' } as const
      if ((await countRunning(transaction, createdAt)) >= CAPTURES_AT_ONCE) return { kind: 'busy' } as const
      await forgetCapture(transaction, keyId)
      if ((await bytesKept(transaction)) >= CAPTURES_KEPT_BYTES) return { kind: 'full' } as const
      await transaction
        .insertInto('captures')
        .values({
          id,
          key_id: keyId,
          account_id: accountId,
          begun_by: begunBy,
          created_at: createdAt,
          ends_at: endsAt,
          kept: 0,
          missed: 0,
          ended_at: null,
          ended_because: null,
        })
        .execute()
      await transaction
        .updateTable('api_keys')
        .set({ capture_id: id, capture_ends_at: endsAt })
        .where('id', '=', keyId)
        .execute()
      return { kind: 'begun', change: await record('key', keyId) } as const
    })
  }

  end(keyId: string, nowMs: number): Promise<EndedCapture | null> {
    return changing(this.database, async (transaction, record) => {
      const key = await lockRow(transaction, 'api_keys', keyId)
      if (key === undefined || key.capture_id === null) return null
      const isOver = (key.capture_ends_at ?? 0) <= nowMs
      return endCapture(transaction, key.capture_id, { because: isOver ? 'time' : 'admin', nowMs, record })
    })
  }

  deleteAll(nowMs: number): Promise<readonly EndedCapture[]> {
    return changing(this.database, async (transaction, record) => {
      const rows = await transaction.selectFrom('captures').select(['id', 'key_id', 'ended_at']).execute()
      const ended: EndedCapture[] = []
      for (const row of rows.toSorted((a, b) => (a.key_id < b.key_id ? -1 : 1))) {
        await lockRow(transaction, 'api_keys', row.key_id)
        const one = await endCapture(transaction, row.id, { because: 'setting', nowMs, record })
        if (one !== null) ended.push(one)
        await forgetCapture(transaction, row.key_id)
      }
      return ended
    })
  }

  keep(captureId: string, request: CapturedRequest, nowMs: number): Promise<CaptureKept> {
    const { sealed, ...summary } = request
    return changing(this.database, async (transaction, record) => {
      const found = await lockCapture(transaction, captureId)
      if (found === null || found.ended !== null || nowMs >= found.endsAt) return NOT_KEPT
      const end = (because: CaptureEnd) => endCapture(transaction, captureId, { because, nowMs, record })
      if ((await bytesKept(transaction)) + sealed.length > CAPTURES_KEPT_BYTES) {
        await countMissed(transaction, captureId, 1)
        return { isKept: false, ended: await end('room') }
      }
      const nr = found.kept + 1
      await transaction
        .insertInto('captured_requests')
        .values({
          capture_id: captureId,
          nr,
          request_id: request.requestId,
          bytes: sealed.length,
          summary_json: JSON.stringify(summary),
          sealed,
        })
        .execute()
      await transaction.updateTable('captures').set({ kept: nr }).where('id', '=', captureId).execute()
      return { isKept: true, ended: nr < CAPTURE_REQUESTS ? null : await end('count') }
    })
  }

  noteMissed(captureId: string, count: number): Promise<void> {
    return this.database.transaction((transaction) => countMissed(transaction, captureId, count))
  }

  async find(keyId: string, nowMs: number): Promise<Capture | null> {
    const row = await this.database.kysely
      .selectFrom('captures')
      .selectAll()
      .where('key_id', '=', keyId)
      .where('created_at', '>', nowMs - CAPTURE_KEPT_MS)
      .executeTakeFirst()
    return row === undefined ? null : captureOf(row)
  }

  async list(captureId: string): Promise<readonly CapturedSummary[]> {
    const rows = await this.database.kysely
      .selectFrom('captured_requests')
      .select('summary_json')
      .where('capture_id', '=', captureId)
      .orderBy('nr')
      .limit(CAPTURE_REQUESTS)
      .execute()
    return rows.map((row) => row.summary_json)
  }

  async read(captureId: string, requestId: string): Promise<CapturedRequest | null> {
    const row = await this.database.kysely
      .selectFrom('captured_requests')
      .select(['summary_json', 'sealed'])
      .where('capture_id', '=', captureId)
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    return row === undefined ? null : { ...row.summary_json, sealed: row.sealed }
  }

  endDue(nowMs: number): Promise<readonly EndedCapture[]> {
    return this.#eachOf(
      (transaction) =>
        transaction
          .selectFrom('captures')
          .select('key_id')
          .where('ended_at', 'is', null)
          .where('ends_at', '<=', nowMs)
          .limit(AT_A_TIME)
          .execute(),
      async (transaction, record, keyId) => {
        const row = await transaction.selectFrom('captures').select('id').where('key_id', '=', keyId).executeTakeFirst()
        return row === undefined ? null : endCapture(transaction, row.id, { because: 'time', nowMs, record })
      },
    )
  }

  async prune(nowMs: number): Promise<void> {
    const before = nowMs - CAPTURE_KEPT_MS
    await this.#eachOf(
      (transaction) =>
        transaction
          .selectFrom('captures')
          .select('key_id')
          .where('created_at', '<=', before)
          .limit(AT_A_TIME)
          .execute(),
      async (transaction, _record, keyId) => {
        const row = await transaction
          .selectFrom('captures')
          .select('created_at')
          .where('key_id', '=', keyId)
          .executeTakeFirst()
        if (row !== undefined && row.created_at <= before) await forgetCapture(transaction, keyId)
        return null
      },
    )
  }

  /** One transaction each, with its key locked before its capture. */
  async #eachOf(
    find: (transaction: Pick<TablesTransaction, 'selectFrom'>) => Promise<readonly { readonly key_id: string }[]>,
    work: (transaction: TablesTransaction, record: ChangeRecorder, keyId: string) => Promise<EndedCapture | null>,
  ): Promise<readonly EndedCapture[]> {
    const made: EndedCapture[] = []
    for (const { key_id: keyId } of await find(this.database.kysely)) {
      const one = await changing(this.database, async (transaction, record) => {
        await lockRow(transaction, 'api_keys', keyId)
        return work(transaction, record, keyId)
      })
      if (one !== null) made.push(one)
    }
    return made
  }
}

async function lockCapture(transaction: TablesTransaction, captureId: string): Promise<Capture | null> {
  const first = await transaction.selectFrom('captures').select('key_id').where('id', '=', captureId).executeTakeFirst()
  if (first === undefined) return null
  await lockRow(transaction, 'api_keys', first.key_id)
  const row = await lockRow(transaction, 'captures', captureId)
  return row === undefined ? null : captureOf(row)
}

async function countRunning(transaction: TablesTransaction, nowMs: number): Promise<number> {
  const { running } = await transaction
    .selectFrom('captures')
    .select((row) => row.fn.countAll<number>().as('running'))
    .where('ended_at', 'is', null)
    .where('ends_at', '>', nowMs)
    .executeTakeFirstOrThrow()
  return running
}

/** Captures have some hundred requests, of which this reads but a number each. */
async function bytesKept(transaction: TablesTransaction): Promise<number> {
  const { bytes } = await transaction
    .selectFrom('captured_requests')
    .select((row) => row.fn.sum<string | number | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

async function countMissed(transaction: TablesTransaction, captureId: string, count: number): Promise<void> {
  await transaction
    .updateTable('captures')
    .set((row) => ({ missed: row('missed', '+', count) }))
    .where('id', '=', captureId)
    .execute()
}
