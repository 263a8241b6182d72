import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import { subscriptionTo } from '../../access/subscription.ts'
import { invariant } from '../../core/invariant.ts'
import type { ListPlace } from '../../core/list-place.ts'
import { nanoUsd } from '../../core/money.ts'
import {
  type RedeemAnswer,
  type RedeemCode,
  type RedeemCodeBatch,
  type RedeemCodeFilter,
  type RedeemCodeStore,
  type RedeemGrant,
  redeemReason,
} from '../../metering/funds/redeem-code.ts'
import { postIn } from '../books/sql-ledger.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'
import { readRow } from '../engine/rows-by-id.ts'
import type { PlanRow, RedeemCodeRow } from '../schema/tables.ts'
import { changing, type ChangeRecorder } from '../engine/changes.ts'
import { behind } from '../books/newest-first.ts'
import { holding } from './text-search.ts'
import { planOf } from './sql-plans.ts'
import { hasAccount, insertSubscription } from './sql-subscriptions.ts'

type Redemption = Parameters<RedeemCodeStore['redeem']>[0]
type StoredCode = Selectable<RedeemCodeRow>
/** An answer before its change is recorded. */
type Unrecorded<Answer = RedeemAnswer> = Answer extends unknown ? Omit<Answer, 'seq'> : never

/** How many ends are read at most: a page of the ledger has as many entries. */
const ENDS_LIMIT = 200

/** What codes that were made together have in common. */
const OF_BATCH = [
  'redeem_codes.created_at',
  'redeem_codes.note',
  'redeem_codes.amount_nano',
  'redeem_codes.plan_id',
  'redeem_codes.expires_at',
] as const

export class SqlRedeemCodeStore extends SqlStore implements RedeemCodeStore {
  async create(code: Omit<RedeemCode, 'redeemedAt' | 'redeemedBy'>, codeHash: string): Promise<boolean> {
    const inserted = await this.database.kysely
      .insertInto('redeem_codes')
      .values({
        id: code.id,
        code_hash: codeHash,
        code_start: code.codeStart,
        code_end: code.codeEnd,
        amount_nano: code.grants.kind === 'balance' ? code.grants.amount : null,
        plan_id: code.grants.kind === 'plan' ? code.grants.planId : null,
        note: code.note,
        created_at: code.createdAt,
        expires_at: code.expiresAt,
        redeemed_at: null,
        redeemed_by: null,
      })
      .onConflict((conflict) => conflict.column('code_hash').doNothing())
      .returning('id')
      .executeTakeFirst()
    return inserted !== undefined
  }

  async list(
    limit: number,
    after: ListPlace | null = null,
    filter: RedeemCodeFilter | null = null,
  ): Promise<readonly RedeemCode[]> {
    const conditions = filter === null ? [] : conditionsOf(filter)
    const query = this.#codes()
      .where((code) => code.and([...conditions]))
      .orderBy('redeem_codes.created_at', 'desc')
      .orderBy('redeem_codes.id', 'desc')
      .limit(limit)
    const rows = await (after === null ? query : query.where(behind('redeem_codes', after))).execute()
    return rows.map(codeOf)
  }

  async batches(limit: number): Promise<readonly RedeemCodeBatch[]> {
    const rows = await this.database.kysely
      .selectFrom('redeem_codes')
      .leftJoin('plans', 'plans.id', 'redeem_codes.plan_id')
      .select((code) => [
        ...OF_BATCH,
        'plans.name as plan_name',
        'plans.days as plan_days',
        code.fn.countAll<number>().as('made'),
        code.fn.count<number>('redeem_codes.redeemed_at').as('used'),
      ])
      .groupBy([...OF_BATCH, 'plans.name', 'plans.days'])
      .orderBy('redeem_codes.created_at', 'desc')
      .orderBy('redeem_codes.note')
      .limit(limit)
      .execute()
    return rows.map((row) => ({
      grants: grantsOf(row),
      note: row.note,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      made: row.made,
      used: row.used,
    }))
  }

  async find(id: string): Promise<RedeemCode | null> {
    const row = await this.#codes().where('redeem_codes.id', '=', id).executeTakeFirst()
    return row === undefined ? null : codeOf(row)
  }

  async endsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map()
    if (ids.length > ENDS_LIMIT) throw new RangeError(`1 to ${ENDS_LIMIT} codes at a time`)
    const rows = await this.database.views
      .selectFrom('redeem_codes')
      .select(['id', 'code_end'])
      .where('id', 'in', ids)
      .execute()
    return new Map(rows.map(({ id, code_end: end }) => [id, end] as const))
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.database.kysely
      .deleteFrom('redeem_codes')
      .where('id', '=', id)
      .where('redeemed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return deleted !== undefined
  }

  redeem(redemption: Redemption): Promise<RedeemAnswer> {
    return changing(this.database, (transaction, record) => redeemIn(transaction, { redemption, record }))
  }

