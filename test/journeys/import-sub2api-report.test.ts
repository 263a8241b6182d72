import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { insertRows, postgresSource, type SourceDatabase } from '../support/import-sources/source-database.ts'
import { SUB2API_TABLES } from '../support/import-sources/sub2api-schema.ts'
import { migratedDirectory, type TestDatabase, testPostgres } from '../support/test-servers.ts'

let database: TestDatabase
let source: SourceDatabase
let directory = ''
let environment: Record<string, string> = {}

/** The source is as its migrations and pages make it: no channels, an account without a map, rows of no known form. */
beforeAll(async () => {
  database = await testPostgres()
  source = await postgresSource(database.url)
  directory = await migratedDirectory()
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  for (const [table, columns] of Object.entries(SUB2API_TABLES)) await source.run(`create table ${table} (${columns})`)
  await insertRows(source, 'users', [
    { email: 'admin@example.test', role: 'admin', balance: '5' },
    { email: 'debtor@example.test', role: 'user', balance: '-0.25' },
  ])
  await insertRows(source, 'groups', [{ name: 'default', platform: 'openai' }])
  await insertRows(source, 'api_keys', [
    { user_id: 1, key: `sk-${'9f3c1ab27d5e60848c2b7e19d04fa653'.repeat(2)}`, name: 'k', group_id: 1 },
  ])
  await insertRows(source, 'accounts', [
    {
      name: 'relay',
      platform: 'openai',
      type: 'apikey',
      credentials: '{"api_key":"sk-u","base_url":"http://127.0.0.1:9"}',
    },
  ])
  await insertRows(source, 'account_groups', [{ account_id: 1, group_id: 1, priority: 1 }])
  const asked = { user_id: 1, api_key_id: 1, account_id: 1, group_id: 1 }
  await insertRows(source, 'usage_logs', [
    { ...asked, model: 'gpt-4o', requested_model: 'gpt-4o' },
    { ...asked, model: 'gpt-4o', requested_model: 'gpt-4o' },
    { ...asked, model: 'old-name', requested_model: null },
  ])
  await insertRows(source, 'settings', [
    { key: 'site_name', value: 'Example' },
    ...Array.from({ length: 120 }, (_, i) => ({ key: `ops_setting_${i}`, value: 'on' })),
  ])
})
afterAll(async () => {
  await source.close()
  await database.drop()
})

const dryRun = (...more: string[]) => runHere(environment, ['import', 'sub2api', source.url, '--dry-run', ...more])

test('the report of a usual database begins with money and rights, and leaves out what holds its default', async () => {
  const { code, stdout } = await dryRun()
  expect(code).toBe(0)
  const lines = stdout.split('\n').map((line) => line.replace(/--confirm \w+/, '--confirm CODE'))
  expect(lines.slice(1)).toEqual([
    '  accounts       2, balances $4.75 (4750000000 nano-USD), of which owed $-0.25 (-250000000 nano-USD)',
    '  admins         admin@example.test: admins here as well; with --admins none they are plain users',
    '  keys           1, quotas $0 (0 nano-USD), used of them $0 (0 nano-USD)',
    '  groups         default',
    '  models         2, 0 with a price',
    '  plans          0',
    '  subscriptions  0',
    '  redeem codes   0',
    '  upstreams      1, with 1 credentials',
    'Not exact:',
    '  --negative keep: 1 account owes something there, and do so here; with --negative zero they begin with 0 (debtor@example.test)',
    'Not carried, or not as it was:',
    '  models gpt-4o, old-name: have no price, and are not served before one is set',
    expect.stringMatching(/^ {2}models gpt-4o: are priced by sub2api’s own list/),
    '  accounts 1: serve whatever their platform has: here they serve what has a price there or was used lately',
    '  usage_logs: 3 rows (ids 1 to 3), not carried',
    '  settings site_name: are settings that are not carried: see what of them is wanted here',
    '  settings: 120 more, of how sub2api itself runs: not carried',
    'Upstreams:',
    '  relay: openai, http://127.0.0.1:9/v1',
    'Nothing was written. To import just this: --negative keep --confirm CODE',
    '',
  ])
})

test('what the dry run asks for is what the run asks for', async () => {
  const refused = await runHere(environment, ['import', 'sub2api', source.url])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('1 account owes something there: add --negative keep'),
  ])
  expect((await dryRun('--negative', 'keep')).stdout).toMatch(/To import just this: --confirm \w+\n$/)
})

test('with its list, what was used is served at the prices of the list', async () => {
  const list = join(directory, 'list.json')
  const usd = { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001, litellm_provider: 'openai' }
  await writeFile(list, JSON.stringify({ 'gpt-4o': usd, 'gpt-4o-mini': usd }))
  const { stdout } = await dryRun('--pricing', list)
  expect(stdout).toContain('  models         2, 1 with a price\n')
  expect(stdout).toContain('  models old-name: have no price')
})
