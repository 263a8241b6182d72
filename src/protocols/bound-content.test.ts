import { describe, expect, test } from 'vitest'
import { fingerprintOf, realmTagIn, sealedIn, sealedPieces } from './bound-content.ts'
import { writeOpaque } from './hub/opaque-reasoning.ts'
import { writeSignature } from './spokes/gemini/signatures.ts'

const piece = (letter: string) => `gAAAAAB${letter.repeat(300)}==`
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

describe('sealed pieces', () => {
  test('are found by the same fingerprint in what an upstream answers and in what a client sends back', () => {
    const [answered] = sealedIn(bytes({ output: [{ type: 'reasoning', encrypted_content: piece('a') }] }))
    const spaced = `{"input" : [ { "encrypted_content" :\n "${piece('a')}" } ] }`
    expect(sealedIn(Buffer.from(spaced))).toEqual([answered])
    expect(sealedPieces(Buffer.from(spaced))).toEqual([{ at: 'input[0].encrypted_content', fingerprint: answered }])
  })

  test('of a length have different ones, and those that differ in their midst and length as well', () => {
    const all = [piece('a'), piece('b'), `${piece('a')}A`].map(
      (text) => sealedIn(bytes({ encrypted_content: text }))[0],
    )
    expect(new Set(all).size).toBe(3)
  })

  test('come with the newest first, and no more than sixteen', () => {
    const input = Array.from({ length: 40 }, (_, i) => ({ encrypted_content: piece(String.fromCharCode(65 + i)) }))
    const found = sealedIn(bytes({ input }))
    expect(found).toHaveLength(16)
    expect(found[0]).toBe(sealedIn(bytes(input.at(-1)))[0])
  })

  test('are found behind words that stand for one, and not behind any number of them', () => {
    const behind = (words: number) => {
      const parts = Array.from({ length: words }, () => ({ thoughtSignature: 'skip_thought_signature_validator' }))
      return sealedIn(bytes({ parts: [{ thoughtSignature: piece('a') }, ...parts] }))
    }
    expect([behind(60), behind(64), behind(10_000)].map(({ length }) => length)).toEqual([1, 0, 0])
  })

  test('of Google are found in both spellings', () => {
    const [camel] = sealedIn(bytes({ contents: [{ parts: [{ thoughtSignature: piece('a') }] }] }))
    expect(sealedIn(bytes({ contents: [{ parts: [{ thought_signature: piece('a') }] }] }))).toEqual([camel])
  })

  test.for([
    ['in a text that quotes one', { text: JSON.stringify({ encrypted_content: piece('a') }) }],
    ['where the field is null', { encrypted_content: null }],
    ['where a word stands for one', { thoughtSignature: 'skip_thought_signature_validator' }],
    ['in a body that ends in its midst', null],
  ] as const)('are not found %s', ([, body]) => {
    expect(sealedIn(body === null ? Buffer.from('{"encrypted_content":"gAAA') : bytes(body))).toEqual([])
  })

  test('are none in a body that cannot be parsed, when they are to be named', () => {
    expect(sealedPieces(Buffer.from('{"encrypted_content":'))).toEqual([])
  })
})

describe('the tag of a realm', () => {
  const signed = { vendor: 'openai', data: piece('a'), realm: '1z141z3' } as const
  const untagged = { vendor: 'openai', data: piece('a') } as const

  test('is found in reasoning that was wrapped for a client of Anthropic’s and of Google’s protocol', () => {
    expect(realmTagIn(bytes({ signature: writeOpaque(signed, 'anthropic') }))).toBe('1z141z3')
    expect(realmTagIn(bytes({ thoughtSignature: writeSignature(signed, 'a thought') }))).toBe('1z141z3')
  })

  test('is that of the last piece that has one', () => {
    const older = { ...signed, realm: 'older' }
    const pieces = [older, signed, untagged].map((each) => ({ signature: writeOpaque(each, 'anthropic') }))
    expect(realmTagIn(bytes(pieces))).toBe('1z141z3')
  })

  test.for([
    ['nothing wrapped', 'hello'],
    ['what was wrapped before realms were known', writeOpaque(untagged, 'anthropic')],
    ['what only looks wrapped', '~tollgate.reasoning.e30'],
  ] as const)('is null for %s', ([, signature]) => {
    expect(realmTagIn(bytes({ signature }))).toBeNull()
  })
})

test('an id has one fingerprint, of sixteen characters', () => {
  expect(fingerprintOf('resp_1')).toHaveLength(16)
  expect(fingerprintOf('resp_1')).not.toBe(fingerprintOf('resp_2'))
})
