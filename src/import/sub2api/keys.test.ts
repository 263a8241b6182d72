import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { readPlan } from '../read-plan.ts'

const STRONG = `sk-${'9f3c1ab27d5e60848c2b7e19d04fa653'.repeat(2)}`

test('a key that could be guessed works, and is named without being shown; a usual one is not named', async () => {
  const weak = 'my-own-key-123456'
  const key = { user_id: '1', group_id: '1', status: 'active' }
  const tables = {
    users: [{ id: '1', email: 'a@example.test', password_hash: '', role: 'user', status: 'active', balance: '0' }],
    groups: [{ id: '1', name: 'all', rate_multiplier: '1', status: 'active' }],
    api_keys: [
      { ...key, id: '1', key: weak, name: 'own' },
      { ...key, id: '2', key: STRONG, name: 'made' },
    ],
    accounts: [{ id: '1', name: 'a', platform: 'openai', type: 'oauth', credentials: '{}', status: 'active' }],
  }
  const { keys, notes } = await readPlan(rowsInMemory(tables), 'sub2api', {
    accepted: new Set(),
    negative: null,
    admins: 'keep',
    pricing: null,
    oidcIssuer: null,
    nowMs: 1,
  })
  expect(keys).toMatchObject([
    { id: '1', secret: weak, isActive: true },
    { id: '2', secret: STRONG, isActive: true },
  ])
  const said = notes.filter(({ what }) => what.startsWith('are weak keys'))
  expect(said).toMatchObject([{ table: 'api_keys', ids: ['1'] }])
  expect(JSON.stringify(notes)).not.toContain(weak)
})
