import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('turns come one at a time, in the order in which they were asked for', async () => {
  const turns = new Turns()
  const order: number[] = []
  let inside = 0
  await Promise.all(
    [0, 1, 2, 3].map(async (number) => {
      const end = await turns.take()
      inside += 1
      expect(inside).toBe(1)
      order.push(number)
      await Promise.resolve()
      inside -= 1
      end()
    }),
  )
  expect(order).toEqual([0, 1, 2, 3])
})

test('a turn that is ended twice gives way to one other only', async () => {
  const turns = new Turns()
  const end = await turns.take()
  const begun: number[] = []
  const second = turns.take().then(() => begun.push(2))
  void turns.take().then(() => begun.push(3))
  end()
  end()
  await second
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([2])
})

test('a line that is too long is refused', async () => {
  const turns = new Turns()
  await turns.take()
  for (let i = 0; i < 10_000; i++) void turns.take()
  await expect(turns.take()).rejects.toThrow(/too many/)
})
