import { sql } from 'kysely'
import type { Clock } from '../../core/clock.ts'
import type { Upstream } from '../../routing/catalog.ts'
import { markOf } from '../../routing/credential-states.ts'
import type { MintedTokenOf, MintedTokenStore, MintingAnswer, MintingClaim } from '../../routing/minted-tokens.ts'
import { type Database, SqlStore, type TablesTransaction } from '../engine/database.ts'
import { lockId } from '../engine/rows-by-id.ts'

export class SqlMintedTokenStore extends SqlStore implements MintedTokenStore {
  readonly #clock: Pick<Clock, 'now'>

  constructor(database: Database, clock: Pick<Clock, 'now'>) {
    super(database)
    this.#clock = clock
  }

  claimMinting(claim: MintingClaim): Promise<MintingAnswer> {
    const { upstreamId, name, mark, holder, leaseMs, olderThanMs } = claim
    return this.database.transaction(async (transaction): Promise<MintingAnswer> => {
      // What is not stored (yet, or no more) is minted by each for itself.
      if (!(await lockId(transaction, 'upstreams', upstreamId))) return { kind: 'granted' }
      const now = await this.#now(transaction)
      const row = await transaction
        .selectFrom('minted_tokens')
        .selectAll()
        .where('upstream_id', '=', upstreamId)
        .where('name', '=', name)
        .executeTakeFirst()
      const own = row?.mark === mark ? row : undefined
      const leftMs = own?.sealed_token == null ? 0 : (own.ends_at ?? 0) - now
      if (own?.sealed_token != null && leftMs > olderThanMs) {
        return { kind: 'token', token: { sealed: own.sealed_token, leftMs } }
      }
      const isLeased = own !== undefined && (own.lease_until_at ?? 0) > now && own.lease_holder !== holder
      // A lease that ends later than any is granted for was written by a clock that was wrong.
      if (isLeased && (own.lease_until_at ?? 0) <= now + leaseMs) return { kind: 'waiting' }
      const values = {
        mark,
        lease_holder: holder,
        lease_until_at: now + leaseMs,
        sealed_token: own?.sealed_token ?? null,
        ends_at: own?.ends_at ?? null,
      }
      await transaction
        .insertInto('minted_tokens')
        .values({ upstream_id: upstreamId, name, ...values })
        .onConflict((conflict) => conflict.columns(['upstream_id', 'name']).doUpdateSet(values))
        .execute()
      return { kind: 'granted' }
    })
  }

  async keepToken(of: Parameters<MintedTokenStore['keepToken']>[0]): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const now = await this.#now(transaction)
      await transaction
        .updateTable('minted_tokens')
        .set({
          sealed_token: of.sealed,
          ends_at: Math.round(now + of.lifeMs),
          lease_holder: null,
          lease_until_at: null,
        })
        .where('upstream_id', '=', of.upstreamId)
        .where('name', '=', of.name)
        .where('mark', '=', of.mark)
        .where('lease_holder', '=', of.holder)
        .execute()
    })
  }

  async giveUp(of: MintedTokenOf & { readonly holder: string }): Promise<void> {
    await this.database.kysely
      .updateTable('minted_tokens')
      .set({ lease_holder: null, lease_until_at: null })
      .where('upstream_id', '=', of.upstreamId)
      .where('name', '=', of.name)
      .where('lease_holder', '=', of.holder)
      .execute()
  }

  async forgetToken({ upstreamId, name, mark }: MintedTokenOf): Promise<void> {
    await this.database.kysely
      .deleteFrom('minted_tokens')
      .where('upstream_id', '=', upstreamId)
      .where('name', '=', name)
      .where('mark', '=', mark)
      .execute()
  }

  /** The time by which all nodes agree when a token ends: that of the server, or of the one machine. */
  async #now(transaction: TablesTransaction): Promise<number> {
    if (this.database.kind === 'sqlite') return this.#clock.now()
    const { rows } = await sql<{ now_ms: number | bigint }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(transaction)
    return Number(rows[0]?.now_ms ?? this.#clock.now())
  }
}

/** Deletes the tokens of an upstream whose credentials are gone or are set otherwise; all of them where it is deleted itself. */
export async function forgetTokens(
  transaction: TablesTransaction,
  { id, credentials }: Pick<Upstream, 'id' | 'credentials'>,
): Promise<void> {
  const rows = await transaction
    .selectFrom('minted_tokens')
    .select(['name', 'mark'])
    .where('upstream_id', '=', id)
    .execute()
  const isKept = (row: { name: string; mark: string }) =>
    credentials.some((credential) => credential.name === row.name && row.mark.startsWith(`${markOf(credential)} `))
  for (const { name } of rows.filter((row) => !isKept(row))) {
    await transaction.deleteFrom('minted_tokens').where('upstream_id', '=', id).where('name', '=', name).execute()
  }
}
