import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventBuffer } from './event-buffer.ts'

function play(...chunks: string[]): (string | null)[] {
  const buffer = new EventBuffer()
  const taken = chunks.map((chunk) => buffer.take(Buffer.from(chunk, 'latin1'))?.toString('latin1') ?? null)
  return [...taken, buffer.takeRest().toString('latin1')]
}

test.for([
  [['a\n\n'], ['a\n\n', '']],
  [['a\n\nb'], ['a\n\n', 'b']],
  [
    ['a\n', '\nb\n\n'],
    [null, 'a\n\nb\n\n', ''],
  ],
  [
    ['a\r\n\r', '\n'],
    [null, 'a\r\n\r\n', ''],
  ],
  [
    ['a\r', '\n', '\r', '\nb'],
    [null, null, null, 'a\r\n\r\n', 'b'],
  ],
  [
    ['a\n\n', '\n', '\r\n', 'b'],
    ['a\n\n', '\n', '\r\n', null, 'b'],
  ],
  [
    ['a\n\n\r', '\nb\n', '\n'],
    ['a\n\n\r', '\n', 'b\n\n', ''],
  ],
  [['a\n\r\nb'], ['a\n\r\n', 'b']],
  [
    ['', 'a', '', '\n\n'],
    [null, null, null, 'a\n\n', ''],
  ],
  [['a\rb\n'], [null, 'a\rb\n']],
] as const)('%j is %j', ([chunks, taken]) => {
  expect(play(...chunks)).toEqual(taken)
})

test('a chunk of whole events is handed on as it is', () => {
  const chunk = Buffer.from('data: 1\r\n\r\ndata: 2\n\n')
  expect(new EventBuffer().take(chunk)).toBe(chunk)
})

test('what was handed out is never written to again', () => {
  const buffer = new EventBuffer()
  buffer.take(Buffer.from('data: fir'))
  const first = buffer.take(Buffer.from('st\n\ndata: sec'))
  buffer.take(Buffer.from('ond, which is longer\n\n'))
  expect(first?.toString()).toBe('data: first\n\n')
})

test('no byte is lost, doubled or moved, whatever the chunks', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (chunks) => {
      const buffer = new EventBuffer()
      // Read only at the end, as a client's socket may.
      const taken = chunks.map((chunk) => buffer.take(Buffer.from(chunk)))
      const all = Buffer.concat([...taken.filter((bytes) => bytes !== null), buffer.takeRest()])
      expect(all.toString()).toBe(chunks.join(''))
    }),
  )
})

test('16 MB in pieces of 16 KB are taken in a time that grows with the bytes', () => {
  const chunk = Buffer.alloc(16 * 1024, 0x61)
  const buffer = new EventBuffer()
  const start = process.cpuUsage()
  for (let i = 0; i < 1_000; i++) buffer.take(chunk)
  const { user, system } = process.cpuUsage(start)
  expect(buffer.takeRest()).toHaveLength(16_384_000)
  // 40 ms here; searching all of what waits at each chunk took 8 s.
  expect(user + system).toBeLessThan(2_000_000)
})
