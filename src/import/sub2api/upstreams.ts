import { ONE_PPM } from '../../core/money.ts'
import { objectionToBaseUrl, readBaseUrl } from '../../routing/upstream-settings.ts'
import type { ImportNotes, PlannedTarget, PlannedUpstream } from '../import-plan.ts'
import { readSourceProxy, UNKNOWN_PROXY } from '../proxies.ts'
import { nearest } from '../rational.ts'
import { noteOtherKeys, objectIn } from '../set-values.ts'
import { decimalIn, integerIn, isTrueIn, momentIn, textIn, entriesOf, jsonIn, words } from '../source.ts'
import type { Row, SourceReader } from '../source.ts'
import { multiplierIn } from './money.ts'
import { OF_MODELS, type ServedAbout, servedBy, type ServedModel } from './served-models.ts'
import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { isKnownPlatform, type Platform, platformOf } from './platforms.ts'
import { freeName } from '../planned-rows.ts'

const COLUMNS = words(
  'name platform type credentials status concurrency priority load_factor proxy_id rate_multiplier extra',
  'schedulable expires_at auto_pause_on_expired deleted_at',
)
/** A person's sign-in at a provider. */
const PERSONAL = ['oauth', 'setup-token', 'cookie']
const CARRIED = ['apikey', 'upstream']
/** Settings of an account that say its address. */
const OF_ADDRESS = {
  credentials: ['base_url', 'api_protocol', 'account_mode'],
  extra: ['openai_responses_supported', 'openai_responses_mode'],
}
const READ = {
  credentials: ['api_key', ...OF_ADDRESS.credentials, ...OF_MODELS.credentials],
  extra: [...OF_ADDRESS.extra, ...OF_MODELS.extra],
}
const LONGEST_NAME = 80
const LARGEST = 1_000_000

/** Where a model is served there, as a target of its own here. */
export interface ServedTarget {
  readonly served: ServedModel
  readonly target: Omit<PlannedTarget, 'model' | 'groups'>
}

export function readAccounts(source: SourceReader): Promise<readonly Row[]> {
  return Array.fromAsync(source.rows('accounts', COLUMNS))
}

export async function planUpstreams(
  source: SourceReader,
  about: ServedAbout & { readonly accounts: readonly Row[]; readonly nowMs: number },
): Promise<{ readonly upstreams: readonly PlannedUpstream[]; readonly served: readonly ServedTarget[] }> {
  const memberships = await readMemberships(source)
  const proxies = await readProxies(source)
  const upstreams: PlannedUpstream[] = []
  const served: ServedTarget[] = []
  const names = new Set<string>()
  const hasFactors = about.accounts.some((row) => decimalIn(row, 'load_factor') !== null)
  for (const row of about.accounts) {
    const id = textIn(row, 'id')
    const isAsked = isActive(row, about.nowMs)
    const upstream = upstreamOf(row, { ...about, proxies, names, isAsked })
    if (typeof upstream !== 'string') upstreams.push(upstream)
    if (typeof upstream === 'string' || !isAsked) {
      about.notes.note('accounts', id, typeof upstream === 'string' ? upstream : NOT_ASKED)
      continue
    }
    const target = targetOf(row, { upstream, hasFactors })
    served.push(...servedBy(row, memberships.get(id) ?? [], about).map((each) => ({ served: each, target })))
  }
  return { upstreams, served }
}

const NOT_ASKED =
  'are not active there, or have expired: their credentials are disabled, and no model has a target there'

/** Reads the groups of each account. The priority beside each is its place among the account's groups, and orders nothing. */
async function readMemberships(source: SourceReader): Promise<ReadonlyMap<string, readonly string[]>> {
  const memberships = new Map<string, string[]>()
  for await (const row of source.rows('account_groups', ['account_id', 'group_id', 'priority'])) {
    const id = textIn(row, 'account_id')
    memberships.set(id, [...(memberships.get(id) ?? []), textIn(row, 'group_id')])
  }
  return memberships
}

/** Whether an account is asked: not one that is not schedulable, nor one that has expired, unless that was switched off. */
function isActive(row: Row, nowMs: number): boolean {
  const expiresAt = momentIn(row, 'expires_at')
  const pauses = row['auto_pause_on_expired'] == null || isTrueIn(row, 'auto_pause_on_expired')
  const isOver = pauses && expiresAt !== null && expiresAt <= nowMs
  const isSchedulable = row['schedulable'] == null || isTrueIn(row, 'schedulable')
  return textIn(row, 'status') === 'active' && isSchedulable && !isOver
}

