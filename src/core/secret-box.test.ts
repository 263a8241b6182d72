import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyedHash, SealError, sealer } from './secret-box.ts'

const secret = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'

test('what was sealed is opened to the same text', () => {
  const { seal, open } = sealer(secret)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const wellFormed = text.toWellFormed()
      expect(open(seal(wellFormed))).toBe(wellFormed)
    }),
  )
})

test('sealing twice gives two texts, and neither shows what is in it', () => {
  const { seal } = sealer(secret)
  const [one, two] = [seal('sk-upstream'), seal('sk-upstream')]
  expect(one).not.toBe(two)
  expect(one).toMatch(/^v1\.[\w-]{16}\.[\w-]{36}$/)
})

test('another secret does not open it', () => {
  const sealed = sealer(secret).seal('sk-upstream')
  expect(() => sealer(`${secret}x`).open(sealed)).toThrow(SealError)
})

test('any changed character is noticed', () => {
  const { seal, open } = sealer(secret)
  const sealed = seal('sk-upstream-credential')
  for (let i = 0; i < sealed.length; i++) {
    const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'w' : 'A') + sealed.slice(i + 1)
    expect(() => open(changed), `character ${i}`).toThrow(SealError)
  }
  expect(() => open(sealed.slice(0, -4))).toThrow(SealError)
})

test.for(['', 'v1..', 'plain text', 'v2.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA'])('%j is not sealed text', (text) => {
  expect(() => sealer(secret).open(text)).toThrow(/not a sealed text/)
})

test('the hash is HMAC-SHA-256 under a derived key, whatever the length of the text', () => {
  const hashKey = keyedHash(secret)
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tollgate hash api key v1', 32))
  for (const text of [
    '',
    'sk-tg-abc',
    'é'.repeat(127),
    'é'.repeat(128),
    'x'.repeat(129),
    'x'.repeat(5000),
    'short again',
  ]) {
    expect(hashKey(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'))
  }
})

test('hashes of two purposes or two secrets have nothing in common', () => {
  const hashes = [keyedHash(secret), keyedHash(secret, 'set-up link'), keyedHash(`${secret}x`)].map((hash) => hash('x'))
  expect(new Set(hashes).size).toBe(3)
})
