import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { historyTables } from './write-history.ts'

const SOURCE = rowsInMemory({
  users: [
    { id: '1', email: 'a@example.test', username: 'Ada', password_hash: 'h4sh', balance: '3', total_recharged: '9' },
  ],
  usage_logs: [{ id: '1', total_cost: '1', api_key_id: '5' }],
  redeem_codes: [{ id: '1', code: 'c0de', value: '25' }],
  settings: [
    { id: '1', key: 'site_name', value: 'Example' },
    { id: '2', key: 'smtp_password', value: 'm4il' },
    { id: '3', key: 'payment_providers', value: '[{"secret_key":"sk_live"}]' },
  ],
})

test('of sub2api what users had is archived, and settings by their names, with the values of those that open nothing', async () => {
  const tables = historyTables(SOURCE, 'sub2api')
  expect(tables.map(({ table, columns }) => [table, columns.join()])).toEqual([
    ['usage_logs', 'id,total_cost,api_key_id'],
    ['redeem_codes', 'id,value'],
    ['users', 'email,username,balance,total_recharged'],
    ['settings', 'key,value'],
  ])
  const settings = tables.find(({ table }) => table === 'settings')
  const kept = []
  for await (const row of SOURCE.rows('settings', settings?.columns ?? [])) kept.push(settings?.kept?.(row))
  expect(kept).toEqual([
    { id: '1', key: 'site_name', value: 'Example' },
    { id: '2', key: 'smtp_password', value: null },
    { id: '3', key: 'payment_providers', value: null },
  ])
})

test('of the others no settings are archived, which are secrets in part', () => {
  const tables = historyTables(SOURCE, 'new-api').map(({ table, columns }) => [table, columns.join()])
  expect(tables).toEqual([['users', 'username']])
})
