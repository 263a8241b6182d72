import { randomInt } from 'node:crypto'
import type { NewAlert } from '../books/alert-lines.ts'
import { chargeBatch, type UsageEntry } from '../books/charging.ts'
import type { OpenBudget, OpenLease, OpenBooks } from '../books/open-books.ts'
import {
  CHARGE_WIDTH,
  PAYMENT_WIDTH,
  type SettlementRows,
  type SettlementValue,
  STORED_RESPONSE_WIDTH,
} from '../engine/settlement-rows.ts'
import { columnAt, ID_COLUMN, ON_KNOWN_RECORD, USAGE_COLUMNS, USAGE_WIDTH } from '../books/usage-columns.ts'
import { addingTo, keyUses, LANES, ROLL_UPS, type RollUp, sumsFor } from '../books/roll-ups.ts'
import type { HourSum } from '../books/usage-hours.ts'
import { integerArray, textArray } from './array-text.ts'
import type { PostgresConnection } from './postgres-connection.ts'

/**
 * Writes a batch of settlements in one transaction: a handful of statements whatever its size, each over whole columns.
 * Budgets are locked before leases, both in the order of their ids, as everywhere. Returns the overruns.
 */
export async function writeBatch(connection: PostgresConnection, batch: SettlementRows): Promise<number> {
  await connection.begin('write')
  try {
    const books = await lockBooks(connection, batch)
    const isNew = await insertRecords(connection, batch)
    const { entries, alerts, hours, overruns } = chargeBatch(batch, isNew, books)
    await insertEntries(connection, entries)
    await addUp(connection, hours)
    await insertAlerts(connection, alerts)
    await writeBooks(connection, books)
    await storeResponses(connection, batch)
    await connection.commit()
    return overruns
  } catch (error) {
    // A connection that cannot even do that is thrown away when it is released.
    await connection.rollback().catch(() => {})
    throw error
  }
}

async function lockBooks(connection: PostgresConnection, batch: SettlementRows): Promise<OpenBooks> {
  const budgetIds = [...every(batch.charges, CHARGE_WIDTH, 1), ...every(batch.payments, PAYMENT_WIDTH, 1)]
  const budgets = await connection.query(LOCK_BUDGETS, [textArray(unique(budgetIds))], 'settle_lock_budgets')
  const leaseIds = unique(every(batch.charges, CHARGE_WIDTH, 2))
  const leases = await connection.query(LOCK_LEASES, [textArray(leaseIds)], 'settle_lock_leases')
  return {
    budgets: new Map((budgets.rows as unknown as readonly LockedBudget[]).map((row) => [row.id, { ...row }])),
    leases: new Map((leases.rows as unknown as readonly LockedLease[]).map((row) => [row.id, { ...row }])),
  }
}

type LockedBudget = OpenBudget & { readonly id: string }
type LockedLease = OpenLease & { readonly id: string }

const LOCK_BUDGETS = `
  select id, kind, subject_id as "subjectId", limit_nano as "limit", used_nano as used, held_nano as held,
    overrun_nano as overrun, overruns, entries, ends_at as "endsAt", window_ms as "windowMs"
  from budgets where id = any ($1::text[]) order by id for update`

const LOCK_LEASES = `
  select id, budget_id as "budgetId", granted_nano as granted, charged_nano as charged
  from leases where id = any ($1::text[]) order by id for update`

/** Returns which records were not there before (or only as interrupted), by their number in the batch. */
async function insertRecords(
  connection: PostgresConnection,
  batch: SettlementRows,
): Promise<(index: number) => boolean> {
  const written = onceEach(batch)
  const columns = USAGE_COLUMNS.map(([, type], column) =>
    arrayOf[type](written.map((index) => batch.records[index * USAGE_WIDTH + column])),
  )
  const { rows } = await connection.query(INSERT_RECORDS, columns, 'settle_insert_records')
  const inserted = new Set(rows.map((row) => row['id']))
  const isNew = new Set(written.filter((index) => inserted.has(idAt(batch, index))))
  return (index) => isNew.has(index)
}

