import { expect, test } from 'vitest'
import { forgetFailures, loadedOnce, NotLoaded } from './loaded-once.ts'

test('what was loaded is there at once, and was loaded once', async () => {
  let loads = 0
  const file = loadedOnce(async () => ++loads)
  expect(file.now()).toBeUndefined()
  await Promise.all([file(), file()])
  expect([file.now(), loads]).toEqual([1, 1])
})

test('what could not be loaded is not asked for again until failures are forgotten', async () => {
  let loads = 0
  const file = loadedOnce(async () => {
    loads += 1
    if (loads === 1) throw new Error('no line')
    return 'text'
  })
  await expect(file()).rejects.toBeInstanceOf(NotLoaded)
  await expect(file()).rejects.toBeInstanceOf(NotLoaded)
  expect([file.now(), loads]).toEqual([undefined, 1])
  forgetFailures()
  expect(await file()).toBe('text')
  expect(file.now()).toBe('text')
})
