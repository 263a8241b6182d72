import type { IdempotencyClaim, IdempotencyName, IdempotencyStore } from '../../access/idempotency.ts'
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_KEYS_LIMIT, IDEMPOTENCY_RUNNING_MS } from '../../core/limits.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'

type Claim = Parameters<IdempotencyStore['claim']>[0]

export class SqlIdempotencyStore extends SqlStore implements IdempotencyStore {
  claim(claim: Claim): Promise<IdempotencyClaim> {
    return this.database.transaction((transaction) => claimIn(transaction, claim))
  }

  async finish(name: IdempotencyName, answer: { status: number; body: string | null }): Promise<void> {
    await this.#set(name, { state: 'answered', ...answer })
  }

  async leaveUnclear(name: IdempotencyName): Promise<void> {
    await this.#set(name, { state: 'unclear', status: null, body: null })
  }

  async release({ actor, key }: IdempotencyName): Promise<void> {
    await this.database.kysely
      .deleteFrom('idempotency_keys')
      .where('actor', '=', actor)
      .where('name', '=', key)
      .where('state', '=', 'running')
      .execute()
  }

  async #set(
    { actor, key }: IdempotencyName,
    end: { state: 'answered' | 'unclear'; status: number | null; body: string | null },
  ): Promise<void> {
    await this.database.kysely
      .updateTable('idempotency_keys')
      .set(end)
      .where('actor', '=', actor)
      .where('name', '=', key)
      .where('state', '=', 'running')
      .execute()
  }
}

/** The row is the lock: of many inserts at once one is done, and the others read what it wrote. */
async function claimIn(
  transaction: TablesTransaction,
  { actor, key, request, nowMs }: Claim,
): Promise<IdempotencyClaim> {
  await transaction
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', nowMs - IDEMPOTENCY_KEPT_MS)
    .execute()
  const inserted = await transaction
    .insertInto('idempotency_keys')
    .values({ actor, name: key, request_hash: request, state: 'running', status: null, body: null, created_at: nowMs })
    .onConflict((conflict) => conflict.columns(['actor', 'name']).doNothing())
    .returning('name')
    .executeTakeFirst()
  if (inserted !== undefined) return roomFor(transaction, { actor, key })
  const row = await transaction
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('actor', '=', actor)
    .where('name', '=', key)
    .executeTakeFirst()
  // It was released between the two statements: asking again gets it.
  if (row === undefined) return { kind: 'running' }
  if (row.request_hash !== request) return { kind: 'other_request' }
  if (row.state === 'answered') return { kind: 'answered', status: row.status ?? 200, body: row.body }
  // Whatever ran that long was cut off with its process.
  const isLost = row.state === 'running' && nowMs - row.created_at > IDEMPOTENCY_RUNNING_MS
  return { kind: row.state === 'unclear' || isLost ? 'unclear' : 'running' }
}

async function roomFor(transaction: TablesTransaction, { actor, key }: IdempotencyName): Promise<IdempotencyClaim> {
  const { count } = await transaction
    .selectFrom('idempotency_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('actor', '=', actor)
    .executeTakeFirstOrThrow()
  if (count <= IDEMPOTENCY_KEYS_LIMIT) return { kind: 'claimed' }
  await transaction.deleteFrom('idempotency_keys').where('actor', '=', actor).where('name', '=', key).execute()
  return { kind: 'too_many' }
}
