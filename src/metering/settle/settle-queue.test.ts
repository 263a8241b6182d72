import { expect, test, vi } from 'vitest'
import { SettleQueue } from './settle-queue.ts'
import { type Settlement, SettlementRefused, type SettlementStore } from './settlement.ts'
import { PATIENCE_MS } from '../../../test/support/patience.ts'

function settlement(id: string): Settlement {
  return { record: { id, accountId: 'acc_a', cost: 5n }, charges: [] } as unknown as Settlement
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
      for (const wake of this.#waiters.splice(0)) wake()
    })
  }

  async batch(index: number): Promise<{ ids: string[]; end: (error?: Error) => void }> {
    while (this.batches.length <= index) await new Promise<void>((resolve) => this.#waiters.push(resolve))
    const batch = this.batches[index]
    if (batch === undefined) throw new Error('no such batch')
    return batch
  }
}

/** A store that refuses every batch with one of these in it, and takes all others. */
class StoreThatRefuses implements SettlementStore {
  readonly stored: string[] = []
  readonly #poison: ReadonlySet<string>
  tries = 0
  failure: Error | null = null

  constructor(poison: readonly string[]) {
    this.#poison = new Set(poison)
  }

  async settle(batch: readonly Settlement[]): Promise<{ overruns: number }> {
    this.tries += 1
    if (this.failure !== null) throw this.failure
    const ids = batch.map((each) => each.record.id)
    if (ids.some((id) => this.#poison.has(id))) throw new SettlementRefused('value too large')
    this.stored.push(...ids)
    return { overruns: 0 }
  }
}

function queueOver(store: SettlementStore) {
  const heard: string[] = []
  const errors: Error[] = []
  /** Settlements that have something to be booked in their place. */
  const replaced = new Set<string>()
  const time = { elapsed: 0 }
  const clock = { now: () => time.elapsed, elapsed: () => time.elapsed }
  const queue = new SettleQueue({ store, clock, onError: (error) => errors.push(error) })
  const push = (id: string) =>
    queue.push(settlement(id), {
      callback: (error) => heard.push(`${id} ${error === null ? 'stored' : 'waits'}`),
      durable: () => heard.push(`${id} durable`),
      instead: replaced.has(id) ? () => settlement(`${id} instead`) : null,
    })
  return { queue, push, heard, errors, time, replaced }
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

test('once a caller learned that the answer is withheld, the replacement is stored and not what was withheld', async () => {
  const store = new StoreByHand()
  const { queue, push, heard, time, replaced } = queueOver(store)
  replaced.add('a')
  push('a')
  ;(await store.batch(0)).end(new Error('disk full'))
  time.elapsed = 4_999
  ;(await store.batch(1)).end(new Error('disk full'))
  expect((await store.batch(2)).ids).toEqual(['a'])
  time.elapsed = 5_000
  ;(await store.batch(2)).end(new Error('disk full'))
  const last = await store.batch(3)
  expect(last.ids).toEqual(['a instead'])
  last.end()
  expect(await queue.drain(1000)).toBe(true)
  expect(heard).toEqual(['a waits', 'a durable'])
})

test('when a failure lasts those who wait hear of it once, and the settlement is still stored in the end', async () => {
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

test('what the database will never take is set aside and named, and everything else is stored in order', async () => {
  const store = new StoreThatRefuses(['r017', 'r063'])
  const { queue, push, heard, errors } = queueOver(store)
  const ids = Array.from({ length: 100 }, (_, index) => `r${String(index).padStart(3, '0')}`)
  for (const id of ids) push(id)
  expect(await queue.drain(1000)).toBe(true)
  expect(store.stored).toEqual(ids.filter((id) => id !== 'r017' && id !== 'r063'))
  expect(heard.filter((line) => /r017|r063/.test(line))).toEqual(['r017 waits', 'r063 waits'])
  expect(heard).toContain('r099 durable')
  expect(queue.setAside).toBe(2)
  expect(errors.map((error) => error.message)).toEqual([
    expect.stringMatching(/request r017 of account acc_a, which cost 5 nano-USD.*value too large/),
    expect.stringMatching(/request r063 /),
  ])
  // Halving finds each in a few tries, not one for each settlement.
  expect(store.tries).toBeLessThan(40)
})

test('one that is refused closes the door for no other, and is tried again before it is given up', async () => {
  const store = new StoreByHand()
  const { queue, push, heard } = queueOver(store)
  push('a')
  ;(await store.batch(0)).end(new SettlementRefused('no'))
  expect((await store.batch(1)).ids).toEqual(['a'])
  expect(queue.accepts).toBe(true)
  ;(await store.batch(1)).end(new SettlementRefused('no'))
  ;(await store.batch(2)).end()
  expect(await queue.drain(1000)).toBe(true)
  expect(heard).toEqual(['a durable', 'a stored'])
})

test('a disk that fills up while the refused one is looked for loses nothing', async () => {
  const store = new StoreByHand()
  const { queue, push, heard } = queueOver(store)
  for (const id of ['a', 'b', 'c', 'd']) push(id)
  ;(await store.batch(0)).end(new SettlementRefused('no'))
  expect((await store.batch(1)).ids).toEqual(['a', 'b'])
  ;(await store.batch(1)).end(new Error('disk full'))
  expect(queue.length).toBe(4)
  expect((await store.batch(2)).ids).toEqual(['a', 'b', 'c', 'd'])
  ;(await store.batch(2)).end()
  expect(await queue.drain(1000)).toBe(true)
  expect(heard.filter((line) => line.endsWith('stored'))).toHaveLength(4)
})

test('a database that takes nothing at all does not make it give everything up: the door closes instead', async () => {
  const ids = Array.from({ length: 130 }, (_, index) => `r${index}`)
  const store = new StoreThatRefuses(ids)
  const { queue, push } = queueOver(store)
  for (const id of ids) push(id)
  await vi.waitFor(() => expect(queue.accepts).toBe(false), PATIENCE_MS)
  expect(queue.setAside).toBe(100)
  expect(queue.length).toBe(30)
  queue.close()
})
