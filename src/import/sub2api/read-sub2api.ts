import { ImportNotes } from '../import-notes.ts'
import type { ImportPlan } from '../import-plan.ts'
import type { ImportSettings } from '../import-settings.ts'
import { noteUnserved } from '../planned-models.ts'
import type { SourceReader } from '../source.ts'
import { readChannels } from './channel-tables.ts'
import { readCompositeRoutes } from './composite-routes.ts'
import { readGroups } from './groups.ts'
import { planKeys } from './keys.ts'
import { planPricedModels } from './planned-sub2api-models.ts'
import { listFrom } from './price-list.ts'
import { planSales } from './sales.ts'
import { noteSettings } from './site-settings.ts'
import { planUpstreams, readAccounts } from './upstreams.ts'
import { readUsedModels } from './used-models.ts'
import { planUsers } from './users.ts'

/** The plan for a database of sub2api, whose money is decimal USD. */
export async function readSub2api(source: SourceReader, settings: ImportSettings): Promise<ImportPlan> {
  const notes = new ImportNotes()
  const list = listFrom(settings)
  const groups = await readGroups(source, notes)
  const people = await planUsers(source, { groups, settings, notes })
  const keys = await planKeys(source, { accounts: people, groups, notes })
  const channels = await readChannels(source, notes)
  const accounts = await readAccounts(source)
  const used = await readUsedModels(source, { accounts, notes })
  const routes = await readCompositeRoutes(source, { groups, notes })
  const { nowMs } = settings
  const { upstreams, served } = await planUpstreams(source, {
    accounts,
    groups,
    channels,
    routes,
    used,
    list,
    notes,
    nowMs,
  })
  const priced = planPricedModels(served, { groups, channels, list, keys, settings, notes })
  noteUnserved(channels.names, { models: priced.models, notes })
  const sales = await planSales(source, { groups, accounts: people, notes, nowMs })
  await noteSettings(source, notes)
  return {
    product: 'sub2api',
    groups: priced.groups,
    upstreams,
    models: priced.models,
    ...sales,
    accounts: people,
    keys,
    notes: notes.notes,
    approximations: notes.approximations,
  }
}
