import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RegisteredNode } from './nodes.ts'
import { retireOwnPreviousNodes, hasEnded } from './dead-nodes.ts'
import { thisHost } from './host-process.ts'

const node = (id: string, host: string, processId: number): RegisteredNode => ({
  id,
  host,
  processId,
  seenSeq: 0,
  beat: 4,
  standing: null,
})

test('at the start, dead processes of this host and earlier lives of this one are buried, others left alone', async () => {
  const buried: string[] = []
  const nodes = {
    all: async () => [
      node('dead', 'here', 10),
      node('alive', 'here', 11),
      node('earlier life', 'here', 99),
      node('elsewhere', 'there', 10),
      node('same number elsewhere', 'there', 99),
    ],
    retire: async (dead: readonly { id: string; beat: number }[]) => {
      for (const { id, beat } of dead) buried.push(`${id} ${beat}`)
    },
  }
  await retireOwnPreviousNodes(nodes, { host: 'here', processId: 99, isAlive: (id) => id === 11 })
  expect(buried).toEqual(['dead 4', 'earlier life 4'])
})

test('a process is known to have ended only where its number means something', () => {
  const host = thisHost(randomUUID)
  const none = 2 ** 22 + 1
  expect(hasEnded(node('a', host, process.pid), host)).toBe(false)
  expect(hasEnded(node('b', host, none), host)).toBe(true)
  expect(hasEnded(node('c', 'elsewhere', none), host)).toBe(false)
})
