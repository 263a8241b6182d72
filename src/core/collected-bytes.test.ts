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
