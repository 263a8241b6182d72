import { DECLARATIVE_FILE_LIMIT_BYTES, EXPORTED_ACCOUNTS_LIMIT, EXPORTED_KEYS_LIMIT } from './file-bounds.ts'
import type { Store } from '../../store/store.ts'
import { type Exported, exportFile } from './export-file.ts'

/** The installation as a declarative file, secrets encrypted; null: it is too large to be made beside requests. */
export async function boundedExport(store: Store, nowMs: number): Promise<Exported | null> {
  const [accounts, keys] = await Promise.all([
    store.accounts.list(EXPORTED_ACCOUNTS_LIMIT + 1),
    store.keys.list({ limit: EXPORTED_KEYS_LIMIT + 1 }),
  ])
  if (accounts.length > EXPORTED_ACCOUNTS_LIMIT || keys.length > EXPORTED_KEYS_LIMIT) return null
  const exported = await exportFile({ store, opener: null, nowMs })
  return Buffer.byteLength(exported.text) > DECLARATIVE_FILE_LIMIT_BYTES ? null : exported
}
