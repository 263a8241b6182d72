import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CollectedBytes } from './collected-bytes.ts'

test('pieces are kept up to the limit, and what was kept stays readable after it', () => {
  const bytes = new CollectedBytes()
  expect(bytes.add(Buffer.from('ab'), 4)).toBe(true)
  expect(bytes.add(Buffer.from('cd'), 4)).toBe(true)
  expect(bytes.add(Buffer.from('e'), 4)).toBe(false)
  expect(bytes.add(Buffer.alloc(0), 4)).toBe(false)
  expect(bytes.whole().toString()).toBe('abcd')
  bytes.clear()
  expect(bytes.whole()).toHaveLength(0)
})

test('a single piece is not copied', () => {
  const bytes = new CollectedBytes()
  const piece = Buffer.from('whole')
  bytes.add(piece, 100)
  expect(bytes.whole()).toBe(piece)
})

test('pieces of all sizes come out as they went in, whenever they are read', () => {
  const sizes = fc.array(fc.oneof(fc.nat(8), fc.integer({ min: 500, max: 3_000 })), { maxLength: 120 })
  fc.assert(
    fc.property(sizes, fc.nat(120), (lengths, readAt) => {
      const bytes = new CollectedBytes()
      const pieces = lengths.map((length, i) => Buffer.alloc(length, i))
      for (const [i, piece] of pieces.entries()) {
        expect(bytes.add(piece, 1e9)).toBe(true)
        if (i === readAt) expect(bytes.whole().equals(Buffer.concat(pieces.slice(0, i + 1)))).toBe(true)
      }
      expect(bytes.whole().equals(Buffer.concat(pieces))).toBe(true)
    }),
  )
})

test('a body in pieces of one byte takes about as much memory as it has bytes', () => {
  const bytes = new CollectedBytes()
  const before = process.memoryUsage()
  for (let i = 0; i < 1_000_000; i++) bytes.add(Buffer.allocUnsafeSlow(1), 1e9)
  globalThis.gc?.()
  const after = process.memoryUsage()
  expect(bytes.whole()).toHaveLength(1_000_000)
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(100_000_000)
})
