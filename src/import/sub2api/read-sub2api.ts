import { ImportNotes } from '../import-notes.ts'
import type { ImportPlan } from '../import-plan.ts'
import type { ImportSettings } from '../import-settings.ts'
import { noteUnserved, planModels } from '../planned-models.ts'
import { isSetColumn } from '../left-behind.ts'
import { type SourceReader, textIn } from '../source.ts'
import { withOwnPrices } from './group-prices.ts'
import { readGroups } from './groups.ts'
import { planKeys } from './keys.ts'
import { readPrices } from './prices.ts'
import { planSales } from './sales.ts'
import { planUpstreams } from './upstreams.ts'
import { planUsers } from './users.ts'

/** The plan for a database of sub2api, whose money is decimal USD. */
export async function readSub2api(source: SourceReader, settings: ImportSettings): Promise<ImportPlan> {
  const notes = new ImportNotes()
  const groups = await readGroups(source, notes)
  const accounts = await planUsers(source, { groups, settings, notes })
  const keys = await planKeys(source, { accounts, groups, notes })
  const { prices, amounts } = await readPrices(source, { settings, notes })
  const { upstreams, served } = await planUpstreams(source, { groups, pricedModels: [...prices.keys()], notes })
  const models = planModels(served, { table: 'accounts', pricesOf: (name) => prices.get(name) ?? null, notes })
  noteUnserved(prices.keys(), { models, notes })
  const sales = await planSales(source, { groups, accounts, notes, nowMs: settings.nowMs })
  await noteSettings(source, notes)
  return {
    product: 'sub2api',
    groups: withOwnPrices(groups, { models, amounts, notes }),
    upstreams,
    models,
    ...sales,
    accounts,
    keys,
    notes: notes.notes,
    approximations: notes.approximations,
  }
}

/** By their names: what they say may be a secret. */
async function noteSettings(source: SourceReader, notes: ImportNotes): Promise<void> {
  for await (const row of source.rows('settings', ['key', 'value'])) {
    if (isSetColumn(row, 'value')) notes.note('settings', textIn(row, 'key'), 'are settings that are not carried')
  }
}
