/** The model name as a stage direction: `fake/<sentinel>?option=number&…` says what the fake upstream does. */
import type { Usage } from './usage.ts'

/** Longest any single delay may last, in milliseconds. */
const LONGEST_DELAY_MS = 600_000

export const SENTINELS = [
  'echo',
  'fixed',
  'cut-mid-stream',
  'end-mid-stream',
  'no-usage',
  'zero-usage',
  'overloaded',
  'rate-limited',
  'slow-first-byte',
  'never-answers',
  'stalls-mid-stream',
  'malformed-json',
  'html-error',
  'absurd-usage',
  'usage-twice',
  'context-too-long',
  'bad-request',
  'unauthorized',
  'refuses-once',
  'error-event',
  'no-done',
  'slow-chunks',
  'big-chunks',
  'closes-keepalive',
  'agent',
] as const

export type Sentinel = (typeof SENTINELS)[number]

/** Everything a model name asks for. */
export interface Script {
  readonly sentinel: Sentinel
  /** Number of pieces of text; undefined when the text decides. */
  readonly chunks: number | undefined
  readonly textBytes: number
  readonly firstDelayMs: number
  readonly delayMs: number
  /** How long silence lasts where a sentinel falls silent; then the connection is destroyed. */
  readonly holdMs: number
  /** True: status and headers go out before the first delay, not after it. */
  readonly earlyHeaders: boolean
  readonly burst: boolean
  /** Size of each write; 0 = one write per event. */
  readonly splitBytes: number
  readonly retryAfterSeconds: number
  /** Each piece of text of a stream is the moment at which it leaves. */
  readonly stamped: boolean
  /** Set where answers keep to the output limit of the call, as most providers' do. */
  readonly keepsLimits: boolean
  /** So many calls in a hundred are refused with 503, chosen by their ids. */
  readonly refusesPercent: number
  /** The counts that the name sets. */
  readonly usage: Partial<Usage>
}

/** Largest value of each option; the smallest is 0. */
const OPTION_LIMITS: Readonly<Record<string, number>> = {
  chunks: 10_000,
  text_bytes: 1_048_576,
  first_delay_ms: LONGEST_DELAY_MS,
  delay_ms: LONGEST_DELAY_MS,
  hold_ms: LONGEST_DELAY_MS,
  early_headers: 1,
  burst: 1,
  split: 1_048_576,
  retry_after: 86_400,
  stamped: 1,
  keeps_limits: 1,
  refuses: 100,
  input: 1e12,
  output: 1e12,
  cached: 1e12,
  cache_write: 1e12,
  reasoning: 1e12,
}

/** Largest answer text, in bytes: chunks × text_bytes. */
const LARGEST_TEXT_BYTES = 67_108_864

type Options = Readonly<Record<string, number>>

const ABSURD_USAGE: Options = { input: 3_000_000_000, output: 2_000_000_000, cached: 1_000_000_000 }
const ZERO_USAGE: Options = { input: 0, output: 0, cached: 0, cache_write: 0, reasoning: 0 }
const FIXED_USAGE: Options = { input: 24, output: 40, cached: 0, cache_write: 0, reasoning: 0 }

/** What a sentinel sets by itself; options of the name override it. `fixed` stays below the bytes of the smallest body. */
const OWN_OPTIONS: Partial<Record<Sentinel, Options>> = {
  fixed: { chunks: 20, ...FIXED_USAGE },
  'slow-first-byte': { first_delay_ms: 1_000 },
  'slow-chunks': { delay_ms: 100 },
  'big-chunks': { text_bytes: 65_536 },
  'absurd-usage': ABSURD_USAGE,
  'zero-usage': ZERO_USAGE,
}

/**
 * Reads a model name. Names outside `fake/` act as `fake/echo`. Options: see OPTION_LIMITS, all integers; besides, `tag`
 * takes any text and does nothing but give a test a model name of its own. `unknown` = no such sentinel, `problem` = an
 * option that cannot be taken.
 */
export function readModelName(model: string): Script | { readonly unknown: true } | { readonly problem: string } {
  const mark = model.indexOf('?')
  const name = mark === -1 ? model : model.slice(0, mark)
  const sentinel = name.startsWith('fake/') ? SENTINELS.find((one) => name === `fake/${one}`) : 'echo'
  if (sentinel === undefined) return { unknown: true }
  const asked = readOptions(mark === -1 ? '' : model.slice(mark + 1))
  if (typeof asked === 'string') return { problem: asked }
  const script = scriptOf(sentinel, { ...OWN_OPTIONS[sentinel], ...asked })
  const largest = (script.chunks ?? 1) * script.textBytes
  return largest > LARGEST_TEXT_BYTES ? { problem: `chunks × text_bytes is above ${LARGEST_TEXT_BYTES}` } : script
}

/** The options by name, or the sentence that says which cannot be taken. */
function readOptions(query: string): Record<string, number> | string {
  const options: Record<string, number> = {}
  for (const [name, text] of new URLSearchParams(query)) {
    if (name === 'tag') continue
    const limit = Object.hasOwn(OPTION_LIMITS, name) ? OPTION_LIMITS[name] : undefined
    if (limit === undefined)
      return `option ${name} is not known; known are ${Object.keys(OPTION_LIMITS).join(', ')}, tag`
    const value = /^\d{1,13}$/.test(text) ? Number(text) : -1
    if (value < 0 || value > limit) return `option ${name}=${text} must be a whole number from 0 to ${limit}`
    options[name] = value
  }
  return options
}

function scriptOf(sentinel: Sentinel, options: Options): Script {
  return {
    sentinel,
    chunks: options['chunks'] ?? (sentinel === 'echo' ? undefined : 8),
    textBytes: options['text_bytes'] ?? 12,
    firstDelayMs: options['first_delay_ms'] ?? 0,
    delayMs: options['delay_ms'] ?? 0,
    holdMs: options['hold_ms'] ?? LONGEST_DELAY_MS,
    earlyHeaders: options['early_headers'] === 1,
    burst: options['burst'] === 1,
    splitBytes: options['split'] ?? 0,
    retryAfterSeconds: options['retry_after'] ?? 7,
    stamped: options['stamped'] === 1,
    keepsLimits: options['keeps_limits'] === 1,
    refusesPercent: options['refuses'] ?? 0,
    usage: usageOf(options),
  }
}

/** Naming one count makes the special kinds 0 where they aren't named: `?input=9` means nothing was cached. */
function usageOf(options: Options): Partial<Usage> {
  const { input, output, cached, cache_write: cacheWrite, reasoning } = options
  if ([input, output, cached, cacheWrite, reasoning].every((count) => count === undefined)) return {}
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    cached: cached ?? 0,
    cacheWrite: cacheWrite ?? 0,
    reasoning: reasoning ?? 0,
  }
}
