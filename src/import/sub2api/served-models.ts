import type { ImportNotes } from '../import-plan.ts'
import { entriesOf, isTrueIn, jsonIn, type Row, textIn, type SourceReader } from '../source.ts'
import { cardFor, namesOf, ownCards, type PricedChannel, type PricedChannels } from './channel-tables.ts'
import type { ChargedModel } from './charged-prices.ts'
import type { CompositeRoute } from './composite-routes.ts'
import type { Sub2apiGroups } from './groups.ts'
import { isPattern, mappedBy, type NameMap, nameMap, renamedBy } from './model-names.ts'
import { platformOf } from './platforms.ts'
import type { Sub2apiList } from './price-list.ts'

/** A model that an account serves to a group. */
export interface ServedModel extends ChargedModel {
  /** The name that clients ask for. */
  readonly name: string
  /** The model as the account's host knows it. */
  readonly model: string
}

export interface ServedAbout {
  readonly groups: Sub2apiGroups
  readonly channels: PricedChannels
  readonly routes: ReadonlyMap<string, readonly CompositeRoute[]>
  readonly used: UsedModels
  readonly list: Sub2apiList
  readonly notes: ImportNotes
}

/** Settings of an account that are read here. */
export const OF_MODELS = {
  credentials: ['model_mapping'],
  extra: ['openai_long_context_billing_enabled', 'openai_passthrough'],
}

/** What an account serves there, in the groups that it is in. */
export function servedBy(row: Row, groupIds: readonly string[], about: ServedAbout): readonly ServedModel[] {
  const account = accountOf(row)
  const { map, platform, id } = account
  const ofGroups = groupIds.flatMap((groupId) => {
    const group = about.groups.rows.get(groupId)
    if (group === undefined) return []
    const routes = about.routes.get(groupId)
    if (routes !== undefined) return routed(account, { groupId, group, routes })
    const ofGroup = textIn(group, 'platform')
    return ofGroup === '' || ofGroup === platform ? inGroup(account, { groupId, group }, about) : []
  })
  const servesAll = map === null && groupIds.some((groupId) => !about.routes.has(groupId))
  if (servesAll) about.notes.note('accounts', id, SERVE_ALL)
  else if (map?.some(([from]) => isPattern(from)) === true) about.notes.note('accounts', id, BY_PATTERNS)
  return ofGroups
}

const SERVE_ALL = 'serve whatever their platform has: here they serve what has a price there or was used lately'
const BY_PATTERNS = 'map models by patterns, which are carried for what has a price there or was used lately'

interface ServingAccount {
  readonly id: string
  readonly platform: string
  /** null: it serves all names, as they are. */
  readonly map: NameMap | null
  readonly isLong: boolean
}

function accountOf(row: Row): ServingAccount {
  const extra = Object.fromEntries(entriesOf(jsonIn(row, 'extra')))
  const map = nameMap(entriesOf(Object.fromEntries(entriesOf(jsonIn(row, 'credentials')))['model_mapping']))
  const platform = textIn(row, 'platform')
  const { hasSwitches } = platformOf(platform)
  return {
    id: textIn(row, 'id'),
    platform,
    map: map.length === 0 || (hasSwitches && extra['openai_passthrough'] === true) ? null : map,
    isLong: hasSwitches && extra['openai_long_context_billing_enabled'] === true,
  }
}

interface InGroup {
  readonly groupId: string
  readonly group: Row
}

/** Each composite group serves what its routes name; the account's own map comes after the route's. */
function routed(
  account: ServingAccount,
  { groupId, group, routes }: InGroup & { readonly routes: readonly CompositeRoute[] },
): readonly ServedModel[] {
  const { platform, map } = account
  return routes
    .filter((route) => route.platform === platform)
    .map(({ name, model: concrete }) => {
      const model = mappedBy(map ?? [], concrete) ?? concrete
      const names = inOrder(platformOf(platform).isChargedAsAsked ? [concrete, model] : [model, concrete, name])
      return { name, model, groupId, platform, names, alias: name, isLong: isLongIn(group, account) }
    })
}

