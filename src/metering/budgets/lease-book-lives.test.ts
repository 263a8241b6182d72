import { expect, test } from 'vitest'
import { nanoUsd } from '../../core/money.ts'
import { balanceBudget, type GrantAnswer, type GrantRequest, type LeasedRow, type LeaseStore } from './budget.ts'
import { LeaseBook } from './lease-book.ts'

const BUDGET = balanceBudget('acc_1')
const AMOUNT = nanoUsd(100n)
const UNUSED: LeasedRow = { endsAt: null, usedElsewhere: nanoUsd(0n) }

/** A lease book on a node whose life is in the test's hand; a grant is answered when the test says so. */
function aBook() {
  const node = { id: 'nod_1', isAlive: true }
  const asked: { request: GrantRequest; answer: PromiseWithResolvers<GrantAnswer> }[] = []
  const closed: string[] = []
  const store: LeaseStore = {
    grant: (request) => {
      const answer = Promise.withResolvers<GrantAnswer>()
      asked.push({ request, answer })
      return answer.promise
    },
    active: async (_nodeId, ids) => new Map(ids.map((id) => [id, UNUSED])),
    shrink: async () => new Map(),
    close: async () => {},
    closeOfNodes: async (ids) => closed.push(...ids),
  }
  const book = new LeaseBook({ store, clock: { now: () => 0, elapsed: () => 0 }, node })
  const answer = (granted: bigint) => {
    const { request, answer: waiting } = asked.shift() ?? {}
    if (request === undefined) throw new Error('not expected to be asked')
    const lease = { id: request.newLeaseId, budgetId: request.budget.id, granted: nanoUsd(granted) }
    waiting?.resolve({ kind: 'granted', lease, ...UNUSED })
    return request
  }
  /** Takes once; when that is too much, asks for more and takes again. */
  const take = async (granted: bigint) => {
    const first = book.take([BUDGET], AMOUNT)
    if (first.kind === 'taken') return 'taken'
    const more = book.replenish(book.holderOf(BUDGET), AMOUNT)
    answer(granted)
    await more
    return book.take([BUDGET], AMOUNT).kind
  }
  return { book, node, asked, closed, answer, take }
}

test('a node that may not serve takes nothing from a lease that covers it, and asks for no other', async () => {
  const { book, node, take, asked } = aBook()
  expect(await take(10_000n)).toBe('taken')
  node.isAlive = false
  expect(book.take([BUDGET], AMOUNT).kind).toBe('short')
  expect(book.raise([book.holderOf(BUDGET)], AMOUNT)).not.toBe('raised')
  await expect(book.replenish(book.holderOf(BUDGET), AMOUNT)).rejects.toThrow('renewed its life')
  expect(asked).toEqual([])
  node.isAlive = true
  expect(book.take([BUDGET], AMOUNT).kind).toBe('taken')
})

test('what was leased to an earlier life of the node is not spent in the next', async () => {
  const { book, node, take, asked } = aBook()
  expect(await take(10_000n)).toBe('taken')
  node.id = 'nod_2'
  book.loseAll()
  expect(book.take([BUDGET], AMOUNT).kind).toBe('short')
  expect(await take(10_000n)).toBe('taken')
  expect(asked).toEqual([])
})

test('a grant that an earlier life had asked for is not spent either, whenever it comes', async () => {
  const { book, node, answer, take } = aBook()
  const early = book.replenish(book.holderOf(BUDGET), AMOUNT)
  node.id = 'nod_2'
  book.loseAll()
  expect(answer(10_000n).nodeId).toBe('nod_1')
  expect(await early).toEqual({ kind: 'look_again' })
  expect(book.take([BUDGET], AMOUNT).kind).toBe('short')
  expect(await take(10_000n)).toBe('taken')
})

test('a node that leaves closes what is in the name it has then', async () => {
  const { book, node, closed, take } = aBook()
  node.id = 'nod_2'
  await take(10_000n)
  await book.closeAll()
  expect(closed).toEqual(['nod_2'])
})
