import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { objectionToBaseUrl, readBaseUrl } from '../../routing/upstream-settings.ts'
import type { ImportNotes, ProductWithDatabase } from '../import-plan.ts'
import { noteOtherKeys, objectIn } from '../set-values.ts'
import { listIn, type Row, textIn } from '../source.ts'
import { channelType, CLOUDFLARE, CUSTOM, GEMINI, MOONSHOT, OPENAI, VOLC_ENGINE, ZHIPU_V4 } from './channel-types.ts'
import type { ChannelType } from './channel-types.ts'

const TABLE = 'channels'

/** Where a channel is asked. */
interface ChannelAddress {
  readonly protocol: RemoteProtocol
  readonly baseUrl: string
  /** What was asked for there cannot be asked for here; it is noted. */
  readonly isLost: boolean
}

export interface AddressAbout {
  readonly product: ProductWithDatabase
  /** The version that new-api asks Gemini’s API for; null: the usual one. */
  readonly geminiVersion: string | null
  readonly notes: ImportNotes
}

/** The address at which a channel is asked here, so that each request goes where it went there; null: there is none. */
export function addressOf(row: Row, about: AddressAbout): ChannelAddress | null {
  const { product, notes } = about
  const id = textIn(row, 'id')
  const number = textIn(row, 'type')
  const type = channelType(product, number)
  const { base, why } = baseOf(row, { ...about, number, type })
  const baseUrl = base === null ? null : readBaseUrl(base)
  // Only what an upstream may have: no login and no query, which are credentials.
  if (baseUrl === null || objectionToBaseUrl('openai-chat', baseUrl) !== null) {
    notes.note(TABLE, id, `are of type ${number} and name no base URL that can be used: set them up by hand`)
    return null
  }
  if (why !== null) notes.note(TABLE, id, `are of type ${number}, ${why}: their credentials are disabled`)
  return { protocol: protocolOf(number, type, baseUrl), baseUrl, isLost: why !== null }
}

/** OpenAI itself has Responses; of what else channels of its type are pointed at, most have chat completions alone. */
function protocolOf(number: string, type: ChannelType | null, baseUrl: string): RemoteProtocol {
  if (number === OPENAI) return new URL(baseUrl).hostname === 'api.openai.com' ? 'openai' : 'openai-chat'
  return type?.protocol ?? 'openai-chat'
}

interface Base {
  /** null: nothing that is a URL. */
  readonly base: string | null
  /** Why it cannot be asked as it was there; null: it can. */
  readonly why: string | null
}

function baseOf(row: Row, about: AddressAbout & { number: string; type: ChannelType | null }): Base {
  const { product, number, type } = about
  const given = textIn(row, 'base_url').trim()
  if (product === 'new-api' && number === CUSTOM) return customBase(given)
  const base = given === '' ? (type?.base ?? null) : given.replace(/\/{1,10}$/, '')
  if (type === null || base === null) return { base, why: 'which is not carried' }
  const plan = product === 'new-api' && WITH_PLANS.has(number) ? PLANS.get(given) : undefined
  if (plan !== undefined) return { base: plan, why: null }
  if (number === CLOUDFLARE[product === 'one-api' ? 'one-api' : 'new-api']) return cloudflareBase(row, base, about)
  const path = number === GEMINI ? geminiPath(row, about) : type.path
  const why = type.instead === undefined ? null : `whose chats are asked at ${type.instead} there`
  // Its gateway for OpenAI has no version in its paths.
  if (number === OPENAI && base.startsWith('https://gateway.ai.cloudflare.com')) return { base, why }
  return { base: base + path, why }
}

/** Names of plans that new-api takes for a base URL, and where they are asked. */
const PLANS: ReadonlyMap<string, string> = new Map([
  ['glm-coding-plan', 'https://open.bigmodel.cn/api/coding/paas/v4'],
  ['glm-coding-plan-international', 'https://api.z.ai/api/coding/paas/v4'],
  ['kimi-coding-plan', 'https://api.kimi.com/coding/v1'],
  ['doubao-coding-plan', 'https://ark.cn-beijing.volces.com/api/coding/v3'],
])
const WITH_PLANS: ReadonlySet<string> = new Set([MOONSHOT, ZHIPU_V4, VOLC_ENGINE])

