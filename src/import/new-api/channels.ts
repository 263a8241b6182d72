import type {
  ImportNotes,
  PlannedCredential,
  PlannedTarget,
  PlannedUpstream,
  ProductWithDatabase,
} from '../import-plan.ts'
import { noteOtherKeys, objectIn } from '../set-values.ts'
import { entriesOf, integerIn, jsonOf, listIn, type Row, type SourceReader, textIn, words } from '../source.ts'
import { type AddressAbout, addressOf, noteOtherSettings, askedModel } from './channel-address.ts'
import { passageOf } from './channel-settings.ts'
import { BAIDU_V2, isPersonal, VOLC_ENGINE } from './channel-types.ts'
import { type ChannelKey, type CloudPart, cloudOf, cloudParts } from './cloud-channels.ts'
import type { GroupsOfUsers } from './groups.ts'
import { freeName } from '../planned-rows.ts'

const COLUMNS = words(
  'type key status name base_url models group priority weight model_mapping channel_info setting settings',
  'header_override param_override status_code_mapping system_prompt openai_organization',
  'open_ai_organization config other created_time',
)
/** Names in `channel_info`: what is read, and what the source counts for itself. */
const OF_KEYS = words(
  'is_multi_key multi_key_status_list multi_key_size multi_key_polling_index multi_key_disabled_reason',
  'multi_key_disabled_time',
)
const KEY_REASONS = { multi_key_mode: ': a credential here is chosen by its weight and by how it does' }
const DISABLED_BY_HAND = 2n
/** An id may come behind it. */
const LONGEST_NAME = 76
const CREDENTIALS_LIMIT = 500
const LARGEST_WEIGHT = 1_000_000

/** One place where a model is served. */
export interface ChannelModel {
  readonly name: string
  /** The type of the channel. */
  readonly type: string
  readonly target: PlannedTarget
}

export interface PlannedChannels {
  readonly upstreams: readonly PlannedUpstream[]
  readonly served: readonly ChannelModel[]
}

interface ChannelsAbout extends AddressAbout {
  readonly groups: GroupsOfUsers
}

/** Channels as upstreams, and what each of them serves. */
export async function planChannels(source: SourceReader, about: ChannelsAbout): Promise<PlannedChannels> {
  const rows = await Array.fromAsync(source.rows('channels', COLUMNS))
  const first = rows.reduce((most, row) => larger(most, priorityOf(row, about.product)), 0n)
  const upstreams: PlannedUpstream[] = []
  const served: ChannelModel[] = []
  const names = new Set<string>()
  for (const row of rows) {
    const made = madeOf(row, { ...about, names })
    upstreams.push(...made.map(({ upstream }) => upstream))
    if (made.length > 0 && made.every(({ upstream }) => upstream.credentials.every(({ isDisabled }) => isDisabled))) {
      const id = textIn(row, 'id')
      about.notes.note('channels', id, 'have no credential that is enabled: no model has a target there')
      continue
    }
    for (const part of made) served.push(...servedBy(row, part, { ...about, first }))
  }
  if (about.product === 'new-api') noteWeights(rows, about.notes)
  return { upstreams, served }
}

const BY_WEIGHT =
  'are drawn by their weights: where the source has neither Redis nor a memory cache, it adds 10 to each, which evens them out and draws those of 0 as well'

/** Names channels of one priority whose weights differ. */
function noteWeights(rows: readonly Row[], notes: ImportNotes): void {
  const weights = Map.groupBy(rows, (row) => textIn(row, 'priority'))
  for (const tier of weights.values()) {
    if (new Set(tier.map((row) => integerIn(row, 'weight') ?? 0n)).size === 1) continue
    for (const row of tier) notes.note('channels', textIn(row, 'id'), BY_WEIGHT)
  }
}

/** An upstream that is made of a channel; `models`: what it is asked for in place of names, and nothing else. null: of all. */
interface ChannelPart {
  readonly upstream: PlannedUpstream
  readonly models: ReadonlyMap<string, string> | null
}

function madeOf(row: Row, about: ChannelsAbout & { names: Set<string> }): readonly ChannelPart[] {
  const cloud = cloudOf(about.product, textIn(row, 'type'))
  if (cloud === undefined) {
    const upstream = upstreamOf(row, about)
    return upstream === null ? [] : [{ upstream, models: null }]
  }
  const { product, notes } = about
  const mapping = objectIn(row, 'model_mapping', { table: 'channels', notes })
  const models = [...new Set(listIn(row, 'models'))].flatMap((name) => {
    const asked = askedModel(name, mapping, product)
    return asked === null ? [] : [{ name, asked }]
  })
  const parts = cloudParts(row, cloud, { ...about, models, keys: keysOf(row, notes) })
  const { isLost, ...passage } = passageOf(row, notes)
  if (parts.length > 0) noteOtherSettings(row, about)
  const isDisabled = isLost || integerIn(row, 'status') === DISABLED_BY_HAND
  return parts.map((part) => ({
    upstream: cloudUpstream(row, part, { ...about, passage, isDisabled }),
    models: part.models,
  }))
}

function cloudUpstream(
  row: Row,
  { suffix, upstream }: CloudPart,
  {
    names,
    passage,
    isDisabled,
  }: { names: Set<string>; passage: Pick<PlannedUpstream, 'proxyUrl' | 'headers'>; isDisabled: boolean },
): PlannedUpstream {
  const id = textIn(row, 'id')
  const own = suffix === '' ? id : `${id} ${suffix}`
  return {
    ...upstream,
    id: own,
    name: freeName((textIn(row, 'name').trim() || `channel ${id}`).slice(0, LONGEST_NAME), own, names),
    credentials: upstream.credentials.map((each) => ({ ...each, isDisabled: isDisabled || each.isDisabled })),
    ...passage,
    maxConcurrency: null,
  }
}

