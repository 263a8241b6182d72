/** How many keys an account has of each sort, and may have. */
import type { NewKey } from '../../access/api-key.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { PLAYGROUND_KEYS_OF_AN_ACCOUNT_LIMIT } from '../../core/limits.ts'
import type { TablesTransaction } from '../engine/database.ts'

/** Visits to the playground and devices have a limit of their own, except where no key is allowed at all; null: other keys. */
export function ownLimit(key: NewKey, mostDevices: number = BOUNDS.settings.max_devices.most): number | null {
  if (key.device !== undefined) return mostDevices
  return key.isForPlayground === true ? PLAYGROUND_KEYS_OF_AN_ACCOUNT_LIMIT : null
}

/** Counts the keys of the account that a new one is counted with. */
export function countAlike(tables: Pick<TablesTransaction, 'selectFrom'>, key: NewKey): Promise<number> {
  if (key.device !== undefined) return countDevices(tables, key.accountId)
  return key.isForPlayground === true ? countVisits(tables, key) : countKeys(tables, key.accountId)
}

async function countDevices(tables: Pick<TablesTransaction, 'selectFrom'>, accountId: string): Promise<number> {
  const { devices } = await tables
    .selectFrom('api_keys')
    .select((key) => key.fn.countAll<number>().as('devices'))
    .where('account_id', '=', accountId)
    .where('status', '<>', 'deleted')
    .where('device_epoch', 'is not', null)
    .executeTakeFirstOrThrow()
  return devices
}

/** Counts keys that are not deleted, without those of the playground: no list shows them, and they end by themselves. */
export async function countKeys(tables: Pick<TablesTransaction, 'selectFrom'>, accountId: string): Promise<number> {
  const { keys } = await tables
    .selectFrom('api_keys')
    .select((key) => key.fn.countAll<number>().as('keys'))
    .where('account_id', '=', accountId)
    .where('status', '<>', 'deleted')
    .where('is_for_playground', '=', false)
    .where('device_epoch', 'is', null)
    .executeTakeFirstOrThrow()
  return keys
}

/** Counts the owner's keys of the playground that have not expired. */
async function countVisits(tables: Pick<TablesTransaction, 'selectFrom'>, key: NewKey): Promise<number> {
  const { keys } = await tables
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('keys'))
    .where('account_id', '=', key.accountId)
    .where('status', '<>', 'deleted')
    .where('is_for_playground', '=', true)
    .where('expires_at', '>', key.createdAt)
    .executeTakeFirstOrThrow()
  return keys
}
