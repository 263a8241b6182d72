import type { Usage } from '../../tools/fake-upstream/usage.ts'

/** What the load can ask for: models of the fake upstream with their prices, and the forms in which a model is called. */

/** Nano-USD per million tokens. A kind without a price costs what input costs. */
export interface MenuPrices {
  readonly input: bigint
  readonly output: bigint
  readonly cacheRead: bigint | null
  readonly cacheWrite: bigint | null
}

export interface MenuModel {
  /** The fake upstream's name for it, and the public one. */
  readonly name: string
  readonly prices: MenuPrices
  /** Bytes of the longest answer; null: as long as what is asked, which it repeats. */
  readonly answerBytes: number | null
  /** Bytes of text in one event of its streams, at most. */
  readonly chunkBytes: number
  /** Set for a model whose streams go on for so long that a client that hangs up early is gone before the end. */
  readonly isSlow: boolean
  /** What it reports cannot be true, so that no more of it is charged than can be. */
  readonly isAbsurd: boolean
  /** Set for a model that reports nothing beside its answers, which is not believed either. */
  readonly reportsNone: boolean
  /** Set for a model that reports a growing count, so that a stream which is cut may have reported half. */
  readonly reportsHalf: boolean
  /** Set for a model that writes no more than the output limit that it is sent. Others are cut where the money ends. */
  readonly keepsLimits: boolean
  /** Dear, or reports far more than its stream shows: only for keys that have a lot. */
  readonly isForRich: boolean
}

/** Prices for reports that are charged at the whole context of a model. */
const CHEAP_PRICES: MenuPrices = { input: 2_500_000n, output: 10_000_001n, cacheRead: 250_000n, cacheWrite: 3_125_000n }

/** Writes to a cache are dearest, so what is held for the input covers each way in which it may be reported. */
const PRICES: MenuPrices = {
  input: 2_500_000_000n,
  output: 10_000_001_000n,
  cacheRead: 250_000_000n,
  cacheWrite: 3_125_000_000n,
}
const ODD_PRICES: MenuPrices = {
  input: 1_234_567_891n,
  output: 7_654_321_987n,
  cacheRead: null,
  cacheWrite: 1_543_209_877n,
}

/** A step of output is a tenth of a cent, so that many are taken where there is little. */
const LOW_PRICES: MenuPrices = {
  input: 250_000_000n,
  output: 1_000_000_000n,
  cacheRead: 25_000_000n,
  cacheWrite: 312_500_000n,
}

/** The models of the load. Models that stand here more often are asked for more often. */
export const MENU: readonly MenuModel[] = [
  model('fake/echo'),
  model('fake/echo', { prices: ODD_PRICES, tag: 'odd' }),
  model('fake/echo', { options: 'split=37', tag: 'in-pieces' }),
  model('fake/echo', { options: 'burst=1', tag: 'at-once', prices: ODD_PRICES }),
  model('fake/echo', { options: 'input=40&output=33&cached=30&cache_write=20&reasoning=11', tag: 'cached' }),
  model('fake/fixed', { answerBytes: 240 }),
  model('fake/big-chunks', {
    options: 'chunks=3&text_bytes=3000',
    answerBytes: 9_000,
    chunkBytes: 3_000,
    isForRich: true,
  }),
  // For these the hold has to grow while they write, and each reports less than its stream shows.
  ...(['one', 'two', 'three'] as const).map((tag) =>
    model('fake/big-chunks', {
      options: 'chunks=300&text_bytes=100&input=40&output=5000',
      tag,
      answerBytes: 30_000,
      chunkBytes: 100,
      keepsLimits: tag !== 'three',
    }),
  ),
  model('fake/slow-chunks', {
    options: 'chunks=100&delay_ms=2&text_bytes=300&input=40&output=5000',
    answerBytes: 30_000,
    chunkBytes: 300,
    isSlow: true,
    prices: LOW_PRICES,
  }),
  model('fake/slow-chunks', {
    options: 'chunks=100&delay_ms=4&text_bytes=150&input=40&output=2100',
    answerBytes: 15_000,
    chunkBytes: 150,
    isSlow: true,
    keepsLimits: false,
  }),
  model('fake/big-chunks', {
    options: 'chunks=40&text_bytes=15000&input=40&output=50000',
    answerBytes: 600_000,
    chunkBytes: 15_000,
    isForRich: true,
  }),
  model('fake/slow-chunks', { options: 'chunks=30&delay_ms=10', answerBytes: 360, isSlow: true }),
  model('fake/slow-first-byte', { options: 'first_delay_ms=30', answerBytes: 96 }),
  model('fake/usage-twice', { answerBytes: 96, prices: ODD_PRICES, reportsHalf: true }),
  model('fake/closes-keepalive', { answerBytes: 96 }),
  model('fake/no-usage', { answerBytes: 96 }),
  model('fake/zero-usage', { answerBytes: 96, reportsNone: true }),
  model('fake/absurd-usage', { answerBytes: 96, isAbsurd: true, prices: CHEAP_PRICES, keepsLimits: false }),
  model('fake/refuses-once', { answerBytes: 96 }),
  model('fake/cut-mid-stream', { answerBytes: 96 }),
  model('fake/end-mid-stream', { answerBytes: 96 }),
  model('fake/error-event', { answerBytes: 96 }),
  model('fake/malformed-json', { answerBytes: 96 }),
  model('fake/overloaded', { answerBytes: 96 }),
  model('fake/rate-limited', { answerBytes: 96 }),
  model('fake/html-error', { answerBytes: 96 }),
  model('fake/bad-request', { answerBytes: 96 }),
  model('fake/never-answers', { options: 'hold_ms=150', answerBytes: 96 }),
  model('fake/stalls-mid-stream', { options: 'hold_ms=150', answerBytes: 96 }),
]

export type MenuWire = 'openai-chat' | 'openai-responses' | 'openai-embeddings' | 'anthropic-messages'

/** One of the ways in which a model is called. */
export interface Form {
  readonly wire: MenuWire
  readonly isStream: boolean
}

export const FORMS: readonly Form[] = [
  { wire: 'openai-chat', isStream: true },
  { wire: 'openai-chat', isStream: false },
  { wire: 'openai-responses', isStream: true },
  { wire: 'openai-responses', isStream: false },
  { wire: 'anthropic-messages', isStream: true },
  { wire: 'anthropic-messages', isStream: false },
  { wire: 'openai-embeddings', isStream: false },
]

/** The usage that a stream of a model with a growing count reports first. */
export function halfReport(usage: Usage): Usage {
  return { ...usage, output: Math.floor(usage.output / 2), reasoning: Math.floor(usage.reasoning / 2) }
}

interface ModelOptions extends Partial<Omit<MenuModel, 'name'>> {
  readonly options?: string
  /** Tells models apart that the upstream serves in the same way. */
  readonly tag?: string
}

function model(sentinel: string, { options, tag, keepsLimits = true, ...about }: ModelOptions = {}): MenuModel {
  const parts = [options, tag === undefined ? undefined : `tag=${tag}`, keepsLimits ? 'keeps_limits=1' : undefined]
  const query = parts.filter((part) => part !== undefined).join('&')
  return {
    name: query === '' ? sentinel : `${sentinel}?${query}`,
    prices: PRICES,
    answerBytes: null,
    chunkBytes: 2_000,
    isSlow: false,
    isAbsurd: false,
    reportsNone: false,
    reportsHalf: false,
    isForRich: false,
    keepsLimits,
    ...about,
  }
}
