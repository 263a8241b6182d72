import type { Usage } from '../../tools/fake-upstream/usage.ts'
import type { MenuPrices, MenuWire } from './menu.ts'

/** Tokens by kind, as a usage record has them. null: not reported. */
export interface TokensByKind {
  readonly input: bigint | null
  readonly cacheRead: bigint | null
  readonly cacheWrite: bigint | null
  readonly cacheWrite1h: bigint | null
  readonly output: bigint | null
  readonly reasoning: bigint | null
}

/** What a record must say of a call whose answer the fake upstream reported this for: each wire reports other kinds. */
export function expectedTokens(wire: MenuWire, usage: Usage): TokensByKind {
  const isEmbedding = wire === 'openai-embeddings'
  return {
    input: BigInt(usage.input),
    cacheRead: isEmbedding ? null : BigInt(usage.cached),
    cacheWrite: isEmbedding ? null : BigInt(usage.cacheWrite),
    cacheWrite1h: wire === 'anthropic-messages' ? 0n : null,
    output: BigInt(usage.output),
    reasoning: isEmbedding ? null : BigInt(usage.reasoning),
  }
}

/** The context that the load declares for its models. */
const CONTEXT_TOKENS = 200_000n
const MAX_OUTPUT_TOKENS = 64_000n

/** What is charged of a report that is more than its model can read and write: that, its kinds in the reported parts. */
export function cappedTokens(tokens: TokensByKind): TokensByKind {
  const claimed = (tokens.input ?? 0n) + (tokens.cacheRead ?? 0n) + (tokens.cacheWrite ?? 0n)
  const part = (count: bigint | null): bigint | null => (count === null ? null : (CONTEXT_TOKENS * count) / claimed)
  const cacheRead = part(tokens.cacheRead)
  const cacheWrite = part(tokens.cacheWrite)
  const input = CONTEXT_TOKENS - (cacheRead ?? 0n) - (cacheWrite ?? 0n)
  const output = (tokens.output ?? 0n) > MAX_OUTPUT_TOKENS ? MAX_OUTPUT_TOKENS : tokens.output
  return { ...tokens, input, cacheRead, cacheWrite, output }
}

const TOKENS_PER_PRICE = 1_000_000n
const WHOLE_MULTIPLIER = 1_000_000n

/**
 * The cost in nano-USD, computed from the contract and not from the product: Σ tokens × price × multiplier, rounded up to
 * one nano-USD once, at the end. `multiplier` in parts per million.
 */
export function expectedCost(tokens: TokensByKind, prices: MenuPrices, multiplier: bigint): bigint {
  const parts: readonly (readonly [bigint | null, bigint | null])[] = [
    [tokens.input, prices.input],
    [tokens.cacheRead, prices.cacheRead],
    [tokens.cacheWrite, prices.cacheWrite],
    [tokens.cacheWrite1h, prices.cacheWrite],
    [tokens.output, prices.output],
  ]
  let exact = 0n
  for (const [count, price] of parts) exact += (count ?? 0n) * (price ?? prices.input) * multiplier
  const divisor = TOKENS_PER_PRICE * WHOLE_MULTIPLIER
  return exact % divisor === 0n ? exact / divisor : exact / divisor + 1n
}

/** An amount as the wire writes it: decimal USD without trailing zeros. */
export function inUsd(nanoUsd: bigint): string {
  const digits = String(nanoUsd).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}
