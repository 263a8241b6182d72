import { ImportNotes, type ImportPlan, type ImportSettings } from '../import-plan.ts'
import { noteUnserved } from '../planned-models.ts'
import { type SourceReader, textIn } from '../source.ts'
import { readChannels } from './channel-tables.ts'
import { readCompositeRoutes } from './composite-routes.ts'
import { readGroups } from './groups.ts'
import { planKeys } from './keys.ts'
import { planPricedModels } from './planned-sub2api-models.ts'
import { listFrom } from './price-list.ts'
import { planSales } from './sales.ts'
import { planUpstreams, readAccounts } from './upstreams.ts'
import { readUsedModels } from './served-models.ts'
import { planUsers } from './users.ts'
import { isSetColumn } from '../left-behind.ts'

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

/** What of the site has a setting here as well, or gives money or rights to people: by the beginnings of names. */
const OF_THE_SITE =
  /^(?:site_|smtp_|registration_|email_verify|invitation_code|password_reset|totp_|oidc_|default_|turnstile_|payment_|affiliate_|promo_|balance_low|maintenance|backend_mode|openai_fast|rate_limit|pricing_|channel_)/

/** Settings, by their names: what they say may be a secret. Those of how sub2api itself runs are counted. */
async function noteSettings(source: SourceReader, notes: ImportNotes): Promise<void> {
  let others = 0
  for await (const row of source.rows('settings', ['key', 'value'])) {
    if (!isSetColumn(row, 'value')) continue
    const name = textIn(row, 'key')
    if (OF_THE_SITE.test(name))
      notes.note('settings', name, 'are settings that are not carried: see what of them is wanted here')
    else others += 1
  }
  if (others > 0) notes.note('settings', null, `${others} more, of how sub2api itself runs: not carried`)
}
