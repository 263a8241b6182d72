import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/durations.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import type { ListedCatalogue } from '../catalogue.ts'
import type { ControlStores } from '../parts.ts'
import { readFailures } from './attention-failures.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

function failed(fault: 'model_unknown' | 'balance_exhausted', minutesAgo: number, over: Partial<UsageRecord>) {
  return { fault, createdAt: NOW - minutesAgo * MINUTE_MS, accountId: 'acc_1', model: null, ...over } as UsageRecord
}

function storesOf(records: readonly UsageRecord[], balances: Readonly<Record<string, bigint>> = {}): ControlStores {
  const list = (of: { fault: string; fromMs: number }) =>
    Promise.resolve({
      records: records.filter(
        ({ fault, createdAt }) => (of.fault === 'any' || of.fault === fault) && createdAt >= of.fromMs,
      ),
    })
  return {
    usage: { list },
    accounts: { findById: (id: string) => Promise.resolve({ id, email: `${id}@example.test` }) },
    ledger: { balance: (id: string) => Promise.resolve(balances[id] ?? 0n) },
  } as unknown as ControlStores
}

test('an account that calls without a balance is named until it has one', async () => {
  const records = [
    failed('balance_exhausted', 1, { accountId: 'acc_1' }),
    failed('balance_exhausted', 30, { accountId: 'acc_1' }),
    failed('balance_exhausted', 2, { accountId: 'acc_2' }),
  ]
  const { withoutBalance } = await readFailures(NOW, storesOf(records, { acc_2: 1n }))
  expect(withoutBalance).toMatchObject([
    {
      kind: 'no_balance',
      account: { id: 'acc_1', email: 'acc_1@example.test' },
      since: '2026-11-20T11:30:00.000Z',
      requests: 1,
    },
  ])
})

test('a model that is asked for and not there is named, the most wanted first, until it is there', async () => {
  const records = [
    failed('model_unknown', 1, { model: 'gpt-5-mni' }),
    failed('model_unknown', 700, { model: 'other' }),
    failed('model_unknown', 720, { model: 'other' }),
    failed('model_unknown', 3, { model: 'gpt-5-mini' }),
  ]
  const { unknownModels } = await readFailures(NOW, storesOf(records))
  const catalogue = { models: [{ name: 'gpt-5-mini' }] } as unknown as ListedCatalogue
  expect(unknownModels(catalogue)).toMatchObject([
    { kind: 'model_unknown', model: 'other', nearest: null, requests: 0, since: '2026-11-20T00:00:00.000Z' },
    { kind: 'model_unknown', model: 'gpt-5-mni', nearest: 'gpt-5-mini', requests: 1 },
  ])
})
