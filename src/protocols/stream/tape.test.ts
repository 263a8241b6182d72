import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Tape } from './produced-text.ts'

test('what is taken is what came, in order, byte for byte', () => {
  const latin1 = fc.uint8Array({ maxLength: 9_000 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
  fc.assert(
    fc.property(fc.array(fc.array(latin1, { maxLength: 12 }), { maxLength: 6 }), (rounds) => {
      const tape = new Tape()
      for (const events of rounds) {
        for (const each of events) tape.add(each)
        expect(tape.bytes).toBe(events.join('').length)
        expect(tape.take()).toBe(events.join(''))
        expect(tape.bytes).toBe(0)
      }
    }),
  )
})

test('an event larger than all that is kept comes out whole, and so does what follows it', () => {
  const tape = new Tape()
  const large = 'x'.repeat(3_000_000)
  tape.add('before')
  tape.add(large)
  expect(tape.take()).toBe(`before${large}`)
  tape.add('behind')
  expect(tape.take()).toBe('behind')
})

test('what waits lies beside the heap: a running stream leaves next to nothing for collections to copy', () => {
  const tapes = Array.from({ length: 400 }, () => new Tape())
  collect()
  const before = process.memoryUsage().heapUsed
  for (const [place, tape] of tapes.entries()) {
    for (let i = 0; i < 100; i++) tape.add(`data: {"stream":${place},"event":${i},"text":"${'word '.repeat(50)}"}\n\n`)
  }
  const bytes = tapes.reduce((sum, tape) => sum + tape.bytes, 0)
  collect()
  expect(bytes).toBeGreaterThan(10_000_000)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(bytes / 10)
})

/** Takes all garbage away. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof gc === 'function') gc()
}
