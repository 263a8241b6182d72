import { expect, test } from 'vitest'
import type { Change } from '../access/changes.ts'
import type { KeyRing } from '../access/key-ring.ts'
import type { NodeStore } from './nodes.ts'
import { nanoUsd } from '../core/money.ts'
import { balanceBudget, type Budget, keySpendBudget, subscriptionBudget } from '../metering/budgets/budget.ts'
import { ChangeFollower } from './change-follower.ts'

const spend = keySpendBudget('key_1', nanoUsd(5n), '5h')
const otherSpend = keySpendBudget('key_2', nanoUsd(5n), '5h')
const balance = balanceBudget('acc_1')
const subscribed = subscriptionBudget('sub_1', nanoUsd(5n), '5h')
const ALL: readonly Budget[] = [spend, otherSpend, balance, subscribed]

/** A node that hears of these changes, and what it does in turn; `reconsider` is answered when the test says so. */
function aFollower(changes: readonly Change[]) {
  const done: string[] = []
  const failures: unknown[] = []
  const answer = Promise.withResolvers<void>()
  const acknowledged = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const nodes: Pick<NodeStore, 'changesAfter' | 'acknowledge' | 'onCommit'> = {
    changesAfter: async (seq) => changes.filter((change) => change.seq > seq),
    acknowledge: async (_, seq) => {
      done.push(`acknowledged ${seq}`)
      acknowledged.resolve()
    },
    onCommit: () => () => {},
  }
  const ring: Pick<KeyRing, 'forgetKey' | 'forgetAccount'> = {
    forgetKey: (id) => done.push(`forgot ${id}`),
    forgetAccount: (id) => done.push(`forgot ${id}`),
  }
  const follower = new ChangeFollower(
    {
      node: { id: 'nod_1' },
      nodes: nodes as NodeStore,
      ring: ring as KeyRing,
      leases: {
        reconsider: (isConcerned) => {
          done.push(
            `asks about ${ALL.filter(isConcerned)
              .map(({ id }) => id)
              .join(', ')}`,
          )
          return answer.promise
        },
        forgetRefusals: (isConcerned) => {
          done.push(
            `may have more: ${ALL.filter(isConcerned)
              .map(({ id }) => id)
              .join(', ')}`,
          )
        },
      },
      recheckRunning: async () => {},
      reloadCatalog: async () => {},
      onError: (error) => {
        failures.push(error)
        failed.resolve()
      },
    },
    0,
  )
  follower.start()
  return { done, failures, answer, acknowledged: acknowledged.promise, failed: failed.promise }
}

test('a node says that it follows the change of a key when it spends nothing more from leases that it closed', async () => {
  const { done, answer, acknowledged } = aFollower([{ seq: 7, subject: 'key', subjectId: 'key_1' }])
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual(['forgot key_1', `asks about ${spend.id}`])
  answer.resolve()
  await acknowledged
  expect(done.at(-1)).toBe('acknowledged 7')
})

test('the change of an account concerns its balance, and every subscription', async () => {
  const { done, answer, acknowledged } = aFollower([{ seq: 3, subject: 'account', subjectId: 'acc_1' }])
  answer.resolve()
  await acknowledged
  expect(done).toContain(`asks about ${balance.id}, ${subscribed.id}`)
})

test('a top-up makes a node ask again for that balance, and puts no lease in doubt', async () => {
  const { done, acknowledged } = aFollower([{ seq: 3, subject: 'funds', subjectId: 'acc_1' }])
  await acknowledged
  expect(done).toEqual([`may have more: ${balance.id}`, 'acknowledged 3'])
})

test('the change of the catalogue concerns no lease', async () => {
  const { done, acknowledged } = aFollower([{ seq: 3, subject: 'catalog', subjectId: 'mdl_1' }])
  await acknowledged
  expect(done).toEqual(['acknowledged 3'])
})

test('a node that cannot ask which leases are left says nothing', async () => {
  const { done, failures, answer, failed } = aFollower([{ seq: 7, subject: 'key', subjectId: 'key_1' }])
  answer.reject(new Error('no answer'))
  await failed
  expect(failures).toEqual([new Error('no answer')])
  expect(done).not.toContain('acknowledged 7')
})
