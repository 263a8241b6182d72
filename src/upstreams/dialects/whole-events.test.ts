import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '../../../test/support/growth.ts'
import { WholeEvents } from './whole-events.ts'

const STREAM = 'data: 1\n\nevent: x\r\ndata: 你\r\n\r\n\n\ndata: 3\n\r\ndata: begun'
const ENDED = STREAM.slice(0, STREAM.indexOf('data: begun'))

test('events come whole and once, however the stream is cut', () => {
  const bytes = Buffer.from(STREAM)
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 30 })
  fc.assert(
    fc.property(cuts, (offsets) => {
      const events = new WholeEvents()
      const borders = [0, ...offsets.toSorted((a, b) => a - b), bytes.length]
      const heads = borders.slice(1).map((end, index) => events.add(bytes.subarray(borders[index], end)).toString())
      for (const head of heads) expect(head).toMatch(/^$|\n\r?\n$/)
      expect(heads.join('')).toBe(ENDED)
      expect([events.size, events.takeRest().toString(), events.size]).toEqual([11, 'data: begun', 0])
    }),
  )
})

test('whole events are the same bytes, not a copy', () => {
  const piece = Buffer.from('data: 1\n\ndata: 2\n\n')
  expect(new WholeEvents().add(piece).buffer).toBe(piece.buffer)
})

test('an event that comes in small pieces is joined in time that grows with its length', () => {
  const piece = Buffer.from('x'.repeat(64))
  const read = (size: number) => {
    const events = new WholeEvents()
    for (let done = 0; done < size; done += piece.length) events.add(piece)
    return events.takeRest()
  }
  expect(growthOf(read, { few: 65_536, many: 1_048_576 })).toBeLessThan(ABOUT_LINEAR)
})
