import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { entriesOf, jsonIn, type Row, textIn } from '../source.ts'

/** How accounts of a platform are reached. `origin`: where none is written. `version`: what is put behind a base URL. */
interface Platform {
  readonly protocol: RemoteProtocol
  readonly origin: string
  readonly version: string
}

const PLATFORMS: Readonly<Record<string, Platform>> = {
  anthropic: { protocol: 'anthropic', origin: 'https://api.anthropic.com', version: '/v1' },
  openai: { protocol: 'openai', origin: 'https://api.openai.com', version: '/v1' },
  gemini: { protocol: 'gemini', origin: 'https://generativelanguage.googleapis.com', version: '/v1beta' },
  kimi: { protocol: 'openai-chat', origin: 'https://api.moonshot.cn/v1', version: '/v1' },
  zhipu: { protocol: 'openai-chat', origin: 'https://open.bigmodel.cn/api/paas/v4', version: '/v1' },
  deepseek: { protocol: 'openai-chat', origin: 'https://api.deepseek.com', version: '/v1' },
}

/** Where the account says so, these speak Anthropic's protocol, or are reached as what is sold for coding. */
const OF_ANTHROPIC: Readonly<Record<string, string>> = {
  kimi: 'https://api.moonshot.cn/anthropic',
  zhipu: 'https://open.bigmodel.cn/api/anthropic',
  deepseek: 'https://api.deepseek.com/anthropic',
}
const FOR_CODING: Readonly<Record<string, Readonly<Record<'openai-chat' | 'anthropic', string>>>> = {
  kimi: { 'openai-chat': 'https://api.kimi.com/coding/v1', anthropic: 'https://api.kimi.com/coding' },
  zhipu: {
    'openai-chat': 'https://open.bigmodel.cn/api/coding/paas/v4',
    anthropic: 'https://open.bigmodel.cn/api/anthropic',
  },
}

/** Settings of an account that are read here. */
export const OF_ADDRESS = {
  credentials: ['base_url', 'api_protocol', 'account_mode'],
  extra: ['openai_responses_supported', 'openai_responses_mode'],
}

/** The protocol and base URL by which the source reaches an account; null: no protocol of this gateway's. */
export function addressOf(row: Row): { readonly protocol: RemoteProtocol; readonly baseUrl: string } | null {
  const name = textIn(row, 'platform')
  const platform = Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name] : undefined
  if (platform === undefined) return null
  const credentials = Object.fromEntries(entriesOf(jsonIn(row, 'credentials')))
  const protocol = protocolOf(row, platform, credentials)
  const written = credentials['base_url']
  const given = typeof written === 'string' ? written.trim() : ''
  const base = (given === '' ? originOf(name, { platform, protocol, credentials }) : given).replace(/\/{1,10}$/, '')
  const version = protocol === 'anthropic' ? '/v1' : platform.version
  return { protocol, baseUrl: protocol.startsWith('openai') ? openAiBase(base, protocol) : versioned(base, version) }
}

/** An account of OpenAI's whose host was found to have no Responses is asked by chat alone, and there by chat alone too. */
function protocolOf(row: Row, { protocol }: Platform, credentials: Readonly<Record<string, unknown>>): RemoteProtocol {
  if (protocol === 'openai-chat') return credentials['api_protocol'] === 'anthropic' ? 'anthropic' : protocol
  if (protocol !== 'openai') return protocol
  const extra = Object.fromEntries(entriesOf(jsonIn(row, 'extra')))
  if (extra['openai_responses_mode'] === 'force_chat_completions') return 'openai-chat'
  const isForced = extra['openai_responses_mode'] === 'force_responses'
  return extra['openai_responses_supported'] === false && !isForced ? 'openai-chat' : protocol
}

function originOf(
  name: string,
  {
    platform,
    protocol,
    credentials,
  }: { platform: Platform; protocol: RemoteProtocol; credentials: Readonly<Record<string, unknown>> },
): string {
  const kind = protocol === 'anthropic' ? 'anthropic' : 'openai-chat'
  const forCoding = credentials['account_mode'] === 'coding' ? FOR_CODING[name]?.[kind] : undefined
  return forCoding ?? (kind === 'anthropic' ? OF_ANTHROPIC[name] : undefined) ?? platform.origin
}

/** The version goes behind whatever is written, so one that is written already would stand there twice: there no call works. */
function versioned(base: string, version: string): string {
  return base.endsWith(version) ? base : base + version
}

/** A version of any number is left as it is, and so is a URL that is written out down to what is called. */
function openAiBase(base: string, protocol: RemoteProtocol): string {
  const called = protocol === 'openai-chat' ? '/chat/completions' : '/responses'
  if (base.endsWith(called)) return base.slice(0, -called.length)
  return VERSION.test(base) ? base : `${base}/v1`
}

const VERSION = /\/v\d{1,6}(?:\.\d{1,6}|(?:alpha|beta|preview)[^/]{0,20})?$/i
