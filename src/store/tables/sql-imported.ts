import type { ImportedObject, ImportedStore } from '../../import/import-store.ts'
import type { NanoUsd } from '../../core/money.ts'
import { type Budget } from '../../metering/budgets/budget.ts'
import { movedLimit, newBudgetRow, type StoredBudget } from '../books/budget-rows.ts'
import { lockWindow } from '../books/window-rows.ts'
import { SqlStore, type TablesTransaction } from '../engine/database.ts'
import { lockRow } from '../engine/rows-by-id.ts'
import { changing } from '../engine/changes.ts'

export class SqlImportedStore extends SqlStore implements ImportedStore {
  async all(source: string, kind: string): Promise<ReadonlyMap<string, ImportedObject>> {
    const rows = await this.database.kysely
      .selectFrom('imported')
      .selectAll()
      .where('source', '=', source)
      .where('kind', '=', kind)
      .execute()
    return new Map(
      rows.map((row) => [
        row.source_id,
        { sourceId: row.source_id, objectId: row.object_id, state: row.state_json as ImportedObject['state'] },
      ]),
    )
  }

  async sources(kind: string): Promise<readonly string[]> {
    const rows = await this.database.kysely
      .selectFrom('imported')
      .select('source')
      .where('kind', '=', kind)
      .distinct()
      .orderBy('source')
      .execute()
    return rows.map(({ source }) => source)
  }

  async put(source: string, kind: string, { sourceId, objectId, state }: ImportedObject): Promise<void> {
    const values = { object_id: objectId, state_json: JSON.stringify(state) }
    await this.database.kysely
      .insertInto('imported')
      .values({ source, kind, source_id: sourceId, ...values })
      .onConflict((conflict) => conflict.columns(['source', 'kind', 'source_id']).doUpdateSet(values))
      .execute()
  }

  async announce(): Promise<number> {
    const { seq } = await changing(this.database, (_, record) => record('catalog', 'import'))
    return seq
  }

  bringUse(budget: Budget, use: { used: NanoUsd; endsAt: number | null }, nowMs: number): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const row = await rowOf(transaction, budget, nowMs)
      const used = row.used_nano - row.brought_nano + use.used
      const overrun = movedLimit({ ...row, used_nano: used }, row.limit_nano)
      await transaction
        .updateTable('budgets')
        .set({ ...overrun, used_nano: used, brought_nano: use.used, ends_at: endOf({ row, used, use }) })
        .where('id', '=', row.id)
        .execute()
    })
  }
}

/** A window that nothing was used of has no end; one that runs keeps the end that it has. */
function endOf({
  row,
  used,
  use,
}: {
  row: StoredBudget
  used: bigint
  use: { readonly endsAt: number | null }
}): number | null {
  if (row.window_ms === null) return row.ends_at
  return used === 0n ? null : (row.ends_at ?? use.endsAt)
}

/** Locked. One that was never drawn from is made. */
async function rowOf(transaction: TablesTransaction, budget: Budget, nowMs: number): Promise<StoredBudget> {
  const open = async (id: string) => {
    await transaction
      .insertInto('budgets')
      .values(newBudgetRow(budget, id))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
  if (budget.window !== null) return lockWindow(transaction, budget, { nowMs, open })
  await open(budget.id)
  const row = await lockRow(transaction, 'budgets', budget.id)
  if (row === undefined) throw new Error(`the budget ${budget.id} was made, and is not there`)
  return row
}
