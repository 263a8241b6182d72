import { expect, test } from 'vitest'
import { parseUsd } from '../../core/money.ts'
import { type DeclarativeFile, parseDeclarativeFile } from './declarative-file.ts'

const none = new Set<string>()
const nothing = { upstreams: none, models: none, groups: none, plans: none, accounts: none }

function parse(text: string): DeclarativeFile {
  return parseDeclarativeFile(text, { name: 'tollgate.yaml', environment: {} })
}

function file(price: string, multiplier: string, models = '["*"]'): DeclarativeFile {
  return parse(`upstreams: [{ name: u, protocol: openai, base_url: https://api.example.test/v1 }]
models:
  - { name: m, price: ${price}, targets: [{ upstream: u }] }
  - { name: cheap, price: { input: "0", output: "1" }, targets: [{ upstream: u }] }
groups:
  - { name: g, multiplier: "${multiplier}", models: ${models} }`)
}

test('every kind of token may have a price of its own', () => {
  const price = `{ input: "1", output: "2", cache_read: "3", cache_write: "4", cache_write_1h: "5", audio_input: "6", image_input: "7", audio_output: "8" }`
  expect(file(price, '1').declaration.models[0]?.prices).toEqual({
    input: parseUsd('1'),
    output: parseUsd('2'),
    cacheRead: parseUsd('3'),
    cacheWrite: parseUsd('4'),
    cacheWrite1h: parseUsd('5'),
    other: { audioInput: parseUsd('6'), imageInput: parseUsd('7'), audioOutput: parseUsd('8') },
    units: null,
  })
})

test('reasoning may have a price of its own, in tiers and classes of service too', () => {
  const own = `{ above_input_tokens: 9, input: "1", output: "2", reasoning_output: "5" }`
  const { prices } =
    file(`{ input: "1", output: "2", reasoning_output: "4", tiers: [${own}] }`, '1').declaration.models[0] ?? {}
  expect(prices?.other?.reasoningOutput).toBe(parseUsd('4'))
  expect(prices?.rules?.lengthTiers[0]?.prices.other?.reasoningOutput).toBe(parseUsd('5'))
})

test('one price of audio or images leaves the others to be those of input and output', () => {
  expect(file(`{ input: "1", output: "2", image_input: "0" }`, '1').declaration.models[0]?.prices?.other).toEqual({
    audioInput: null,
    imageInput: parseUsd('0'),
    audioOutput: null,
  })
  expect(file(`{ input: "1", output: "2" }`, '1').declaration.models[0]?.prices?.other).toBeNull()
})

test.for([
  [
    `{ input: "10000000.01", output: "1" }`,
    '1',
    'models[0].price.input is "10000000.01", but it must be at most 10000000 USD',
  ],
  [`{ input: "1", output: "1", audio_output: "9000000000" }`, '1', 'models[0].price.audio_output is "9000000000"'],
  [`{ input: "1", output: "1" }`, '10001', 'groups[0].multiplier is "10001", but it must be at most 10000.'],
] as const)('a price of %s times %s is refused as absurd', ([price, multiplier, sentence]) => {
  expect(() => file(price, multiplier)).toThrow(sentence)
})

test.for([
  [`{ input: "1000001", output: "1" }`, '10', '"m" cost $10000010, where $10000000 is the most'],
  [`{ input: "0", output: "0", audio_input: "5000000" }`, '2.000001', '"m" cost $10000005'],
] as const)('prices of %s times %s are refused as absurd together', ([price, multiplier, sentence]) => {
  const check = () => file(price, multiplier).checkReferences(nothing)
  expect(check).toThrow(`line 6, column 28: this multiplier makes a million tokens of ${sentence}`)
})

test('the dearest prices that can be charged are taken, and dearer ones where no group has them', () => {
  expect(() => file(`{ input: "1000000", output: "1" }`, '10').checkReferences(nothing)).not.toThrow()
  expect(() => file(`{ input: "1000", output: "1" }`, '10000').checkReferences(nothing)).not.toThrow()
  expect(() => file(`{ input: "5000000", output: "1" }`, '9', '[cheap]').checkReferences(nothing)).not.toThrow()
})

test('units have prices of their own, of one or of a million characters', () => {
  const price = '{ per_request: "0.01", per_image: "0.04", per_second: "0.000000001", per_million_characters: "15" }'
  expect(file(price, '1').declaration.models[0]?.prices).toEqual({
    input: null,
    output: null,
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: {
      request: parseUsd('10000'),
      image: parseUsd('40000'),
      second: parseUsd('0.001'),
      character: parseUsd('15'),
    },
  })
  expect(file('{ input: "1", output: "2", per_request: "0" }', '1').declaration.models[0]?.prices?.units).toMatchObject(
    {
      request: 0n,
      image: null,
    },
  )
})

test.for([
  ['{ }', 'models[0].price.input is missing: it must be a price, unless there is one per_request'],
  ['{ input: "1" }', 'models[0].price.output is missing: it must be a price, since input and output are set together'],
  ['{ output: "1", per_image: "1" }', 'models[0].price.input is missing: it must be a price, since input and output'],
  ['{ per_image: "1", cache_read: "1" }', 'models[0].price.input is missing: it must be a price, since other prices'],
  ['{ per_image: "10.000000001" }', 'models[0].price.per_image is "10.000000001", but it must be at most 10 USD'],
] as const)('prices of %s are refused', ([price, sentence]) => {
  expect(() => file(price, '1')).toThrow(sentence)
})

test('a multiplier that makes a unit too dear is refused', () => {
  const check = () => file('{ per_second: "6" }', '2').checkReferences(nothing)
  expect(check).toThrow('where $10000000 is the most')
})