function inGroup(account: ServingAccount, { groupId, group }: InGroup, about: ServedAbout): readonly ServedModel[] {
  const { platform, map } = account
  const channel = about.channels.ofGroup(groupId)
  const renames = channel?.namesFor(platform) ?? []
  const names = knownNames(account, { group, channel, renames }, about)
  return names.flatMap((name) => {
    const renamed = renamedBy(renames, name)
    const model = map === null ? renamed : mappedBy(map, renamed)
    if (model === undefined || model === '' || isPattern(model)) return []
    const charged = chargedNames({ platform, name, renamed, model, channel })
    // Before an account is chosen, and so by the name before its map, but where that counts.
    const looked = channel?.billedBy === 'requested' ? name : channel?.billedBy === 'upstream' ? model : renamed
    if (channel?.restricts === true && cardFor(channel.cards, platform, looked) === undefined) return []
    return [{ name, model, groupId, platform, names: charged, alias: null, isLong: isLongIn(group, account) }]
  })
}

/** What clients are known to ask for in a group: no list of the source says what an account without a map serves. */
function knownNames(
  { platform, map }: ServingAccount,
  { group, channel, renames }: { group: Row; channel: PricedChannel | undefined; renames: NameMap },
  { used, list }: ServedAbout,
): readonly string[] {
  const lately = used.get(platform)
  const names = [
    ...(map ?? []).map(([from]) => from),
    ...renames.map(([from]) => from),
    ...namesOf(ownCards(group), platform),
    ...namesOf(channel?.cards ?? [], platform),
    ...(lately ?? (map === null ? list.namesFor(platform) : [])),
  ]
  return [...new Set(names.filter((name) => !isPattern(name)))]
}

/** The names by which a request is charged, one after the other until one has a price. */
function chargedNames({
  platform,
  name,
  renamed,
  model,
  channel,
}: {
  platform: string
  name: string
  renamed: string
  model: string
  channel: PricedChannel | undefined
}): readonly string[] {
  const isAsked = channel?.billedBy === 'requested'
  if (platformOf(platform).isChargedAsAsked) return inOrder([isAsked ? name : renamed, model, renamed])
  const isRenamed = channel?.billedBy === 'channel_mapped' && renamed !== name
  return inOrder([...(isAsked ? [name] : isRenamed ? [renamed] : []), model, renamed, name])
}

function inOrder(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}

/** Whether a group is charged by length. Before groups could say so, all were. */
function isLongIn(group: Row, account: ServingAccount): boolean {
  return (
    account.isLong || group['long_context_pricing_enabled'] == null || isTrueIn(group, 'long_context_pricing_enabled')
  )
}

const COLUMNS = ['requested_model', 'model', 'upstream_model', 'account_id']

/** Models that were asked for lately, by platform: accounts without a map of models serve whatever their platform has. */
type UsedModels = ReadonlyMap<string, readonly string[]>

export async function readUsedModels(
  source: SourceReader,
  { accounts, notes }: { readonly accounts: readonly Row[]; readonly notes: ImportNotes },
): Promise<UsedModels> {
  const platforms = new Map(accounts.map((row) => [textIn(row, 'id'), textIn(row, 'platform')]))
  const used = new Map<string, Set<string>>()
  for (const row of await source.latest('usage_logs', COLUMNS)) {
    const platform = platforms.get(textIn(row, 'account_id'))
    const name = textIn(row, 'requested_model') || textIn(row, 'model')
    if (platform === undefined || name === '' || isPattern(name)) continue
    const upstream = textIn(row, 'upstream_model')
    if (platformOf(platform).answersOthers?.test(name) === true && upstream !== '' && upstream !== name) {
      notes.note('models', name, 'were answered by another model by a rule of their group, which is not carried')
      continue
    }
    used.set(platform, (used.get(platform) ?? new Set()).add(name))
  }
  return new Map([...used].map(([platform, names]) => [platform, [...names].sort()]))
}
