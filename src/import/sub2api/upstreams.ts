import { ONE_PPM } from '../../core/money.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { objectionToBaseUrl, readBaseUrl } from '../../routing/upstream-settings.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { PlannedTarget, PlannedUpstream } from '../import-plan.ts'
import { readSourceProxy, UNKNOWN_PROXY } from '../proxies.ts'
import { noteOtherKeys, objectIn } from '../set-values.ts'
import { decimalIn, entriesOf, integerIn, isTrueIn, jsonIn, type Row, type SourceReader, textIn } from '../source.ts'
import { nearest } from '../rational.ts'
import { type CompositeRoute, readCompositeRoutes } from './composite-routes.ts'
import type { Sub2apiGroups } from './groups.ts'
import { multiplierIn } from './money.ts'

const COLUMNS = [
  'name',
  'platform',
  'type',
  'credentials',
  'status',
  'concurrency',
  'priority',
  'load_factor',
  'proxy_id',
  'rate_multiplier',
  'extra',
  'schedulable',
  'deleted_at',
]
const PLATFORMS: Readonly<Record<string, { protocol: RemoteProtocol; origin: string; version: string }>> = {
  anthropic: { protocol: 'anthropic', origin: 'https://api.anthropic.com', version: '/v1' },
  openai: { protocol: 'openai', origin: 'https://api.openai.com', version: '/v1' },
  gemini: { protocol: 'gemini', origin: 'https://generativelanguage.googleapis.com', version: '/v1beta' },
}
/** A person's sign-in at a provider. */
const PERSONAL = ['oauth', 'setup-token', 'cookie']
const CARRIED = ['apikey', 'upstream']
/** Of `credentials`. */
const READ = ['api_key', 'base_url', 'model_mapping']
const LONGEST_NAME = 80
const LARGEST = 1_000_000

interface UpstreamsAbout {
  readonly groups: Sub2apiGroups
  /** Of the models that have a price, for accounts that serve whatever their platform has. */
  readonly pricedModels: readonly string[]
  readonly notes: ImportNotes
}

export async function planUpstreams(source: SourceReader, about: UpstreamsAbout) {
  const memberships = new Map<string, { groupId: string; priority: bigint | null }[]>()
  for await (const row of source.rows('account_groups', ['account_id', 'group_id', 'priority'])) {
    const id = textIn(row, 'account_id')
    const one = { groupId: textIn(row, 'group_id'), priority: integerIn(row, 'priority') }
    memberships.set(id, [...(memberships.get(id) ?? []), one])
  }
  const proxies = await readProxies(source)
  const routes = await readCompositeRoutes(source, about)
  const upstreams: PlannedUpstream[] = []
  const served: { readonly name: string; readonly target: PlannedTarget }[] = []
  const names = new Set<string>()
  for await (const row of source.rows('accounts', COLUMNS)) {
    if (row['deleted_at'] != null) about.notes.note('accounts', textIn(row, 'id'), 'are deleted there')
    const upstream = row['deleted_at'] == null ? upstreamOf(row, { ...about, proxies, names }) : null
    if (upstream === null) continue
    upstreams.push(upstream)
    if (isActive(row)) {
      served.push(...servedBy(row, upstream, { ...about, routes, memberships: memberships.get(upstream.id) ?? [] }))
    } else
      about.notes.note(
        'accounts',
        upstream.id,
        'are not active there: their credentials are disabled, and no model has a target there',
      )
  }
  return { upstreams, served }
}

/** One that is not schedulable is asked nothing. */
function isActive(row: Row): boolean {
  return textIn(row, 'status') === 'active' && (row['schedulable'] == null || isTrueIn(row, 'schedulable'))
}

