import { expect, test } from 'vitest'
import { PeriodicTask } from './periodic-task.ts'

test('runs do not overlap, and one that fails is reported and done again', async () => {
  const ends: ((error?: Error) => void)[] = []
  const failures: unknown[] = []
  const task = new PeriodicTask({
    run: () => new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
    onError: (error) => failures.push(error),
  })
  const both = [task.run(), task.run()]
  expect(ends).toHaveLength(1)
  ends[0]?.(new Error('away'))
  await Promise.all(both)
  expect(failures).toEqual([new Error('away')])
  const again = task.run()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await again
  expect(failures).toHaveLength(1)
})

test('what is left is done when the node leaves, after the run that is under way', async () => {
  const done: string[] = []
  const run = async () => void done.push('due')
  const onError = () => expect.unreachable()
  const task = new PeriodicTask({ run, finish: async () => void done.push('rest'), onError })
  void task.run()
  await task.stop()
  await new PeriodicTask({ run, onError }).stop()
  expect(done).toEqual(['due', 'rest'])
})
