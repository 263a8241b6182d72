import { ImportNotes } from '../import-notes.ts'
import type { ImportPlan, Product } from '../import-plan.ts'
import type { ImportSettings } from '../import-settings.ts'
import { noteUnserved, planModels } from '../planned-models.ts'
import { jsonOf, type Row, type SourceReader, textIn } from '../source.ts'
import { groupOf, planAccounts, readUsers } from './accounts.ts'
import { planChannels } from './channels.ts'
import { type GroupsOfUsers, readGroups } from './groups.ts'
import { type Options, quotaPerUsd, ratiosIn, readOptions, STANDARD_QUOTA_PER_USD } from './options.ts'
import { pricesIn } from './prices.ts'
import { QuotaInUsd } from './quota.ts'
import { planSales } from './sales.ts'
import { planKeys } from './tokens.ts'

/** The plan for a database of new-api or one-api, which it once was a fork of. */
export async function readNewApi(
  source: SourceReader,
  product: Extract<Product, 'new-api' | 'one-api'>,
  settings: ImportSettings,
): Promise<ImportPlan> {
  const notes = new ImportNotes()
  const options = await readOptions(source)
  const quota = new QuotaInUsd(quotaPerUsd(options))
  const users = await readUsers(source, notes)
  const userGroups = new Map(users.map((user) => [textIn(user, 'id'), groupOf(user)]))
  const groups = readGroups(options, { product, userGroups: new Set(userGroups.values()), notes })
  const issuer = options.get('oidc.well_known') ?? ''
  const accounts = planAccounts(users, { product, groups, quota, settings, notes, issuer })
  const auto = jsonOf(options.get('AutoGroups') ?? '')
  const autoGroups = Array.isArray(auto) ? auto.map(String) : ['default']
  const keys = await planKeys(source, {
    product,
    accounts,
    userGroups,
    groups,
    autoGroups,
    quota,
    notes,
    nowMs: settings.nowMs,
  })
  const channels = await planChannels(source, { product, groups, notes })
  const sales = await planSales(source, { groups, accounts, quota, notes, nowMs: settings.nowMs })
  quota.noteRest(notes)
  const pricesOf = pricesIn(options, { product, settings, notes })
  const models = planModels(channels.served, { table: 'channels', pricesOf, notes })
  const priced = ['ModelPrice', 'ModelRatio'].flatMap((name) => [...(ratiosIn(options, name)?.keys() ?? [])])
  noteUnserved(
    priced.filter((name) => !OF_ONE_TYPE.test(name)),
    { models, notes },
  )
  notePrices(options, notes)
  noteUnit(options, notes)
  if (product === 'one-api' && models.some(({ prices }) => prices !== null)) {
    notes.note('models', null, CACHED_AS_OTHER)
  }
  if (product === 'one-api') noteDearer(users, groups, notes)
  for (const name of options.left) notes.note('options', name, 'are settings that are not carried')
  return {
    product,
    groups: groups.groups,
    upstreams: channels.upstreams,
    models,
    ...sales,
    accounts,
    keys,
    notes: notes.notes,
    approximations: notes.approximations,
  }
}

const CACHED_AS_OTHER =
  'cached input costs what other input does there, and so here: set its price on the page of a model, or import list prices'

/** A user there has no other group than their own; here `default` is open to all. */
function noteDearer(users: readonly Row[], { groups }: GroupsOfUsers, notes: ImportNotes): void {
  const multipliers = new Map(groups.map(({ name, multiplier }) => [name, multiplier]))
  const usual = multipliers.get('default')
  if (usual === undefined) return
  for (const user of users) {
    if ((multipliers.get(groupOf(user)) ?? usual) > usual) notes.note('users', textIn(user, 'id'), MAY_PAY_LESS)
  }
}

const MAY_PAY_LESS =
  'pay a higher ratio there than that of default, in which they may make keys here, since it is open to all: close it where that matters'

/** Every amount depends on it. */
function noteUnit(options: Options, notes: ImportNotes): void {
  const set = options.get('QuotaPerUnit')?.trim() ?? ''
  const isUsual = ['', '0', String(STANDARD_QUOTA_PER_USD)].includes(set)
  if (isUsual) return
  notes.note(
    'options',
    'QuotaPerUnit',
    `is ${set}: all amounts are read as so many units for 1 USD, where 500000 are usual`,
  )
}

/** A price may be of one type of channels alone. */
const OF_ONE_TYPE = /\(\d+\)$/

function notePrices(options: Options, notes: ImportNotes): void {
  for (const name of ['ModelRatio', 'CompletionRatio']) {
    for (const model of (ratiosIn(options, name) ?? new Map<string, unknown>()).keys()) {
      if (OF_ONE_TYPE.test(model))
        notes.note('options', `${name} ${model}`, 'are prices of one type of channels: not carried')
    }
  }
}