function upstreamOf(
  row: Row,
  { notes, proxies, names }: UpstreamsAbout & { proxies: ReadonlyMap<string, string>; names: Set<string> },
): PlannedUpstream | null {
  const id = textIn(row, 'id')
  const type = textIn(row, 'type')
  const platform = PLATFORMS[textIn(row, 'platform')]
  const credentials = Object.fromEntries(objectIn(row, 'credentials', { table: 'accounts', notes }))
  const secret = credentials['api_key']
  if (PERSONAL.includes(type)) {
    notes.note('accounts', id, 'are personal subscriptions, whose sign-in is not an API credential: refused')
    return null
  }
  if (!CARRIED.includes(type) || platform === undefined) {
    notes.note(
      'accounts',
      id,
      `are of ${textIn(row, 'platform')} by ${type}, which is not carried: set them up by hand`,
    )
    return null
  }
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(secret)) {
    notes.note('accounts', id, 'have no API key that can be sent')
    return null
  }
  const given =
    typeof credentials['base_url'] === 'string' ? credentials['base_url'].trim().replace(/\/{1,10}$/, '') : ''
  const origin = given === '' ? platform.origin : given
  const baseUrl = /\/v\d\w{0,8}$/.test(origin) ? origin : origin + platform.version
  const address = readBaseUrl(baseUrl)
  if (address === null || objectionToBaseUrl(platform.protocol, address) !== null) {
    notes.note('accounts', id, 'name no base URL that can be used: set them up by hand')
    return null
  }
  noteOtherKeys(row, 'credentials', { table: 'accounts', notes, carried: READ })
  noteOtherKeys(row, 'extra', { table: 'accounts', notes, carried: [] })
  const proxy = proxies.get(textIn(row, 'proxy_id'))
  const isLost = proxy === undefined && !['', '0'].includes(textIn(row, 'proxy_id'))
  if (isLost) notes.note('accounts', id, UNKNOWN_PROXY)
  const short = textIn(row, 'name').trim().slice(0, LONGEST_NAME) || `account ${id}`
  const name = names.has(short) ? `${short} (${id})` : short
  names.add(name)
  const concurrency = Number(integerIn(row, 'concurrency') ?? 0n)
  return {
    id,
    name,
    protocol: platform.protocol,
    baseUrl: address,
    credentials: [{ name: 'default', secret, isDisabled: isLost || !isActive(row) }],
    proxyUrl: proxy ?? null,
    headers: {},
    maxConcurrency: concurrency > 0 ? concurrency : null,
  }
}

/** One target for each priority that the account has in a group. */
function servedBy(
  row: Row,
  upstream: PlannedUpstream,
  {
    groups,
    pricedModels,
    notes,
    memberships,
    routes,
  }: UpstreamsAbout & {
    memberships: readonly { groupId: string; priority: bigint | null }[]
    routes: ReadonlyMap<string, readonly CompositeRoute[]>
  },
) {
  const mapping = entriesOf(Object.fromEntries(entriesOf(jsonIn(row, 'credentials')))['model_mapping'])
  const plain = mapping.flatMap(([name, model]) =>
    name.includes('*') || typeof model !== 'string' || model === '' ? [] : [[name, model] as const],
  )
  if (plain.length < mapping.length)
    notes.note('accounts', upstream.id, 'map models by patterns, which are not carried')
  const models = mapping.length === 0 ? pricedModels.map((name) => [name, name] as const) : plain
  const byPriority = new Map<string, { priority: number; names: string[]; routes: typeof models }>()
  for (const { groupId, priority } of memberships) {
    const place = Math.min(Math.max(Number(priority ?? integerIn(row, 'priority') ?? 0n), 0), LARGEST)
    const own = routes.get(groupId)
    // Groups of one platform serve what the account does; each composite one what its routes name.
    const key = own === undefined ? `${place}` : `${place} ${groupId}`
    const known = byPriority.get(key) ?? {
      priority: place,
      names: [],
      routes: own === undefined ? models : routed(own),
    }
    byPriority.set(key, { ...known, names: [...known.names, ...groups.allOf(groupId)] })
  }
  if (mapping.length === 0 && [...byPriority.values()].some((each) => each.routes === models)) {
    notes.note(
      'accounts',
      upstream.id,
      'serve whatever their platform has: here they serve the models that have a price there',
    )
  }
  const factor = decimalIn(row, 'load_factor')
  const weight = factor === null ? 1 : Math.min(Number(nearest(factor)), LARGEST)
  const cost = multiplierIn(row, 'rate_multiplier')
  const costFactor = cost === ONE_PPM ? null : cost
  return [...byPriority.values()].flatMap(({ priority, names, routes: carried }) =>
    names.length === 0
      ? []
      : carried.map(([name, model]) => ({
          name,
          target: { upstream: upstream.name, model, priority, weight, groups: names, costFactor },
        })),
  )

  /** Of the account’s platform; its own mapping comes after the route’s. */
  function routed(own: readonly CompositeRoute[]): typeof models {
    const mapped = new Map(plain)
    return own.flatMap(({ name, platform, model }) =>
      platform === textIn(row, 'platform') ? [[name, mapped.get(model) ?? model] as const] : [],
    )
  }
}

async function readProxies(source: SourceReader): Promise<ReadonlyMap<string, string>> {
  const proxies = new Map<string, string>()
  for await (const row of source.rows('proxies', ['protocol', 'host', 'port', 'username', 'password'])) {
    const login = [textIn(row, 'username'), textIn(row, 'password')].map(encodeURIComponent).join(':')
    const url = `${textIn(row, 'protocol')}://${login === ':' ? '' : `${login}@`}${textIn(row, 'host')}:${textIn(row, 'port')}`
    const read = readSourceProxy(url)
    if (read !== null) proxies.set(textIn(row, 'id'), read)
  }
  return proxies
}
