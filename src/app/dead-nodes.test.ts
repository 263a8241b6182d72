import { expect, test } from 'vitest'
import type { LivingNode } from '../access/nodes.ts'
import type { Store } from '../store/store.ts'
import { buryDeadNodes } from './dead-nodes.ts'

test('the leases of a dead process of this host are given back, those of others are left alone', async () => {
  const node = (id: string, host: string, processId: number): LivingNode => ({
    id,
    host,
    processId,
    seenSeq: 0,
    aliveUntil: 1_000,
  })
  const nodes = [
    node('dead', 'here', 10),
    node('alive', 'here', 11),
    node('earlier life', 'here', 99),
    node('elsewhere', 'there', 10),
  ]
  const closed: string[] = []
  const left: string[] = []
  const store = {
    nodes: { living: async () => nodes, leave: async (id: string) => void left.push(id) },
    leases: { closeOfNode: async (id: string) => closed.push(id) },
  } as unknown as Pick<Store, 'nodes' | 'leases'>
  await buryDeadNodes(store, { host: 'here', processId: 99, nowMs: 0, isAlive: (id) => id === 11 })
  expect(closed).toEqual(['dead', 'earlier life'])
  expect(left).toEqual(closed)
})
