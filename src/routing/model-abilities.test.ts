import { expect, test } from 'vitest'
import { nanoUsd } from '../core/money.ts'
import type { Model } from './catalog.ts'
import { abilitiesOf } from './model-abilities.ts'

const prices = (other: Partial<Record<'audioInput' | 'imageInput', bigint>>): Model['prices'] => {
  const priceOr = (price: bigint | undefined) => (price === undefined ? null : nanoUsd(price))
  return {
    input: nanoUsd(1n),
    output: nanoUsd(2n),
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other: { audioInput: priceOr(other.audioInput), imageInput: priceOr(other.imageInput), audioOutput: null },
    units: null,
  }
}

test.for([
  ['gpt-5.5', ['images', 'tools'], null],
  ['gemini-3-pro', ['images', 'audio', 'tools'], null],
  ['qwen3-omni-flash', ['images', 'audio', 'tools'], null],
  ['deepseek-chat', ['tools'], null],
  ['sonar-pro', [], null],
  ['mine', ['audio', 'tools'], prices({ audioInput: 3n })],
  ['mine', ['images', 'tools'], prices({ imageInput: 0n })],
  ['mine', ['tools'], prices({})],
] as const)('%s takes what its name and its prices tell: %j', ([name, abilities, priced]) => {
  expect(abilitiesOf({ name, prices: priced })).toEqual(abilities)
})

test('what answers no conversation is said to take nothing beside what it is for', () => {
  expect(abilitiesOf({ name: 'text-embedding-3-large', prices: null })).toEqual([])
  expect(abilitiesOf({ name: 'gpt-5.5', prices: null, kind: 'image' })).toEqual([])
})
