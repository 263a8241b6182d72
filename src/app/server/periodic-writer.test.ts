import { expect, test } from 'vitest'
import { PeriodicWriter } from './periodic-writer.ts'

test('writes do not overlap, and one that fails is reported and written again', async () => {
  const ends: ((error?: Error) => void)[] = []
  const failures: unknown[] = []
  const writer = new PeriodicWriter({
    write: () => new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
    onError: (error) => failures.push(error),
  })
  const both = [writer.write(), writer.write()]
  expect(ends).toHaveLength(1)
  ends[0]?.(new Error('away'))
  await Promise.all(both)
  expect(failures).toEqual([new Error('away')])
  const again = writer.write()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await again
  expect(failures).toHaveLength(1)
})

test('what is left is written when the node leaves, after the write that is under way', async () => {
  const written: string[] = []
  const write = async () => void written.push('due')
  const onError = () => expect.unreachable()
  const writer = new PeriodicWriter({ write, finish: async () => void written.push('rest'), onError })
  void writer.write()
  await writer.finish()
  await new PeriodicWriter({ write, onError }).finish()
  expect(written).toEqual(['due', 'rest', 'due'])
})
