import type { RemoteProtocol } from '../../core/upstream-protocol.ts'
import { type Rational, rational } from '../rational.ts'

/** A class of service that has another price than the plain one. */
export interface PricedClass {
  readonly name: string
  /** Where neither a channel nor a list says what it costs of the plain price. */
  readonly builtIn: Rational
  /** The column of a price of a channel. */
  readonly column: string
  /** A list may have prices of its own for it. */
  readonly isDear: boolean
}

type Origins = { readonly [Protocol in RemoteProtocol]?: string }

/** What sub2api does otherwise for the accounts of one platform. */
export interface Platform {
  readonly protocol: RemoteProtocol
  /** Where an account names no base URL. */
  readonly origins: Origins
  /** Origins of what is sold for coding. */
  readonly codingOrigins?: Origins
  /** The protocol of a host that was found to have no Responses. */
  readonly withoutResponses?: RemoteProtocol
  /** Whether its accounts may pass all names on, and be charged by length on their own. */
  readonly hasSwitches: boolean
  /** A request is charged by the name before its account's map; of the others by the one behind it. */
  readonly isChargedAsAsked: boolean
  /** Whether its answers count what was written to a cache. */
  readonly writesCache: boolean
  /** Long input costs twice by what is above 200,000 tokens. */
  readonly doublesLong: boolean
  /** Names that are another maker's are answered by models of this one. */
  readonly answersOthers?: RegExp
  readonly classes: readonly PricedClass[]
}

const DEAR = { builtIn: rational(2n), column: 'fast_multiplier', isDear: true }
const OF_CHATS: readonly PricedClass[] = [
  { ...DEAR, name: 'priority' },
  { name: 'flex', builtIn: rational(1n, 2n), column: 'flex_multiplier', isDear: false },
]
const OTHER: Platform = {
  protocol: 'openai-chat',
  origins: {},
  hasSwitches: false,
  isChargedAsAsked: false,
  writesCache: false,
  doublesLong: false,
  classes: OF_CHATS,
}

const PLATFORMS: Readonly<Record<string, Platform>> = {
  openai: {
    ...OTHER,
    protocol: 'openai',
    origins: { openai: 'https://api.openai.com', 'openai-chat': 'https://api.openai.com' },
    withoutResponses: 'openai-chat',
    hasSwitches: true,
    // Clients of Claude Code ask for these.
    answersOthers: /^claude-/i,
  },
  anthropic: {
    ...OTHER,
    protocol: 'anthropic',
    origins: { anthropic: 'https://api.anthropic.com' },
    isChargedAsAsked: true,
    writesCache: true,
    classes: [{ ...DEAR, name: 'fast' }],
  },
  gemini: {
    ...OTHER,
    protocol: 'gemini',
    origins: { gemini: 'https://generativelanguage.googleapis.com' },
    isChargedAsAsked: true,
    doublesLong: true,
    classes: [],
  },
  kimi: {
    ...OTHER,
    origins: { 'openai-chat': 'https://api.moonshot.cn/v1', anthropic: 'https://api.moonshot.cn/anthropic' },
    codingOrigins: { 'openai-chat': 'https://api.kimi.com/coding/v1', anthropic: 'https://api.kimi.com/coding' },
  },
  zhipu: {
    ...OTHER,
    origins: {
      'openai-chat': 'https://open.bigmodel.cn/api/paas/v4',
      anthropic: 'https://open.bigmodel.cn/api/anthropic',
    },
    codingOrigins: { 'openai-chat': 'https://open.bigmodel.cn/api/coding/paas/v4' },
  },
  deepseek: {
    ...OTHER,
    origins: { 'openai-chat': 'https://api.deepseek.com', anthropic: 'https://api.deepseek.com/anthropic' },
  },
}

/** Whether its accounts can be reached by a protocol of this gateway's. */
export function isKnownPlatform(name: string): boolean {
  return Object.hasOwn(PLATFORMS, name)
}

export function platformOf(name: string): Platform {
  return (isKnownPlatform(name) ? PLATFORMS[name] : undefined) ?? OTHER
}