  /** Selects codes with what their plans are called now. */
  #codes() {
    return this.database.kysely
      .selectFrom('redeem_codes')
      .leftJoin('plans', 'plans.id', 'redeem_codes.plan_id')
      .selectAll('redeem_codes')
      .select(['plans.name as plan_name', 'plans.days as plan_days'])
  }
}

/** The code's row stays locked from the look to the mark, so that all others find it marked. */
async function redeemIn(
  transaction: TablesTransaction,
  { redemption, record }: { redemption: Redemption; record: ChangeRecorder },
): Promise<RedeemAnswer> {
  const code = await transaction
    .selectFrom('redeem_codes')
    .selectAll()
    .where('code_hash', '=', redemption.codeHash)
    .forUpdate()
    .executeTakeFirst()
  if (code === undefined) return { kind: 'unknown_code' }
  if (code.redeemed_at !== null) {
    return { kind: 'already_redeemed', isOwn: code.redeemed_by === redemption.accountId }
  }
  if (code.expires_at !== null && redemption.nowMs >= code.expires_at) return { kind: 'expired' }
  if (!(await hasAccount(transaction, redemption.accountId))) return { kind: 'unknown_account' }
  const answer =
    code.plan_id === null
      ? await grantBalance(transaction, code, redemption)
      : await grantPlan(transaction, await readRow(transaction, 'plans', code.plan_id), redemption)
  if (answer.kind !== 'balance' && answer.kind !== 'plan') return answer
  await transaction
    .updateTable('redeem_codes')
    .set({ redeemed_at: redemption.nowMs, redeemed_by: redemption.accountId })
    .where('id', '=', code.id)
    .execute()
  const { seq } = await record(answer.kind === 'plan' ? 'account' : 'funds', redemption.accountId)
  return { ...answer, seq }
}

async function grantBalance(
  transaction: TablesTransaction,
  code: StoredCode,
  { entryId, accountId, nowMs, actor }: Redemption,
): Promise<Unrecorded> {
  const amount = nanoUsd(code.amount_nano ?? 0n)
  const posted = await postIn(transaction, {
    id: entryId,
    accountId,
    createdAt: nowMs,
    kind: 'redeem',
    amount,
    reason: redeemReason(code.id),
    actor,
    once: `redeem:${code.id}`,
  })
  if (posted.kind === 'posted') return { kind: 'balance', amount, balanceAfter: posted.entry.balanceAfter }
  if (posted.kind === 'unknown_account') return { kind: 'unknown_account' }
  return posted.kind === 'too_large' ? { kind: 'balance_too_large' } : { kind: 'already_redeemed', isOwn: true }
}

async function grantPlan(
  transaction: TablesTransaction,
  row: Selectable<PlanRow> | undefined,
  { subscriptionId, accountId, nowMs }: Redemption,
): Promise<Unrecorded> {
  if (row === undefined) return { kind: 'plan_gone' }
  const subscription = subscriptionTo(planOf(row), { id: subscriptionId, accountId, nowMs })
  const isNew = await insertSubscription(transaction, subscription)
  invariant(isNew, `${subscriptionId} was made for this redemption`)
  return { kind: 'plan', subscriptionId, planName: subscription.planName, endsAt: subscription.endsAt }
}

function codeOf(row: StoredCode & { plan_name: string | null; plan_days: number | null }): RedeemCode {
  return {
    id: row.id,
    codeStart: row.code_start,
    codeEnd: row.code_end,
    grants: grantsOf(row),
    note: row.note,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    redeemedAt: row.redeemed_at,
    redeemedBy: row.redeemed_by,
  }
}

function grantsOf(
  row: Pick<StoredCode, 'plan_id' | 'amount_nano'> & { plan_name: string | null; plan_days: number | null },
): RedeemGrant {
  if (row.plan_id === null) return { kind: 'balance', amount: nanoUsd(row.amount_nano ?? 0n) }
  return { kind: 'plan', planId: row.plan_id, planName: row.plan_name ?? row.plan_id, days: row.plan_days ?? 0 }
}

function conditionsOf({ state, createdAt, search, nowMs }: RedeemCodeFilter): readonly RawBuilder<SqlBool>[] {
  const isOver = sql<SqlBool>`redeem_codes.expires_at is not null and redeem_codes.expires_at <= ${nowMs}`
  const states = {
    used: sql<SqlBool>`redeem_codes.redeemed_at is not null`,
    expired: sql<SqlBool>`redeem_codes.redeemed_at is null and ${isOver}`,
    unused: sql<SqlBool>`redeem_codes.redeemed_at is null and not (${isOver})`,
  }
  const places = ['redeem_codes.note', 'redeem_codes.code_end', 'redeem_codes.id'] as const
  return [
    ...(state === undefined ? [] : [states[state]]),
    ...(createdAt === undefined ? [] : [sql<SqlBool>`redeem_codes.created_at = ${createdAt}`]),
    ...(search === undefined || search === ''
      ? []
      : [
          sql<SqlBool>`(${sql.join(
            places.map((place) => holding(place, search)),
            sql` or `,
          )})`,
        ]),
  ]
}
