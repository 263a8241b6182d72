import type { AddressUse } from '../../access/key-store.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'

/** Writes down from where keys were used last, each by itself: locks on several rows could meet those of a settlement. */
export async function noteAddresses(database: Database, uses: readonly AddressUse[]): Promise<void> {
  for (const { keyId, accountId, address, usedAt } of uses) {
    await database.kysely
      .updateTable('key_activity')
      .set({ last_address: address, last_address_at: usedAt })
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .where((row) => row.or([row('last_address_at', 'is', null), row('last_address_at', '<', usedAt)]))
      .execute()
  }
}

/** Deletes from where a deleted key was used; a request that still runs does not bring it back. */
export async function forgetAddress(transaction: TablesTransaction, accountId: string, keyId: string): Promise<void> {
  await transaction
    .updateTable('key_activity')
    .set({ last_address: null, last_address_at: Number.MAX_SAFE_INTEGER })
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId)
    .execute()
}
