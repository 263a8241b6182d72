import { expect, test } from 'vitest'
import { SettleQueue } from './settle-queue.ts'
import type { Settlement, SettlementStore } from './settlement.ts'

function settlement(id: string): Settlement {
  return { record: { id }, charges: [] } as unknown as Settlement
}

/** A store whose batches the test ends by hand. */
class StoreByHand implements SettlementStore {
  readonly batches: { ids: string[]; end: (error?: Error) => void }[] = []
  #waiters: (() => void)[] = []

  settle(batch: readonly Settlement[]): Promise<{ overruns: number }> {
    return new Promise((resolve, reject) => {
      this.batches.push({
        ids: batch.map((each) => each.record.id),
        end: (error) => (error === undefined ? resolve({ overruns: 0 }) : reject(error)),
      })
      for (const tell of this.#waiters.splice(0)) tell()
    })
  }

  async batch(index: number): Promise<{ ids: string[]; end: (error?: Error) => void }> {
    while (this.batches.length <= index) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    const batch = this.batches[index]
    if (batch === undefined) throw new Error('no such batch')
    return batch
  }
}

function queueOver(store: SettlementStore) {
  const heard: string[] = []
  const errors: Error[] = []
  const time = { elapsed: 0 }
  const clock = { now: () => time.elapsed, elapsed: () => time.elapsed }
  const queue = new SettleQueue({ store, clock, onError: (error) => errors.push(error) })
  const push = (id: string) =>
    queue.push(settlement(id), {
      callback: (error) => heard.push(`${id} ${error === null ? 'stored' : 'waits'}`),
      durable: () => heard.push(`${id} durable`),
    })
  return { queue, push, heard, errors, time }
}

test('what arrives while a batch is under way makes the next one', async () => {
  const store = new StoreByHand()
  const { queue, push, heard } = queueOver(store)
  push('a')
  const first = await store.batch(0)
  push('b')
  push('c')
  expect(first.ids).toEqual(['a'])
  first.end()
  const second = await store.batch(1)
  expect(second.ids).toEqual(['b', 'c'])
  expect(heard).toEqual(['a durable', 'a stored'])
  second.end()
  expect(await queue.drain(1000)).toBe(true)
  expect(heard).toHaveLength(6)
})

test('a batch that fails closes the door, and is stored when the store is back; who waits hears of that alone', async () => {
  const store = new StoreByHand()
  const { queue, push, heard, errors } = queueOver(store)
  push('a')
  ;(await store.batch(0)).end(new Error('disk full'))
  const again = await store.batch(1)
  expect(again.ids).toEqual(['a'])
  expect(queue.accepts).toBe(false)
  expect(errors.map((error) => error.message)).toEqual(['disk full'])
  again.end()
  expect(await queue.drain(1000)).toBe(true)
  expect(heard).toEqual(['a durable', 'a stored'])
  expect(queue.accepts).toBe(true)
})

test('when a failure lasts those who wait are told once, and the settlement is still stored in the end', async () => {
  const store = new StoreByHand()
  const { queue, push, heard, time } = queueOver(store)
  push('a')
  ;(await store.batch(0)).end(new Error('disk full'))
  time.elapsed = 5_000
  push('b')
  ;(await store.batch(1)).end(new Error('disk full'))
  const third = await store.batch(2)
  expect(heard).toEqual(['a waits'])
  third.end()
  expect(await queue.drain(1000)).toBe(true)
  expect(heard).toEqual(['a waits', 'a durable', 'b durable', 'b stored'])
})

test('a drain that takes too long says so', async () => {
  const { queue, push } = queueOver(new StoreByHand())
  push('a')
  expect(await queue.drain(10)).toBe(false)
})
