import type { CredentialChange, CredentialState, HoldNote, StoredHold } from '../../routing/credential-states.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { lockId } from '../engine/rows-by-id.ts'
import { changing } from '../engine/changes.ts'

/** Reads the states of the credentials of all upstreams. */
export async function credentialStates(database: Database): Promise<readonly CredentialState[]> {
  const rows = await database.kysely.selectFrom('credential_states').selectAll().execute()
  return rows.map((row) => ({
    upstreamId: row.upstream_id,
    name: row.name,
    isDisabled: row.is_disabled,
    hold: row.hold_json as StoredHold | null,
  }))
}

/** Writes down holds, but none of upstreams that were deleted meanwhile. */
export async function noteHolds(database: Database, notes: readonly HoldNote[]): Promise<void> {
  // In one order everywhere, so that two nodes cannot wait for each other.
  const sorted = notes.toSorted((a, b) => compare(keyOf(a), keyOf(b)))
  await changing(database, async (transaction, record) => {
    for (const { upstreamId, name, hold } of sorted) {
      const before = await lockedState(transaction, { upstreamId, name })
      if (before !== null) await write(transaction, { ...before, hold })
    }
    await record('catalog', sorted[0]?.upstreamId ?? '')
  })
}

/** Releases all credentials of an upstream; those disabled by hand stay disabled. */
export async function releaseHolds(transaction: TablesTransaction, upstreamId: string): Promise<void> {
  await transaction
    .updateTable('credential_states')
    .set({ hold_json: null })
    .where('upstream_id', '=', upstreamId)
    .execute()
}

export function changeCredential(database: Database, change: CredentialChange) {
  return changing(database, async (transaction, record) => {
    const { upstreamId, name } = change
    const before = (await lockedState(transaction, change)) ?? { upstreamId, name, isDisabled: false, hold: null }
    const after: CredentialState = {
      ...before,
      isDisabled: change.isDisabled ?? before.isDisabled,
      hold: change.isReleased === true ? null : before.hold,
    }
    if (after.isDisabled === before.isDisabled && after.hold === before.hold) return { before, after, seq: null }
    await write(transaction, after)
    const { seq } = await record('catalog', upstreamId)
    return { before, after, seq }
  })
}

/** Locked with its upstream; null: there is no such upstream. */
async function lockedState(
  transaction: TablesTransaction,
  { upstreamId, name }: Pick<CredentialState, 'upstreamId' | 'name'>,
): Promise<CredentialState | null> {
  if (!(await lockId(transaction, 'upstreams', upstreamId))) return null
  const row = await transaction
    .selectFrom('credential_states')
    .selectAll()
    .where('upstream_id', '=', upstreamId)
    .where('name', '=', name)
    .executeTakeFirst()
  const hold = row === undefined ? null : (row.hold_json as StoredHold | null)
  return { upstreamId, name, isDisabled: row?.is_disabled ?? false, hold }
}

async function write(transaction: TablesTransaction, state: CredentialState): Promise<void> {
  const values = {
    is_disabled: state.isDisabled,
    hold_json: state.hold === null ? null : JSON.stringify(state.hold),
  }
  await transaction
    .insertInto('credential_states')
    .values({ upstream_id: state.upstreamId, name: state.name, ...values })
    .onConflict((conflict) => conflict.columns(['upstream_id', 'name']).doUpdateSet(values))
    .execute()
}

function keyOf({ upstreamId, name }: HoldNote): string {
  return `${upstreamId}\n${name}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
