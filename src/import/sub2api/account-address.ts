import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { entriesOf, jsonIn, type Row, textIn } from '../source.ts'
import { isKnownPlatform, type Platform, platformOf } from './platforms.ts'

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

/** Settings of an account that are read here. */
export const OF_ADDRESS = {
  credentials: ['base_url', 'api_protocol', 'account_mode'],
  extra: ['openai_responses_supported', 'openai_responses_mode'],
}

interface AccountAddress {
  readonly protocol: RemoteProtocol
  readonly baseUrl: string
}

/** The protocol and base URL by which the source reaches an account; null: by none that this gateway speaks. */
export function addressOf(row: Row): AccountAddress | null {
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
