/** The hashes of keys’ secrets: those that they have, had before, and brought from another gateway until they are used here. */
import type { Selectable } from 'kysely'
import { BROUGHT_RANGE, type BroughtSecret, isBroughtKeyHash } from '../../access/brought-key.ts'
import type { Change } from '../../access/changes.ts'
import type { TablesTransaction } from '../engine/database.ts'
import type { ApiKeyRow } from '../schema/key-columns.ts'
import type { ChangeRecorder } from '../engine/changes.ts'

type KeyReader = Pick<TablesTransaction, 'selectFrom'>

/** The row of the key that has one of these hashes of a secret, now or before its last rotation; its own hash comes first. */
export async function rowBySecret(
  tables: KeyReader,
  hashes: readonly string[],
): Promise<Selectable<ApiKeyRow> | undefined> {
  const rows = await tables
    .selectFrom('api_keys')
    .selectAll()
    .where((row) => row.or([row('secret_hash', 'in', hashes), row('previous_secret_hash', 'in', hashes)]))
    .limit(2 * hashes.length)
    .execute()
  for (const hash of hashes) {
    const found = rows.find((row) => row.secret_hash === hash || row.previous_secret_hash === hash)
    if (found !== undefined) return found
  }
  return undefined
}

/** The row of the device's key that has a stored secret with this hash. */
export async function rowByDeviceSecret(
  tables: KeyReader,
  secretHash: string,
): Promise<(Selectable<ApiKeyRow> & { readonly secret_client: string }) | undefined> {
  return tables
    .selectFrom('api_keys')
    .innerJoin('device_secrets', 'device_secrets.key_id', 'api_keys.id')
    .selectAll('api_keys')
    .select('device_secrets.client as secret_client')
    .where('device_secrets.secret_hash', '=', secretHash)
    .executeTakeFirst()
}

/** Whether any is left, but for the key `except`. The unique indexes on hashes answer it. */
export async function hasBroughtHashes(tables: KeyReader, except = ''): Promise<boolean> {
  for (const column of ['secret_hash', 'previous_secret_hash'] as const) {
    const found = await tables
      .selectFrom('api_keys')
      .select('id')
      .where(column, '>=', BROUGHT_RANGE.from)
      .where(column, '<', BROUGHT_RANGE.before)
      .where('id', '<>', except)
      .limit(1)
      .executeTakeFirst()
    if (found !== undefined) return true
  }
  return false
}

/** Gateways look for such hashes only while there are any: they learn of the first. */
export async function recordFirstBrought(
  transaction: TablesTransaction,
  record: ChangeRecorder,
  { id, hash }: { readonly id: string; readonly hash: string },
): Promise<void> {
  if (isBroughtKeyHash(hash) && !(await hasBroughtHashes(transaction, id))) await record('catalog', id)
}

/** Puts a secret’s own hash in place of the one that was brought. Returns the id of its key; null: nothing was to be done. */
async function replaceBrought(
  transaction: TablesTransaction,
  { hash: brought, start, end }: BroughtSecret,
  secretHash: string,
): Promise<string | null> {
  if ((await rowBySecret(transaction, [secretHash])) !== undefined) return null
  const current = await transaction
    .updateTable('api_keys')
    .set({ secret_hash: secretHash, secret_start: start, secret_end: end })
    .where('secret_hash', '=', brought)
    .returning('id')
    .executeTakeFirst()
  if (current !== undefined) return current.id
  const previous = await transaction
    .updateTable('api_keys')
    .set({ previous_secret_hash: secretHash, previous_secret_end: end })
    .where('previous_secret_hash', '=', brought)
    .returning('id')
    .executeTakeFirst()
  return previous?.id ?? null
}

/** Does what `KeyStore.adopt` says, within `changing`. */
export async function adoptSecret(
  transaction: TablesTransaction,
  record: ChangeRecorder,
  { brought, secretHash }: { readonly brought: BroughtSecret; readonly secretHash: string },
): Promise<Change | null> {
  const id = await replaceBrought(transaction, brought, secretHash)
  if (id === null) return null
  // Behind the last of them, gateways need not look for such hashes any more.
  if (!(await hasBroughtHashes(transaction))) await record('catalog', id)
  return record('key', id)
}

/** Whether the hash is of a secret that a key had before a rotation. */
export async function wasRotatedAway(tables: KeyReader, secretHash: string): Promise<boolean> {
  const previous = await tables
    .selectFrom('api_keys')
    .select('id')
    .where('previous_secret_hash', '=', secretHash)
    .executeTakeFirst()
  return previous !== undefined || (await isRetired(tables, secretHash))
}

/** Whether a key had it before its last two rotations. */
export async function isRetired(tables: KeyReader, secretHash: string): Promise<boolean> {
  const retired = await tables
    .selectFrom('retired_secrets')
    .select('secret_hash')
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return retired !== undefined
}
