import { expect, test } from 'vitest'
import { rowsInMemory } from '../../test/support/import-sources/rows-in-memory.ts'
import type { ProductWithDatabase } from './import-plan.ts'
import { readPlan } from './read-plan.ts'
import { planReport } from './report.ts'
import type { Row } from './source.ts'

const USER = { password: '', role: '1', status: '1', quota: '1000' }
const TOKEN = {
  user_id: '1',
  status: '1',
  expired_time: '-1',
  remain_quota: '0',
  unlimited_quota: '1',
  used_quota: '0',
}
const OF_KEYS: Readonly<Record<string, Row>> = {
  'one-api': { models: '', subnet: '' },
  'new-api': { group: '', model_limits_enabled: '0', cross_group_retry: '0' },
}
const CHANNEL = { type: '8', status: '1', base_url: 'https://house.example.test', group: 'default', key: 'sk-a' }

/** The report of a source with two users, of whom the second is in the group `dear`. */
async function reportOf(product: ProductWithDatabase, options: Readonly<Record<string, string>>): Promise<string> {
  const tables = {
    users: [
      { ...USER, id: '1', username: 'one', email: 'one@example.test', group: 'default' },
      { ...USER, id: '2', username: 'two', email: 'two@example.test', group: 'dear' },
      { ...USER, id: '3', username: 'gone', email: '', group: 'default', deleted_at: '2025-01-01' },
    ],
    tokens: [{ ...TOKEN, ...OF_KEYS[product], id: '1', key: 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF', name: 'k' }],
    channels: [{ ...CHANNEL, id: '1', name: 'house', models: 'house,free,gratis', channel_info: '{}' }],
    options: Object.entries({ ModelRatio: '{"house":1.5}', CompletionRatio: '{"house":1}', ...options }).map(
      ([key, value]) => ({ key, value }),
    ),
  }
  const plan = await readPlan(rowsInMemory(tables), product, {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: 1,
  })
  return planReport(plan)
}

test('the first line says which product it is, and what its columns say of its version', async () => {
  expect(await reportOf('new-api', {})).toMatch(
    /^From new-api, with a schema that has several keys for a channel, fallback groups of keys:\n/,
  )
  expect(await reportOf('one-api', {})).toMatch(/^From one-api, with an early schema:\n/)
})

test('models without a price stand before everything else that is not carried', async () => {
  const [, notCarried = ''] = (await reportOf('new-api', {})).split('Not carried, or not as it was:\n')
  expect(notCarried).toMatch(/^ {2}models free, gratis: have no price, and are not served before one is set\n/)
})

test('a unit that is not the usual one is said', async () => {
  expect(await reportOf('new-api', { QuotaPerUnit: '1000000' })).toContain(
    'options QuotaPerUnit: is 1000000: all amounts are read as so many units for 1 USD, where 500000 are usual',
  )
  for (const usual of ['', '500000']) expect(await reportOf('new-api', { QuotaPerUnit: usual })).not.toContain('usual')
})

test('of one-api it is said that cached input costs what other input does, and who may come to pay less', async () => {
  const GroupRatio = '{"default":1,"dear":2}'
  const said = await reportOf('one-api', { GroupRatio })
  expect(said).toContain('models: cached input costs what other input does there, and so here')
  expect(said).toContain('users 2: pay a higher ratio there than that of default')
  const another = await reportOf('new-api', { GroupRatio })
  expect(another).not.toMatch(/cached input costs|pay a higher ratio/)
})
