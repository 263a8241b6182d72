import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BACKSLASHES, byteOf, isPlain, QUOTES, unicodeEscapes, zeroByte } from './byte-words.ts'

/** Mostly what could be taken for a quote or a backslash by their neighbours' bits. */
const byte = fc.oneof(fc.constantFrom(0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xa2, 0xdc, 0xff), fc.nat(255))

test('the first byte that is looked for is found, whatever stands around it', () => {
  fc.assert(
    fc.property(
      fc.array(byte, { minLength: 4, maxLength: 4 }),
      fc.constantFrom(QUOTES, BACKSLASHES),
      (four, wanted) => {
        const word = new DataView(Uint8Array.from(four).buffer).getInt32(0, true)
        const found = zeroByte(word ^ wanted)
        expect(found === 0 ? -1 : byteOf(found)).toBe(four.indexOf(wanted & 0xff))
      },
    ),
    { numRuns: 5_000 },
  )
})

test('bytes are plain when none is a backslash or beyond ASCII, of any length and at any offset', () => {
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 24 }), fc.nat(3), (bytes, from) => {
      const words = new DataView(Uint8Array.from([...Array(from).fill(0x5c), ...bytes, 0x5c]).buffer)
      const isEach = bytes.every((each) => each < 0x80 && each !== 0x5c)
      expect(isPlain(words, from, from + bytes.length)).toBe(isEach)
    }),
    { numRuns: 5_000 },
  )
})

test('characters that are written as escapes are counted at every offset, and escaped backslashes are none', () => {
  const piece = fc.constantFrom('\\u4f60', '\\\\', '\\n', 'u', 'u0021', 'a', ']')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(7), (pieces, from) => {
      const bytes = Buffer.from(']'.repeat(from) + pieces.join('') + '\\u0021')
      const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      expect(unicodeEscapes(words, from, bytes.length - 6)).toBe(pieces.filter((each) => each === '\\u4f60').length)
    }),
    { numRuns: 2_000 },
  )
})
