import { expect, test } from 'vitest'
import { auditFunding } from './audit-funding.ts'
import type { Evidence } from './evidence.ts'
import type { LoadKey } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

const LIMITS = { subscription: [] }
const KEY = { id: 'key_1', accountId: 'acc_1', group: 'own', coveredIn: 'own', limits: LIMITS } as unknown as LoadKey

function seen(tag: string, span: readonly [number, number], isStream: boolean): Sighting {
  const [beganAt, endedAt] = span
  return { order: { tag, key: KEY, form: { isStream } }, beganAt, endedAt, hungUp: false } as Sighting
}

/** Nothing of a window of $0.22 is used, and the balance paid for the request `two`, which ran from 300 to 310. */
function audited(beside: Sighting): string[] {
  const paid = { id: 'req_1', client: 'two', account_id: 'acc_1', key_id: 'key_1', subscriptions_paid_json: null }
  const records = [{ ...paid, cost_nano: 5n, balance_paid_nano: 5n } as WrittenRecord]
  const subscriptions = [{ id: 'sub_1', account_id: 'acc_1' }]
  const budgets = [{ id: 'sub:sub_1:5h:00000001', limit_nano: 220_000_000n, used_nano: 0n }]
  const sightings = [beside, seen('two', [300, 310], true)]
  const books = { records, subscriptions, budgets }
  return auditFunding({ sightings, keys: [KEY], books, served: { requests: {} } } as unknown as Evidence)
}

test('a balance that pays while nothing holds what the plan has left is found', () => {
  const found = [expect.stringContaining('its balance paid for 1 requests')]
  expect(audited(seen('one', [290, 320], true))).toEqual(found)
  expect(audited(seen('one', [-5_000, -4_000], false))).toEqual(found)
  expect(audited(seen('one', [400, 500], false))).toEqual(found)
})

test('beside a whole answer, which may hold all that the plan has, the balance may pay', () => {
  expect(audited(seen('one', [290, 320], false))).toEqual([])
})
