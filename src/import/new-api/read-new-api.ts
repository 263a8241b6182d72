import { ImportNotes, type ImportPlan, type Product, type ImportSettings } from '../import-plan.ts'
import { noteUnserved, planModels } from '../planned-models.ts'
import { isSame } from '../rational.ts'
import { entriesOf, ImportRefusal, jsonOf, type Row, type SourceReader, textIn } from '../source.ts'
import { groupOf, planAccounts, readUsers, noteSecondFactors } from './accounts.ts'
import { planChannels, type ChannelModel } from './channels.ts'
import { type GroupsOfUsers, readGroups } from './groups.ts'
import { oneApiPricesIn } from './one-api-prices.ts'
import { ONE_API_MODEL_RATIOS } from './one-api-ratios.ts'
import { type Options, quotaPerUsd, ratiosIn, readOptions, STANDARD_QUOTA_PER_USD, QuotaInUsd } from './options.ts'
import { pricesIn } from './prices.ts'
import { planSales } from './sales.ts'
import { planKeys } from './tokens.ts'

/** The plan for a database of new-api or one-api, which it once was a fork of. */
export async function readNewApi(
  source: SourceReader,
  product: Extract<Product, 'new-api' | 'one-api'>,
  settings: ImportSettings,
): Promise<ImportPlan> {
  const isOneApi = product === 'one-api'
  if (isOneApi && settings.pricing !== null) throw new ImportRefusal(NO_ANSWER)
  const notes = new ImportNotes()
  const options = await readOptions(source)
  const quota = new QuotaInUsd(quotaPerUsd(options))
  const users = await readUsers(source, notes)
  const userGroups = new Map(users.map((user) => [textIn(user, 'id'), groupOf(user)]))
  const groups = readGroups(options, { product, userGroups: new Set(userGroups.values()), notes })
  const issuer = options.get('oidc.well_known') ?? ''
  const accounts = planAccounts(users, { product, groups, quota, settings, notes, issuer })
  await noteSecondFactors(source, accounts, notes)
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
  const geminiVersion = geminiVersionIn(options)
  const channels = await planChannels(source, { product, groups, geminiVersion, notes })
  const sales = await planSales(source, { groups, accounts, quota, notes, nowMs: settings.nowMs })
  quota.noteRest(notes)
  const { served } = channels
  const pricesOf = isOneApi
    ? oneApiPricesIn(options, { served, settings, notes })
    : pricesIn(options, { settings, notes })
  const models = planModels(served, { table: 'channels', pricesOf, notes })
  noteUnserved(pricedIn(options, product), { models: isOneApi ? askedFor(served) : models, notes })
  noteUnit(options, notes)
  if (isOneApi && models.some(({ prices }) => prices !== null)) {
    notes.note('models', null, CACHED_AS_OTHER)
  }
  if (isOneApi) noteDearer(users, groups, notes)
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

const NO_ANSWER =
  'one-api has no answer that --pricing could name: what its database does not say is built into it, and known here.'
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
  const what = `is ${set}: all amounts are read as so many units for 1 USD, where 500000 are usual`
  notes.note('options', 'QuotaPerUnit', what)
}

/** A price may be of one type of channels alone. */
const OF_ONE_TYPE = /\(\d+\)$/

/** The models that have a price in the database, but those that one-api has written there of its own. */
function pricedIn(options: Options, product: Product): ReadonlySet<string> {
  const prices = [...(ratiosIn(options, 'ModelPrice')?.keys() ?? [])]
  const ratios = [...(ratiosIn(options, 'ModelRatio') ?? [])].flatMap(([name, ratio]) => {
    const builtIn = product === 'one-api' ? ONE_API_MODEL_RATIOS.get(name) : undefined
    return builtIn !== undefined && isSame(ratio, builtIn) ? [] : [name.replace(OF_ONE_TYPE, '')]
  })
  return new Set([...prices, ...ratios])
}

/** one-api has its prices by the names under which providers are asked. */
function askedFor(served: readonly ChannelModel[]): readonly { readonly name: string }[] {
  return served.map(({ target }) => ({ name: target.model }))
}

/** The version of Gemini’s API, where it was changed. */
function geminiVersionIn(options: Options): string | null {
  const set = new Map(entriesOf(jsonOf(options.get('gemini.version_settings') ?? '')))
  const version = set.get('default')
  return typeof version === 'string' && /^v\d\w{0,16}$/.test(version) ? version : null
}