function upstreamOf(row: Row, about: ChannelsAbout & { names: Set<string> }): PlannedUpstream | null {
  const { product, notes, names } = about
  const id = textIn(row, 'id')
  if (isPersonal(product, textIn(row, 'type'))) {
    notes.note('channels', id, 'are personal subscriptions, whose sign-in is not an API credential: refused')
    return null
  }
  const address = addressOf(row, about)
  if (address === null) return null
  noteOtherSettings(row, about)
  const { protocol, baseUrl } = address
  const { isLost, ...passage } = passageOf(row, notes)
  const isDisabled = isLost || address.isLost || hasAppId(row, about) || integerIn(row, 'status') === DISABLED_BY_HAND
  return {
    id,
    name: freeName((textIn(row, 'name').trim() || `channel ${id}`).slice(0, LONGEST_NAME), id, names),
    protocol,
    baseUrl,
    credentials: credentialsOf(row, { isDisabled, notes }),
    ...passage,
    maxConcurrency: null,
  }
}

/** Whether its key has another part behind it, which the source sends as a header. */
function hasAppId(row: Row, { product, notes }: ChannelsAbout): boolean {
  const isIt = product === 'new-api' && textIn(row, 'type') === BAIDU_V2 && textIn(row, 'key').includes('|')
  if (isIt)
    notes.note('channels', textIn(row, 'id'), 'have an app id in their key, which is not carried: it is disabled')
  return isIt
}

/** One for each line of the key, where a channel has several. */
function credentialsOf(
  row: Row,
  { isDisabled, notes }: { isDisabled: boolean; notes: ImportNotes },
): readonly PlannedCredential[] {
  const keys = keysOf(row, notes)
  const usable = keys.filter(({ text }) => isPrintable(text))
  if (usable.length < keys.length)
    notes.note('channels', textIn(row, 'id'), 'have keys that no API takes as a credential: those are left out')
  return usable.map((key) => ({ name: key.name, secret: key.text, isDisabled: isDisabled || key.isDisabled }))
}

/** The keys of a channel: its lines, or the entries of a list in JSON, where it has several. */
function keysOf(row: Row, notes: ImportNotes): readonly ChannelKey[] {
  const info = objectIn(row, 'channel_info', { table: 'channels', notes })
  const states = new Map(entriesOf(info.get('multi_key_status_list')))
  const isMulti = info.get('is_multi_key') === true
  const carried = isMulti ? OF_KEYS : [...OF_KEYS, 'multi_key_mode']
  noteOtherKeys(row, 'channel_info', { table: 'channels', notes, carried, reasons: KEY_REASONS })
  const written = textIn(row, 'key').trim()
  const listed = isMulti && written.startsWith('[') ? jsonOf(written) : undefined
  const lines = Array.isArray(listed)
    ? listed.map((entry: unknown) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
    : isMulti
      ? written.split('\n').map((line) => line.trim())
      : [written]
  if (lines.length > CREDENTIALS_LIMIT)
    notes.note('channels', textIn(row, 'id'), `have more than ${CREDENTIALS_LIMIT} keys: the others are left out`)
  return lines.slice(0, CREDENTIALS_LIMIT).map((text, i) => ({
    name: lines.length === 1 ? 'default' : `key ${i + 1}`,
    text,
    isDisabled: (states.get(String(i)) ?? 1) !== 1,
  }))
}

function isPrintable(secret: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(secret)
}

function servedBy(
  row: Row,
  { upstream, models }: ChannelPart,
  { product, groups, notes, first }: ChannelsAbout & { first: bigint },
): readonly ChannelModel[] {
  const id = textIn(row, 'id')
  const mapping = objectIn(row, 'model_mapping', { table: 'channels', notes })
  const names = [
    ...new Set(
      listIn(row, 'group')
        .filter((name) => groups.has(name))
        .flatMap((name) => groups.allOf(name)),
    ),
  ]
  if (names.length === 0) {
    notes.note('channels', id, 'are in no group that is there: nothing is served by them')
    return []
  }
  const weight =
    product === 'one-api' ? 1 : Math.min(Number(larger(integerIn(row, 'weight') ?? 0n, 0n)), LARGEST_WEIGHT)
  const priority = Math.min(Number(first - priorityOf(row, product)), LARGEST_WEIGHT)
  const type = textIn(row, 'type')
  return [...new Set(listIn(row, 'models'))].flatMap((name) => {
    const model = askedModel(name, mapping, product)
    if (model === null) {
      notes.note('channels', id, 'map models in a circle: those are not served')
      return []
    }
    if (product === 'new-api' && type === VOLC_ENGINE && model.startsWith('bot')) {
      notes.note('channels', id, 'ask bots at an address of their own there: those are not served')
      return []
    }
    const asked = models === null ? model : models.get(model)
    if (asked === undefined) return []
    const target = { upstream: upstream.name, model: asked, priority, weight, groups: names, costFactor: null }
    return [{ name, type, target }]
  })
}

/** Higher comes first there. In one-api all that is not above 0 is one pool. */
function priorityOf(row: Row, product: ProductWithDatabase): bigint {
  const priority = integerIn(row, 'priority') ?? 0n
  return product === 'one-api' ? larger(priority, 0n) : priority
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