/** One statement must not write a row twice: of records with the same id the one that the others could not replace. */
function onceEach(batch: SettlementRows): readonly number[] {
  const chosen = new Map<string, number>()
  for (let index = 0; index < batch.count; index++) {
    const id = idAt(batch, index)
    const before = chosen.get(id)
    if (before === undefined || isInterrupted(batch, before)) chosen.set(id, index)
  }
  return [...chosen.values()]
}

function idAt(batch: SettlementRows, index: number): string {
  return batch.records[index * USAGE_WIDTH + ID_COLUMN] as string
}

function isInterrupted(batch: SettlementRows, index: number): boolean {
  return batch.records[index * USAGE_WIDTH + OUTCOME] === 'interrupted'
}

const OUTCOME = columnAt('outcome')

const INSERT_RECORDS = `
  insert into usage_records (${USAGE_COLUMNS.map(([name]) => name).join(', ')})
  select * from unnest(${USAGE_COLUMNS.map(([, type], column) => array(column + 1, type)).join(', ')})
  ${ON_KNOWN_RECORD} returning id`

async function insertEntries(connection: PostgresConnection, entries: readonly UsageEntry[]): Promise<void> {
  if (entries.length === 0) return
  const columns = [
    textArray(entries.map((entry) => entry.accountId)),
    integerArray(entries.map((entry) => entry.seq)),
    textArray(entries.map((entry) => entry.id)),
    integerArray(entries.map((entry) => entry.createdAt)),
    integerArray(entries.map((entry) => entry.amount)),
    integerArray(entries.map((entry) => entry.balanceAfter)),
    textArray(entries.map((entry) => entry.requestId)),
  ]
  await connection.query(INSERT_ENTRIES, columns, 'settle_insert_entries')
}

const INSERT_ENTRIES = `
  insert into ledger_entries
    (account_id, seq, id, created_at, kind, amount_nano, balance_after_nano, request_id, reason, actor, once)
  select account_id, seq, id, created_at, 'usage', amount_nano, balance_after_nano, request_id, '', 'gateway', null
  from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
    as entry (account_id, seq, id, created_at, amount_nano, balance_after_nano, request_id)`

async function addUp(connection: PostgresConnection, hours: readonly HourSum[]): Promise<void> {
  if (hours.length === 0) return
  for (const { rollUp, statement } of ADDING) {
    const sums = sumsFor(rollUp, hours, LANE)
    if (sums.length === 0) continue
    const columns = [
      ...rollUp.columns.map(([, type], column) => arrayOf[type](sums.map(({ values }) => values[column] ?? null))),
      ...rollUp.figures.map((_, figure) => integerArray(sums.map(({ figures }) => figures[figure]))),
    ]
    await connection.query(statement, columns, `settle_add_to_${rollUp.table}`)
  }
  const uses = keyUses(hours)
  if (uses.length === 0) return
  const columns = [
    textArray(uses.map((use) => use.accountId)),
    textArray(uses.map((use) => use.keyId)),
    integerArray(uses.map((use) => use.usedAt)),
    integerArray(uses.map((use) => use.spent)),
  ]
  await connection.query(NOTE_USES, columns, 'settle_note_uses')
}

/** A writer of the same rows waits for the commit of the first, so this process mostly adds to some of its own. */
const LANE = randomInt(LANES)

const ADDING = ROLL_UPS.map((rollUp) => ({
  rollUp,
  statement: addingTo(rollUp, `select * from unnest(${arrays(rollUp)})`),
}))

function arrays({ columns, figures }: RollUp): string {
  const types = [...columns.map(([, type]) => type), ...figures.map(() => 'integer' as const)]
  return types.map((type, column) => array(column + 1, type)).join(', ')
}

