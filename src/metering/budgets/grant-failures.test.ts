import { expect, test } from 'vitest'
import { aNode, balance, hold } from '../../../test/support/lease-book-by-hand.ts'

test('grants that fail in a row are known, until one is answered or the store had time to get well', async () => {
  const { store, book } = aNode()
  store.open(balance, 9_000n)
  const grant = store.grant.bind(store)
  const failure = new Error('the disk is full')
  const tryToHold = () => hold(book, [balance]).catch(() => {})
  store.grant = () => Promise.reject(failure)
  await tryToHold()
  await tryToHold()
  expect(book.failure).toBeNull()
  await tryToHold()
  expect(book.failure).toBe(failure)
  await book.maintain()
  expect(book.failure).toBeNull()
  await tryToHold()
  expect(book.failure).toBe(failure)
  store.grant = grant
  expect(await hold(book, [balance])).toHaveLength(1)
  expect(book.failure).toBeNull()
})
