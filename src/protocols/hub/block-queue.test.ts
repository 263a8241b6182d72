import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KEPT_PARTS_LIMIT_BYTES } from '../../core/limits.ts'
import { BlockQueue } from './block-queue.ts'
import type { StreamPart } from './neutral-answer.ts'

function begin(block: number): StreamPart {
  return { kind: 'begin', block, choice: 0, of: { kind: 'tool_call', id: `c${block}`, name: 't', isCustom: false } }
}
function delta(block: number, text: string): StreamPart {
  return { kind: 'delta', block, text }
}
function end(block: number): StreamPart {
  return { kind: 'end', block }
}
const STOP: StreamPart = { kind: 'stop', choice: 0, stop: { reason: 'tool_calls', sequence: null } }

function through(parts: readonly StreamPart[]): StreamPart[] {
  const queue = new BlockQueue()
  return parts.flatMap((part) => queue.take(part))
}

test('blocks that come one after the other pass as they come', () => {
  const queue = new BlockQueue()
  for (const part of [begin(0), delta(0, 'a'), end(0), begin(1), end(1), STOP]) expect(queue.take(part)).toEqual([part])
})

test('a second block waits until the first has ended, and goes through live then', () => {
  const queue = new BlockQueue()
  for (const part of [begin(0), delta(0, 'a')]) queue.take(part)
  expect(queue.take(begin(1))).toEqual([])
  expect(queue.take(delta(1, 'x'))).toEqual([])
  expect(queue.take(end(0))).toEqual([end(0), begin(1), delta(1, 'x')])
  expect(queue.take(delta(1, 'y'))).toEqual([delta(1, 'y')])
})

test('a stop waits for every block', () => {
  expect(through([begin(0), begin(1), end(1), STOP, end(0)])).toEqual([begin(0), end(0), begin(1), end(1), STOP])
})

test('however blocks are mixed, each comes out whole and in the order in which they began', () => {
  const mixed = fc.integer({ min: 1, max: 6 }).chain((count) => {
    const texts = fc.array(fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 5 }), {
      minLength: count,
      maxLength: count,
    })
    return fc.tuple(texts, fc.infiniteStream(fc.nat()))
  })
  fc.assert(
    fc.property(mixed, ([texts, picks]) => {
      const open = texts.map((pieces, block) => [
        begin(block),
        ...pieces.map((piece) => delta(block, piece)),
        end(block),
      ])
      const parts: StreamPart[] = []
      // Blocks begin in their order; everything else is mixed.
      let begun = 0
      for (let left = open.flat().length; left > 0; left--) {
        const ready = open.filter((block, i) => block.length > 0 && i <= begun)
        const chosen = ready[(picks.next().value ?? 0) % ready.length] ?? []
        if (chosen[0]?.kind === 'begin') begun += 1
        const next = chosen.shift()
        if (next !== undefined) parts.push(next)
      }
      const expected = texts.flatMap((pieces, block) => [
        begin(block),
        ...pieces.map((piece) => delta(block, piece)),
        end(block),
      ])
      expect(through([...parts, STOP])).toEqual([...expected, STOP])
    }),
    { numRuns: 300 },
  )
})

test('what waits is bounded', () => {
  const queue = new BlockQueue()
  for (const part of [begin(0), begin(1)]) queue.take(part)
  const piece = 'x'.repeat(1024 * 1024)
  const fill = () => {
    for (let i = 0; i <= KEPT_PARTS_LIMIT_BYTES / piece.length; i++) queue.take(delta(1, piece))
  }
  expect(fill).toThrow(expect.objectContaining({ code: 'upstream_malformed' }))
})
