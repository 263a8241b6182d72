import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inSuite } from '../../../../test/support/run/suite.ts'
import { endOfString } from '../json-bytes.ts'
import { MarkedEnds, QUOTE_MARKS } from './string-ends.ts'

const RUNS = 1_000_000

/** Bytes that matter, and longer runs of those that decide what is escaped, also across blocks and windows. */
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('"', '\\', '\\\\', '\\"', 'u', '\\u00e9', 'é', '{"a":', '", "', '\n') },
  { weight: 2, arbitrary: fc.string({ maxLength: 70 }) },
  { weight: 1, arbitrary: fc.nat(140).map((length) => '\\'.repeat(length)) },
  { weight: 1, arbitrary: fc.nat(5_000).map((length) => 'x'.repeat(length)) },
  { weight: 1, arbitrary: fc.nat(2_000).map((length) => '\\"'.repeat(length)) },
)
const texts = fc
  .array(piece, { minLength: 1, maxLength: 40, size: 'max' })
  .map((pieces) => Buffer.from(`"${pieces.join('')}`))

function marks(): NonNullable<typeof QUOTE_MARKS> {
  if (QUOTE_MARKS === null) throw new Error('this machine has no vectors')
  return QUOTE_MARKS
}

function ends(bytes: Buffer): MarkedEnds {
  return new MarkedEnds(bytes, marks())
}

/** Each string from the first quote on, by the search that looks from quote to quote. */
function stringsOf(bytes: Buffer): readonly (readonly [start: number, end: number])[] {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const found: (readonly [number, number])[] = []
  for (let start = 0; start >= 0;) {
    const end = endOfString(bytes, words, start)
    found.push([start, end])
    start = end < 0 ? -1 : bytes.indexOf('"', end)
  }
  return found
}

test('strings end where the search from quote to quote finds their end', () => {
  fc.assert(
    fc.property(texts, (bytes) => {
      const marked = ends(bytes)
      for (const [start, end] of stringsOf(bytes)) {
        const at = marked.endFrom(start + 1, Infinity)
        if ((at < 0 ? -1 : at + 1) !== end) throw new Error(`from ${start}: ${at}, and not ${end - 1}`)
        const written = bytes.subarray(start, end < 0 ? bytes.length : end)
        const escapes = written
          .toString('latin1')
          .replace(/\\[^u]/gs, '')
          .includes('\\u')
        const isFound = marked.hasUnicodeEscape(start, start + written.length)
        if (escapes && !isFound) throw new Error(`from ${start}: an escape is not seen`)
        if (isFound && !written.includes('\\u')) throw new Error(`from ${start}: an escape is seen that is not there`)
      }
    }),
    { numRuns: inSuite({ long: RUNS, short: 2_000 }) },
  )
})

test('two texts that are read in turns do not disturb each other', () => {
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const [one, other] = [ends(first), ends(second)]
      const [ones, others] = [stringsOf(first), stringsOf(second)]
      for (let at = 0; at < Math.max(ones.length, others.length); at++) {
        for (const [marked, string] of [
          [one, ones[at]],
          [other, others[at]],
        ] as const) {
          if (string === undefined) continue
          const end = marked.endFrom(string[0] + 1, Infinity)
          expect(end < 0 ? -1 : end + 1).toBe(string[1])
        }
      }
    }),
    { numRuns: inSuite({ long: RUNS / 20, short: 500 }) },
  )
})

test('a search stops where it is to pause, and goes on from there', () => {
  const bytes = Buffer.from(`"${'\\"'.repeat(300_000)}"`)
  const marked = ends(bytes)
  let from = 1
  let pauses = 0
  let at = marked.endFrom(from, 0)
  for (; at < -1; pauses++) {
    from = ~at
    at = marked.endFrom(from, from)
  }
  expect(at).toBe(bytes.length - 1)
  // 64 KB in each window, but for the first ones.
  expect(pauses).toBeGreaterThan(8)
  expect(pauses).toBeLessThan(14)
})

test('a text without quotes is not marked but for its beginning', () => {
  const bytes = Buffer.from(`"${'x'.repeat(10_000_000)}"`)
  expect(ends(bytes).endFrom(1, Infinity)).toBe(bytes.length - 1)
  expect(marks().end).toBeLessThan(5_000)
})
