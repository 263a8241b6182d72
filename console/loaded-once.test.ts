import { expect, test } from 'vitest'
import { forgetFailures, loadedOnce, loadedTogether, NotLoaded } from './loaded-once.ts'

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

test('loads that are started early fail in silence, and a caller that waits gets the failure', async () => {
  const unheard: unknown[] = []
  const hear = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', hear)
  try {
    const file = loadedOnce(() => Promise.reject(new Error('no line')))
    const all = loadedTogether([file(), file()])
    // Rejections are looked at once the queue of microtasks is empty.
    await new Promise((resolve) => setImmediate(resolve))
    expect(unheard).toEqual([])
    await expect(all).rejects.toBeInstanceOf(NotLoaded)
  } finally {
    process.off('unhandledRejection', hear)
  }
})