const CHAT = '/chat/completions'

/** The whole address, in which `{model}` stands for the name of the model. */
function customBase(given: string): Base {
  if (given.includes('{model}')) return { base: given, why: 'with the model’s name in their address' }
  if (given.endsWith(CHAT)) return { base: given.slice(0, -CHAT.length), why: null }
  return { base: given === '' ? null : given, why: `whose address does not end in ${CHAT}` }
}

/** Cloudflare has the account in its paths, but for its gateway. */
function cloudflareBase(row: Row, base: string, { product, notes }: AddressAbout): Base {
  if (product === 'one-api' && /^https:\/\/gateway\.ai\.cloudflare\.com.*\/workers-ai$/.test(base))
    return { base: `${base}/v1`, why: null }
  const id = objectIn(row, 'config', { table: TABLE, notes }).get('user_id')
  const account = product === 'one-api' ? id : textIn(row, 'other').trim()
  if (typeof account !== 'string' || !/^\w{1,64}$/.test(account)) return { base, why: 'and name no account' }
  return { base: `${base}/client/v4/accounts/${account}/ai/v1`, why: null }
}

/** What is read of one-api's `config`, by types. */
const CONFIG_READ: Readonly<Record<string, readonly string[]>> = {
  '3': ['api_version'],
  '33': ['region', 'ak', 'sk'],
  '42': ['region', 'vertex_ai_project_id', 'vertex_ai_adc'],
  [CLOUDFLARE['one-api']]: ['user_id'],
  [GEMINI]: ['api_version'],
}
/** Types of which new-api's `other` is read: a version, locations, an account. */
const OTHER_READ: ReadonlySet<string> = new Set(['3', '41', CLOUDFLARE['new-api']])

/** What of the settings of a channel is part of its address; the others are noted. */
export function noteOtherSettings(row: Row, { product, notes }: AddressAbout): void {
  const number = textIn(row, 'type')
  const isOneApi = product === 'one-api'
  if (isOneApi) noteOtherKeys(row, 'config', { table: TABLE, notes, carried: CONFIG_READ[number] ?? [] })
  const isRead = isOneApi ? number === '3' : OTHER_READ.has(number)
  if (!isRead && textIn(row, 'other').trim() !== '')
    notes.note(TABLE, textIn(row, 'id'), 'have other, which is not carried')
}

const IN_BETA = /gemini-(?:2\.0|1\.5)/

/** one-api asks for another version by the channel, or by the name of the model. */
function geminiPath(row: Row, { product, geminiVersion, notes }: AddressAbout): string {
  if (product !== 'one-api') return `/${geminiVersion ?? 'v1beta'}`
  const set = objectIn(row, 'config', { table: TABLE, notes }).get('api_version')
  if (typeof set === 'string' && /^v\d\w{0,16}$/.test(set)) return `/${set}`
  const mapping = objectIn(row, 'model_mapping', { table: TABLE, notes })
  const models = listIn(row, 'models').map((name) => askedModel(name, mapping, product) ?? name)
  const inBeta = models.filter((name) => IN_BETA.test(name))
  if (inBeta.length > 0 && inBeta.length < models.length)
    notes.note(TABLE, textIn(row, 'id'), 'ask some models at v1 there, and all at v1beta here')
  return inBeta.length > 0 ? '/v1beta' : '/v1'
}

const MAPPINGS_FOLLOWED = 20

/** The name under which a channel asks for a model; null: it leads back to itself. one-api looks once, new-api follows chains. */
export function askedModel(
  name: string,
  mapping: ReadonlyMap<string, unknown>,
  product: ProductWithDatabase,
): string | null {
  let model = name
  for (let step = 0; step < MAPPINGS_FOLLOWED; step++) {
    const next = mapping.get(model)
    if (typeof next !== 'string' || next === '' || next === model) return model
    if (product === 'one-api') return next
    model = next
  }
  return null
}
