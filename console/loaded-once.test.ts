import { expect, test } from 'vitest'
import { forgetFailures, loadedOnce, NotLoaded } from './loaded-once.ts'

test('what was loaded is loaded once, and is there at once for React’s `use`', async () => {
  let loads = 0
  const file = loadedOnce(async () => ++loads)
  await Promise.all([file(), file()])
  expect(loads).toBe(1)
  expect(file()).toMatchObject({ status: 'fulfilled', value: 1 })
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
  expect(loads).toBe(1)
  forgetFailures()
  expect(await file()).toBe('text')
})
