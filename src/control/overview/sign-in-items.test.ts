import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/durations.ts'
import type { AuditEntry, NamedEntry } from '../../access/audit.ts'
import { failedSignIns } from './sign-in-items.ts'

const NOW = Date.parse('2026-11-24T12:00:00Z')

/** Entries as the audit has them: newest first. */
function refused(minutesAgo: readonly number[], over: Partial<AuditEntry> = {}) {
  return minutesAgo.map((minutes) => ({
    createdAt: NOW - minutes * MINUTE_MS,
    address: '203.0.113.9',
    accountId: null,
    ...over,
  })) as unknown as NamedEntry[]
}

async function itemsOf(entries: ReturnType<typeof refused>) {
  const page = (of: { readonly fromMs?: number | undefined }) =>
    Promise.resolve(entries.filter(({ createdAt }) => createdAt >= (of.fromMs ?? 0)))
  return failedSignIns(NOW, { page })
}

test('twenty refused sign-ins in an hour are named with the address that most came from, and gone an hour later', async () => {
  const many = [
    ...refused(Array.from({ length: 15 }, (_, at) => at)),
    ...refused([20, 25, 30, 40, 59], { address: '198.51.100.4', accountId: 'acc_1' }),
  ]
  expect(await itemsOf(many)).toMatchObject([
    {
      kind: 'sign_ins_failing',
      since: '2026-11-24T11:01:00.000Z',
      requests: 11,
      sign_ins: { count: 20, address: '203.0.113.9', from_address: 15, accounts: 1 },
    },
  ])
  expect(await itemsOf(many.slice(1))).toEqual([])
  expect(await itemsOf(refused(Array.from({ length: 40 }, () => 61)))).toEqual([])
})
