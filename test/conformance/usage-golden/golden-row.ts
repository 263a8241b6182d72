import type { z } from '@hono/zod-openapi'
import type { modelCreate } from '../../../src/contract/models.ts'
import type { ChargedTerms } from '../../../src/metering/prices/applied-prices.ts'
import type { OtherTokens, TokenCounts } from '../../../src/core/tokens.ts'
import type { UsageNote } from '../../../src/core/usage-notes.ts'

/** What an upstream reports of one request, what is counted of it, and what that costs, by hand. */
export interface GoldenRow {
  readonly what: string
  /**
   * What came: a usage object as JSON, which is tried in a whole answer and at the end of a stream; or the events of a
   * stream, from the first to the last; or the events of one that was cut behind them.
   */
  readonly usage?: string
  /** Or a whole answer, byte for byte (Latin-1). */
  readonly answer?: string
  readonly events?: readonly string[]
  readonly cut?: readonly string[]
  /** Answers asked for at once, of streams; 1 unless it says otherwise. */
  readonly choices?: number
  /** Tokens that are not named are null. */
  readonly tokens: Partial<Omit<TokenCounts, 'other'>> & { readonly other?: OtherTokens }
  /** Tokens × nano-USD for one, kind by kind, as worked out by hand; its last number is the cost. */
  readonly sum: string
  /** Unless it says otherwise: a report that can be taken. */
  readonly isEstimated?: true
  readonly isCapped?: true
  readonly notes?: readonly UsageNote[]
  /** Unless it says otherwise: a request of 20,000 bytes, `PRICES`, multiplier 1. */
  readonly request?: {
    readonly bytes?: number
    readonly maxTokens?: number
    readonly tool?: string
    readonly fields?: object
  }
  readonly prices?: Partial<Record<PriceName, number>>
  /** Or prices as settings have them, with tiers, factors and fees: as their provider publishes them. */
  readonly price?: z.input<typeof modelCreate>['price']
  /** Why it costs what it does; null unless it says otherwise. */
  readonly terms?: Partial<ChargedTerms>
  readonly multiplier?: string
}

export type PriceName =
  | 'input'
  | 'output'
  | 'cacheRead'
  | 'cacheWrite'
  | 'cacheWrite1h'
  | 'audioInput'
  | 'imageInput'
  | 'audioOutput'
  | 'request'
  | 'image'
  | 'second'
  | 'character'

/** Nano-USD for one token, which is thousandths of a USD for a million. All different, so that a wrong kind shows. */
export const PRICES: Readonly<Partial<Record<PriceName, number>>> = {
  input: 2500,
  output: 10000,
  cacheRead: 250,
  cacheWrite: 3125,
  cacheWrite1h: 5000,
  audioInput: 40000,
  imageInput: 4000,
  audioOutput: 80000,
}

/** What our own tokenizer finds in each of these requests and answers, where it is asked. */
export const OWN_INPUT = 11
export const OWN_OUTPUT = 7

/** The model of all rows. */
export const CONTEXT_TOKENS = 200_000
export const MAX_OUTPUT_TOKENS = 64_000
