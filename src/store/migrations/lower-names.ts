import type { TablesTransaction } from '../engine/database.ts'
import { searchForm } from '../schema/search-form.ts'

const PORTION = 500

/** Writes the names of all API keys as they are searched. */
export async function lowerNames(transaction: TablesTransaction): Promise<void> {
  for (let last = ''; ;) {
    const keys = await transaction
      .selectFrom('api_keys')
      .select(['id', 'name'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PORTION)
      .execute()
    for (const { id, name } of keys) {
      await transaction
        .updateTable('api_keys')
        .set({ name_lower: searchForm(name) })
        .where('id', '=', id)
        .execute()
    }
    const next = keys.at(-1)?.id
    if (next === undefined) return
    last = next
  }
}
