import { expect, test } from 'vitest'
import { WriteQueue } from './learned-writers.ts'

test('of entries with one key the last alone is written, also where it comes while the first is being written', async () => {
  const written: string[] = []
  const gate = Promise.withResolvers<void>()
  const queue = new WriteQueue<string>({
    write: async (entry) => {
      await gate.promise
      written.push(entry)
    },
    onError: () => expect.unreachable(),
  })
  void queue.add('held', 'a')
  const replaced = queue.add('held', 'b')
  void queue.add('released', 'a')
  const last = queue.add('released', 'b')
  expect([queue.isWaiting('a'), queue.isWaiting('c')]).toEqual([true, false])
  gate.resolve()
  await Promise.all([last, replaced])
  await expect.poll(() => queue.isWaiting('a') || queue.isWaiting('b')).toBe(false)
  expect(written.toSorted()).toEqual(['held', 'released', 'released'])
})
