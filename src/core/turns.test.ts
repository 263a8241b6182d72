import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atOnce, inTurns, type Steps } from './turns.ts'

function* work(name: string, steps: number, done: string[]): Steps<string> {
  for (let step = 1; step <= steps; step++) {
    done.push(name + step)
    yield
  }
  return name
}
const wanted = (): boolean => false

test('works take their steps in turns, one in each turn of the event loop, and each ends with its result', async () => {
  const done: string[] = []
  const all = Promise.all([inTurns(work('a', 3, done), wanted), inTurns(work('b', 1, done), wanted)])
  expect(done).toEqual([])
  const seen: number[] = []
  for (let at = 0; at < 4; at++) {
    await turn()
    seen.push(done.length)
  }
  expect(await all).toEqual(['a', 'b'])
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
  // However the turns of this test and those of the work lie, none has more than one step.
  for (let at = 1; at < seen.length; at++) expect(Number(seen[at]) - Number(seen[at - 1])).toBeLessThanOrEqual(1)
})

test('a work that fails, or that is in vain by now, is over and does not stop the others', async () => {
  const done: string[] = []
  function* failing(): Steps<void> {
    yield
    throw new TypeError('no')
  }
  let hasLeft = false
  const left = inTurns(work('l', 1_000, done), () => hasLeft)
  const failed = inTurns(failing(), wanted)
  const other = inTurns(work('o', 5, done), wanted)
  hasLeft = true
  await expect(left).rejects.toThrow('for no one')
  await expect(failed).rejects.toThrow(TypeError)
  expect(await other).toBe('o')
  expect(done.filter((step) => step.startsWith('l'))).toEqual([])
})

test('at once, all steps are done in one go', () => {
  const done: string[] = []
  expect(atOnce(work('a', 3, done))).toBe('a')
  expect(done).toEqual(['a1', 'a2', 'a3'])
})
