import { expect, test } from 'vitest'
import type { LimitNote } from '../../routing/kept-limits.ts'
import { outputLimitWriter } from './learned-writers.ts'

const NOTE: LimitNote = { upstreamId: 'ups_1', model: 'a', verdict: 'ignores' }

test('what could not be written down is tried again, in order', async () => {
  const written: LimitNote[] = []
  const failures: string[] = []
  let isDown = true
  const store = {
    noteLimit: async (note: LimitNote) => {
      if (isDown) throw new Error('disk full')
      written.push(note)
    },
  }
  const writer = outputLimitWriter(store, { warn: () => {}, error: () => failures.push('failed') })
  void writer.add({ ...NOTE, verdict: 'keeps' })
  void writer.add(NOTE)
  await expect.poll(() => failures.length).toBe(1)
  isDown = false
  await expect.poll(() => written, { timeout: 10_000 }).toEqual([{ ...NOTE, verdict: 'keeps' }, NOTE])
})
