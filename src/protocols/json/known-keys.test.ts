import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainKey } from './known-keys.ts'

test('a key reads as it is written, however often it came and whatever came before it', () => {
  const key = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('model', 'stream', 'choices', ''))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
      for (const each of [...keys, ...keys]) {
        const bytes = Buffer.from(`"${each}"`)
        expect(plainKey(bytes, 1, bytes.length - 1)).toBe(each.includes('\\') ? null : each)
      }
    }),
  )
})

test('a key with an escape or beyond ASCII is not read here', () => {
  for (const key of ['mod\\u0065l', '模型', 'é', 'a\\']) {
    const bytes = Buffer.from(`"${key}"`)
    expect(plainKey(bytes, 1, bytes.length - 1)).toBeNull()
  }
})
