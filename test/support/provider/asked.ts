/** What one call asks of the provider, in the words of no protocol. */
import type { JsonFields } from '../../../src/upstreams/demo/json.ts'
import { type HostedCalls, hostedCalls, roundsOf } from './hosted-tools.ts'
import { outsideTokens } from './outside.ts'
import { textTokens } from './text-tokens.ts'

export type ProviderWire = 'chat' | 'responses' | 'messages' | 'gemini' | 'completions' | 'embeddings'

export interface Asked {
  readonly wire: ProviderWire
  readonly model: string
  readonly body: JsonFields
  readonly isStream: boolean
  /** Answers to be written beside each other (`n`, `candidateCount`, prompts in a list). */
  readonly choices: number
  /** The limit of each answer, its thinking included; null: none was named. This provider takes 0 for none. */
  readonly outputLimit: number | null
  /** The tier by the name that the answer gives it: `default`, `priority`, `flex`, `batch`; of Anthropic `standard`. */
  readonly tier: string
  /** `fast` of Anthropic's, or null. */
  readonly speed: string | null
  readonly region: string | null
  readonly cacheTtl: '5m' | '1h' | null
  /** Whether the answer may say what it used, by what the caller asked for. */
  readonly mayReport: boolean
}

/** The orders that this provider's models find in a prompt and follow: `Think 5000.`, `Write 300 words.`, `Search 6 times.` */
export interface Orders {
  readonly think: number
  readonly write: number
  readonly search: number
  /** Tokens of a page that a search reads. */
  readonly pages: number
  /** The wait before the first byte, and again before the report of a stream, in milliseconds. */
  readonly waitMs: number
}

/** What a call makes the provider read. */
export interface Input {
  readonly tokens: number
  /** The part that tools of the provider's own read again. */
  readonly byTools: number
  readonly calls: HostedCalls
  readonly cached: number
}

const ORDER = /\b(?:(think) (\d+)|(write) (\d+) words|(search) (\d+) times|(pages) of (\d+) tokens|(wait) (\d+) ms)/gi
const USUAL = { think: 0, write: 20, search: 1, pages: 10_000, wait: 0 }
/** The thinking of a model that thinks by itself. */
const USUAL_THINKING = 5_000

/** What the prompt orders. A model thinks when its name says so. */
export function ordersIn(model: string, texts: readonly string[]): Orders {
  const found: Record<string, number> = { ...USUAL, think: model.includes('thinking') ? USUAL_THINKING : 0 }
  for (const text of texts) {
    for (const match of text.matchAll(ORDER)) {
      const [name, count] = match.slice(1).filter((part) => part !== undefined)
      if (name !== undefined) found[name.toLowerCase()] = Number(count)
    }
  }
  const order = (name: keyof typeof USUAL): number => found[name] ?? USUAL[name]
  const think = model.includes('thinking') ? order('think') : 0
  return { think, write: order('write'), search: order('search'), pages: order('pages'), waitMs: order('wait') }
}

/** Tokens of input: of the texts, of what they refer to, and of what tools read, once more with each of their calls. */
export function inputOf(asked: Asked, orders: Orders, texts: readonly string[]): Input {
  const { named, inline } = outsideTokens(asked.body)
  const cached = sum(named.filter(({ field }) => /^cached_?content$/i.test(field)))
  const once = sum(texts.map((text) => ({ tokens: textTokens(text) }))) + sum(named) + inline
  const calls = hostedCalls(asked.body, orders.search)
  const rounds = roundsOf(calls)
  const byTools = rounds * once + (orders.pages * rounds * (rounds + 1)) / 2
  return { tokens: once + byTools, byTools, calls, cached }
}

function sum(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((total, { tokens }) => total + tokens, 0)
}