/** A sentence: why it is none here. */
function upstreamOf(
  row: Row,
  about: { notes: ImportNotes; proxies: ReadonlyMap<string, string>; names: Set<string>; isAsked: boolean },
): PlannedUpstream | string {
  if (row['deleted_at'] != null) return 'are deleted there'
  const { notes, proxies, names, isAsked } = about
  const id = textIn(row, 'id')
  const type = textIn(row, 'type')
  const address = addressOf(row)
  const secret = objectIn(row, 'credentials', { table: 'accounts', notes }).get('api_key')
  if (PERSONAL.includes(type)) return 'are personal subscriptions, whose sign-in is not an API credential: refused'
  if (!CARRIED.includes(type) || address === null)
    return `are of ${textIn(row, 'platform')} by ${type}, which is not carried: set them up by hand`
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(secret)) return 'have no API key that can be sent'
  const { protocol } = address
  const baseUrl = readBaseUrl(address.baseUrl)
  if (baseUrl === null || objectionToBaseUrl(protocol, baseUrl) !== null)
    return 'name no base URL that can be used: set them up by hand'
  noteOtherKeys(row, 'credentials', { table: 'accounts', notes, carried: READ.credentials })
  noteOtherKeys(row, 'extra', { table: 'accounts', notes, carried: READ.extra })
  if (momentIn(row, 'expires_at') !== null && isAsked)
    notes.note('accounts', id, 'stop at their expires_at there, and go on here')
  const proxy = proxies.get(textIn(row, 'proxy_id'))
  const isLost = proxy === undefined && !['', '0'].includes(textIn(row, 'proxy_id'))
  if (isLost) notes.note('accounts', id, UNKNOWN_PROXY)
  const name = freeName(textIn(row, 'name').trim().slice(0, LONGEST_NAME) || `account ${id}`, id, names)
  const concurrency = Number(integerIn(row, 'concurrency') ?? 0n)
  return {
    id,
    name,
    protocol,
    baseUrl,
    credentials: [{ name: 'default', secret, isDisabled: isLost || !isAsked }],
    proxyUrl: proxy ?? null,
    headers: {},
    maxConcurrency: concurrency > 0 ? concurrency : null,
  }
}

/** Among accounts of which some have a load factor, one without it counts by how much it does at once. */
function targetOf(
  row: Row,
  { upstream, hasFactors }: { upstream: PlannedUpstream; hasFactors: boolean },
): ServedTarget['target'] {
  const factor = decimalIn(row, 'load_factor')
  const isSet = factor !== null && factor.over > 0n
  const share = isSet ? Number(nearest(factor)) : hasFactors ? (upstream.maxConcurrency ?? 1) : 1
  const cost = multiplierIn(row, 'rate_multiplier')
  return {
    upstream: upstream.name,
    priority: Math.min(Math.max(Number(integerIn(row, 'priority') ?? 0n), 0), LARGEST),
    weight: Math.min(Math.max(share, 1), LARGEST),
    costFactor: cost === ONE_PPM ? null : cost,
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

/** What is put behind a base URL by a protocol, and what of it may stand there already. */
interface AddressForm {
  readonly version: string
  /** A version of any number is left as it is. */
  readonly keepsVersions: boolean
  /** The end of a URL that is written out down to what is called. */
  readonly called: string | null
}

const WAYS: { readonly [Protocol in RemoteProtocol]?: AddressForm } = {
  openai: { version: '/v1', keepsVersions: true, called: '/responses' },
  'openai-chat': { version: '/v1', keepsVersions: true, called: '/chat/completions' },
  anthropic: { version: '/v1', keepsVersions: false, called: null },
  gemini: { version: '/v1beta', keepsVersions: false, called: null },
}
const VERSION = /\/v\d{1,6}(?:\.\d{1,6}|(?:alpha|beta|preview)[^/]{0,20})?$/i
/** What an account may say of its protocol beside the usual one of its platform. */
const SAID: Readonly<Record<string, RemoteProtocol>> = { anthropic: 'anthropic' }

interface AccountAddress {
  readonly protocol: RemoteProtocol
  readonly baseUrl: string
}

/** The protocol and base URL by which the source reaches an account; null: by none that this gateway speaks. */
function addressOf(row: Row): AccountAddress | null {
  const name = textIn(row, 'platform')
  if (!isKnownPlatform(name)) return null
  const platform = platformOf(name)
  const credentials = Object.fromEntries(entriesOf(jsonIn(row, 'credentials')))
  const protocol = protocolOf(row, platform, credentials)
  const way = WAYS[protocol]
  const written = credentials['base_url']
  const given = typeof written === 'string' ? written.trim() : ''
  const coding = credentials['account_mode'] === 'coding' ? platform.codingOrigins : undefined
  const base = (given || (coding?.[protocol] ?? platform.origins[protocol] ?? '')).replace(/\/{1,10}$/, '')
  return way === undefined ? null : { protocol, baseUrl: versioned(base, way) }
}

/** An account of OpenAI's whose host was found to have no Responses is asked by chat alone, and there by chat alone too. */
function protocolOf(row: Row, platform: Platform, credentials: Readonly<Record<string, unknown>>): RemoteProtocol {
  const { protocol, withoutResponses } = platform
  const said = credentials['api_protocol']
  const other = typeof said === 'string' && Object.hasOwn(SAID, said) ? SAID[said] : undefined
  if (withoutResponses === undefined) {
    return other !== undefined && platform.origins[other] !== undefined ? other : protocol
  }
  const extra = Object.fromEntries(entriesOf(jsonIn(row, 'extra')))
  if (extra['openai_responses_mode'] === 'force_chat_completions') return withoutResponses
  const isForced = extra['openai_responses_mode'] === 'force_responses'
  return extra['openai_responses_supported'] === false && !isForced ? withoutResponses : protocol
}

/** The version goes behind whatever is written. Where the same stands there already no call works there, and here it does. */
function versioned(base: string, { version, keepsVersions, called }: AddressForm): string {
  if (called !== null && base.endsWith(called)) return base.slice(0, -called.length)
  return base.endsWith(version) || (keepsVersions && VERSION.test(base)) ? base : base + version
}
