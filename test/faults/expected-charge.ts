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
