import { expect, test } from 'vitest'
import { nanoUsd } from '../core/money.ts'
import type { TokenPrices } from '../core/prices.ts'
import type { UnitPrices } from '../core/units.ts'
import type { Wire } from '../core/wire.ts'
import { missingPrice } from './route.ts'

const WIRES: readonly Wire[] = [
  'openai-chat',
  'anthropic-messages',
  'openai-embeddings',
  'openai-completions',
  'openai-moderations',
  'openai-images',
  'openai-speech',
  'openai-transcriptions',
  'rerank',
]

function priced(units: Partial<UnitPrices>, tokens: bigint | null = null): TokenPrices {
  const input = tokens === null ? null : nanoUsd(tokens)
  const none = { cacheRead: null, cacheWrite: null, cacheWrite1h: null, other: null }
  const unit = { request: null, image: null, second: null, character: null }
  return { input, output: input, ...none, units: { ...unit, ...units } }
}

test.for([
  ['tokens', priced({}, 0n), WIRES],
  ['a request', priced({ request: nanoUsd(0n) }), WIRES],
  ['an image', priced({ image: nanoUsd(1n) }), ['openai-images']],
  ['a second', priced({ second: nanoUsd(1n) }), ['openai-transcriptions']],
  ['a character', priced({ character: nanoUsd(1n) }), ['openai-speech']],
] as const)('a price for %s alone serves only what has it', ([, prices, wires]) => {
  expect(WIRES.filter((wire) => missingPrice(wire, prices) === null)).toEqual(wires)
})

test('the sentence names the price that is missing', () => {
  expect(missingPrice('openai-chat', priced({ image: nanoUsd(1n) }))).toBe(
    'price.per_request, or price.input and price.output',
  )
  expect(missingPrice('openai-images', priced({ second: nanoUsd(1n) }))).toContain('price.per_image')
})