const NOTE_USES = `
  insert into key_activity (account_id, key_id, last_used_at, spent_nano)
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
  on conflict (account_id, key_id) do update set
    last_used_at = greatest(key_activity.last_used_at, excluded.last_used_at),
    spent_nano = key_activity.spent_nano + excluded.spent_nano`

async function insertAlerts(connection: PostgresConnection, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return
  const columns = [
    textArray(alerts.map((alert) => alert.id)),
    textArray(alerts.map((alert) => alert.kind)),
    textArray(alerts.map((alert) => alert.subjectId)),
    integerArray(alerts.map((alert) => alert.percent)),
    integerArray(alerts.map((alert) => alert.limit)),
    integerArray(alerts.map((alert) => alert.used)),
    integerArray(alerts.map((alert) => alert.windowMs)),
    integerArray(alerts.map((alert) => alert.resetsAt)),
    integerArray(alerts.map((alert) => alert.createdAt)),
  ]
  await connection.query(INSERT_ALERTS, columns, 'settle_insert_alerts')
}

const INSERT_ALERTS = `
  insert into alerts (id, kind, subject_id, percent, limit_nano, used_nano, window_ms, resets_at, created_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::bigint[])
  on conflict (id) do nothing`

async function writeBooks(connection: PostgresConnection, { budgets, leases }: OpenBooks): Promise<void> {
  const states = [...budgets.values()]
  if (budgets.size > 0) {
    const columns = [
      textArray([...budgets.keys()]),
      integerArray(states.map((state) => state.used)),
      integerArray(states.map((state) => state.held)),
      integerArray(states.map((state) => state.overrun)),
      integerArray(states.map((state) => state.overruns)),
      integerArray(states.map((state) => state.entries)),
      integerArray(states.map((state) => state.endsAt)),
    ]
    await connection.query(WRITE_BUDGETS, columns, 'settle_write_budgets')
  }
  if (leases.size === 0) return
  const charged = integerArray([...leases.values()].map((state) => state.charged))
  await connection.query(WRITE_LEASES, [textArray([...leases.keys()]), charged], 'settle_write_leases')
}

const WRITE_BUDGETS = `
  update budgets
  set used_nano = state.used, held_nano = state.held, overrun_nano = state.overrun, overruns = state.overruns,
    entries = state.entries, ends_at = state.ends_at
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
    as state (id, used, held, overrun, overruns, entries, ends_at)
  where budgets.id = state.id`

const WRITE_LEASES = `
  update leases set charged_nano = state.charged
  from unnest($1::text[], $2::bigint[]) as state (id, charged)
  where leases.id = state.id`

async function storeResponses(
  connection: PostgresConnection,
  { storedResponses: values }: SettlementRows,
): Promise<void> {
  if (values.length === 0) return
  const [accounts, ids, upstreams, times] = [0, 1, 2, 3].map((column) => every(values, STORED_RESPONSE_WIDTH, column))
  const columns = [
    textArray(accounts ?? []),
    textArray(ids ?? []),
    textArray(upstreams ?? []),
    integerArray(times ?? []),
  ]
  await connection.query(STORE_RESPONSES, columns, 'settle_store_responses')
}

const STORE_RESPONSES = `
  insert into stored_responses (account_id, response_id, upstream_id, created_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
  on conflict (account_id, response_id) do nothing`

const arrayOf = { text: textArray, integer: integerArray }

function array(parameter: number, type: 'text' | 'integer'): string {
  return `$${parameter}::${type === 'text' ? 'text' : 'bigint'}[]`
}

/** One column of a flat list. */
function every(values: readonly SettlementValue[], width: number, column: number): SettlementValue[] {
  const picked: SettlementValue[] = []
  for (let at = column; at < values.length; at += width) picked.push(values[at] ?? null)
  return picked
}

function unique(ids: readonly SettlementValue[]): SettlementValue[] {
  return [...new Set(ids.filter((id) => id !== null))]
}
