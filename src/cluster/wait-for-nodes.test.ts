import { expect, test } from 'vitest'
import type { RegisteredNode } from './nodes.ts'
import { waitForNodes } from './wait-for-nodes.ts'

const LOOK_MS = 10_000

/** Answers each look with the next list, the last one for ever; the clock moves with the looks. */
function looks(...answers: readonly (readonly Partial<RegisteredNode>[])[]) {
  let look = 0
  const nodes = {
    all: async () =>
      (answers[Math.min(look++, answers.length - 1)] ?? []).map((node): RegisteredNode => ({
        id: 'nod_1',
        host: 'here',
        processId: process.pid,
        seenSeq: 0,
        beat: look,
        standing: null,
        ...node,
      })),
  }
  return { nodes, clock: { elapsed: () => look * LOOK_MS }, host: 'here', count: () => look }
}

test('nothing is waited for when no gateway runs', async () => {
  expect(await waitForNodes(5, looks([]))).toEqual([])
})

test('a gateway is waited for until it has seen the change', async () => {
  const waiting = looks([{ seenSeq: 4 }], [{ seenSeq: 4 }], [{ seenSeq: 5 }])
  expect(await waitForNodes(5, waiting)).toEqual([])
  expect(waiting.count()).toBe(3)
})

test('a dead process of this host is not waited for, one of another host is until it is off the list', async () => {
  const dead = { processId: 2 ** 22 + 1 }
  expect(await waitForNodes(5, looks([dead]))).toEqual([])
  const elsewhere = looks([{ ...dead, host: 'there' }], [])
  expect(await waitForNodes(5, elsewhere)).toEqual([])
  expect(elsewhere.count()).toBe(2)
})

test('one whose beat stands still is waited for as long as a node may live without one', async () => {
  const frozen = looks([{ beat: 3 }])
  expect(await waitForNodes(5, frozen)).toEqual([])
  // Seen at the end of the first look, still standing at the beginning of the fifth.
  expect(frozen.count()).toBe(5)
})

test('one that lives on and never follows is named in the end', async () => {
  const waiting = looks([{ id: 'nod_stuck' }])
  expect(await waitForNodes(5, waiting)).toEqual(['nod_stuck'])
  expect(waiting.count()).toBeLessThan(10)
})

test('this node is waited for even where it is off the list, as one that was taken for dead: it answers by its memory', async () => {
  const here = { id: 'nod_here', seq: 4 }
  const waiting = looks([], [], [])
  const followed = { ...waiting, here, clock: { elapsed: () => ((here.seq = waiting.count()), 0) } }
  expect(await waitForNodes(6, followed)).toEqual([])
  expect(waiting.count()).toBe(6)
  expect(await waitForNodes(6, { ...looks([]), here: { id: 'nod_here', seq: 5 } })).toEqual(['nod_here'])
})
