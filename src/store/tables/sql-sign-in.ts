import { type RawBuilder, sql } from 'kysely'
import type {
  RecordChange,
  RecordCondition,
  RecordQuery,
  SignInRecord,
  SignInRecordKind,
  SignInRecords,
} from '../../access/sign-in-records.ts'
import { invariant } from '../../core/invariant.ts'
import { SESSIONS_OF_AN_ACCOUNT_LIMIT } from '../../core/limits.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'
import { lockId } from '../engine/rows-by-id.ts'

/**
 * Records whose kinds and fields are only known when they are asked for. Names of tables and columns come from the lists
 * below and from nowhere else.
 */
export class SqlSignInRecords extends SqlStore implements SignInRecords {
  async insert(kind: SignInRecordKind, record: SignInRecord): Promise<void> {
    const fields = Object.entries(record)
    const columns = sql.join(fields.map(([field]) => columnOf(kind, field)))
    const values = sql.join(fields.map(([, value]) => sql`${value}`))
    const insert = sql`insert into ${tableOf(kind)} (${columns}) values (${values})`
    if (kind !== 'session') {
      await this.#run(insert)
      return
    }
    await this.database.transaction(async (transaction) => {
      const accountId = String(record['accountId'])
      // Locks the owner, so that sessions that begin at once end the oldest one after the other.
      await lockId(transaction, 'accounts', accountId)
      await insert.execute(transaction)
      await endOldest(transaction, accountId, String(record['id']))
    })
  }

  async select(kind: SignInRecordKind, query: RecordQuery): Promise<readonly SignInRecord[]> {
    const { where, limit, offset = 0, sortBy } = query
    const direction = sortBy?.direction ?? 'asc'
    // Through the query builder, because it knows what only reads.
    const rows = await this.database.kysely
      .selectFrom(sql<Readonly<Record<string, unknown>>>`${tableOf(kind)}`.as('records'))
      .selectAll()
      .where(all(kind, where))
      .$if(sortBy !== undefined, (select) => select.orderBy(columnOf(kind, sortBy?.field ?? 'id'), direction))
      .orderBy(sql.ref('id'), direction)
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map((row) => recordOf(kind, row))
  }

  async count(kind: SignInRecordKind, where: readonly RecordCondition[]): Promise<number> {
    const rows = await this.#run(sql`select count(*) as found from ${tableOf(kind)} where ${all(kind, where)}`)
    return Number(rows[0]?.['found'] ?? 0)
  }

  async update(kind: SignInRecordKind, { where, set, add = {} }: RecordChange): Promise<readonly SignInRecord[]> {
    const changes = [
      ...Object.entries(set).map(([field, value]) => sql`${columnOf(kind, field)} = ${value}`),
      ...Object.entries(add).map(([field, by]) => sql`${columnOf(kind, field)} = ${columnOf(kind, field)} + ${by}`),
    ]
    if (changes.length === 0) return this.select(kind, { where, limit: CHANGED_AT_ONCE })
    const rows = await this.#run(
      sql`update ${tableOf(kind)} set ${sql.join(changes)} where ${all(kind, where)} returning *`,
    )
    return rows.map((row) => recordOf(kind, row))
  }

  async delete(
    kind: SignInRecordKind,
    where: readonly RecordCondition[],
    { onlyOne = false }: { readonly onlyOne?: boolean } = {},
  ): Promise<readonly SignInRecord[]> {
    const table = tableOf(kind)
    const one = onlyOne ? sql` and id = (select min(id) from ${table} where ${all(kind, where)})` : sql``
    const rows = await this.#run(sql`delete from ${table} where ${all(kind, where)}${one} returning *`)
    return rows.map((row) => recordOf(kind, row))
  }

  async #run(statement: RawBuilder<unknown>): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { rows } = await statement.execute(this.database.kysely)
    return rows as readonly Readonly<Record<string, unknown>>[]
  }
}

/**
 * Ends the sessions of an account beyond those it may have; those that began last stay. The one that begins now is among
 * them, whatever the clocks of the nodes say.
 */
async function endOldest(transaction: TablesTransaction, accountId: string, begunId: string): Promise<void> {
  const beyond = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '!=', begunId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ENDED_AT_ONCE)
    .offset(SESSIONS_OF_AN_ACCOUNT_LIMIT - 1)
    .execute()
  const ids = beyond.map(({ id }) => id)
  if (ids.length > 0) await transaction.deleteFrom('sessions').where('id', 'in', ids).execute()
}

/** How many sessions a sign-in ends at most: of an account that had more before there was a limit, the next ones end the others. */
const ENDED_AT_ONCE = 500
const CHANGED_AT_ONCE = 1000

const TABLES: Record<SignInRecordKind, string> = {
  session: 'sessions',
  identity: 'identities',
  verification: 'verifications',
  secondFactor: 'second_factors',
  passkey: 'passkeys',
}

const TIMES = ['createdAt', 'updatedAt', 'expiresAt']
const KEY_OF_DEVICE = ['credentialId', 'publicKey', 'counter', 'deviceType', 'isSynced', 'transports', 'aaguid']
const STEPS = ['isConfirmed', 'failures', 'lockedUntilAt', 'lastCounter']

/** The fields of a record; `accountId` is in the column `account_id`, and likewise. */
const FIELDS: Record<SignInRecordKind, readonly string[]> = {
  session: ['id', ...TIMES, 'tokenHash', 'accountId', 'signedInAt', 'beganBy', 'address', 'client'],
  identity: ['id', 'provider', 'subject', 'accountId', 'createdAt', 'updatedAt'],
  verification: ['id', ...TIMES, 'identifier', 'content'],
  secondFactor: ['id', 'accountId', 'secret', 'backupCodes', ...STEPS],
  passkey: ['id', 'accountId', 'name', ...KEY_OF_DEVICE, 'createdAt'],
}

function columnNamed(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function tableOf(kind: SignInRecordKind): RawBuilder<unknown> {
  return sql.table(TABLES[kind])
}

function columnOf(kind: SignInRecordKind, field: string): RawBuilder<unknown> {
  invariant(FIELDS[kind].includes(field), `a record of kind ${kind} has no field ${field}`)
  return sql.ref(columnNamed(field))
}

function all(kind: SignInRecordKind, where: readonly RecordCondition[]): RawBuilder<boolean> {
  if (where.length === 0) return sql`1 = 1`
  return sql.join(
    where.map((condition) => holds(kind, condition)),
    sql` and `,
  )
}

function holds(kind: SignInRecordKind, { field, is, value }: RecordCondition): RawBuilder<unknown> {
  const column = columnOf(kind, field)
  if (is === 'in') {
    const values = Array.isArray(value) ? value : [value]
    return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`
  }
  if (value === null) return is === '=' ? sql`${column} is null` : sql`${column} is not null`
  return sql`${column} ${sql.raw(is)} ${value}`
}

function recordOf(kind: SignInRecordKind, row: Readonly<Record<string, unknown>>): SignInRecord {
  const fields = FIELDS[kind].map((field) => [field, row[columnNamed(field)] ?? null])
  return Object.fromEntries(fields) as SignInRecord
}
