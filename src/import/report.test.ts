import { expect, test } from 'vitest'
import { rowsInMemory } from '../../test/support/import-sources/rows-in-memory.ts'
import { nanoUsd } from '../core/money.ts'
import { openFlags, requireDecisions } from './decisions.ts'
import type { ImportPlan, ProductWithDatabase, ImportSettings } from './import-plan.ts'
import { inOrder, notesReport, planReport, reportOf as linesOf } from './report.ts'
import { NO_PRICE } from './planned-models.ts'
import { readPlan } from './read-plan.ts'
import type { Row } from './source.ts'

const UNDECIDED = { accepted: new Set<never>(), negative: null }
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
const CHANNEL = { type: '1', status: '1', base_url: 'https://house.example.test', group: 'default', key: 'sk-a' }

/** The report of a source with two users, of whom the second is in the group `dear`. */
async function reportOf(product: ProductWithDatabase, options: Readonly<Record<string, string>>): Promise<string> {
  return planReport(await planOf(product, options), UNDECIDED)
}

async function planOf(
  product: ProductWithDatabase,
  options: Readonly<Record<string, string>>,
  { named = '', admins = 'keep' }: { named?: string; admins?: ImportSettings['admins'] } = {},
): Promise<ImportPlan> {
  const tables = {
    users: [
      { ...USER, id: '1', role: '100', username: 'one', email: 'one@example.test', group: 'default' },
      { ...USER, id: '2', username: 'two', email: 'two@example.test', group: 'dear' },
      { ...USER, id: '3', username: 'gone', email: '', group: 'default', deleted_at: '2025-01-01' },
    ],
    tokens: [{ ...TOKEN, ...OF_KEYS[product], id: '1', key: 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF', name: 'k' }],
    channels: [{ ...CHANNEL, id: '1', name: `house${named}`, models: `house,free,gratis${named}`, channel_info: '{}' }],
    options: Object.entries({ ModelRatio: '{"house":1.5}', CompletionRatio: '{"house":1}', ...options }).map(
      ([key, value]) => ({ key, value }),
    ),
  }
  return readPlan(rowsInMemory(tables), product, {
    accepted: new Set(),
    negative: null,
    admins,
    pricing: null,
    oidcIssuer: null,
    nowMs: 1,
  })
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

test('who is an admin there, and so becomes one here, is named', async () => {
  expect(planReport(await planOf('new-api', {}), UNDECIDED)).toContain(
    '  admins         one@example.test: admins here as well; with --admins none they are plain users\n',
  )
  expect(planReport(await planOf('new-api', {}, { admins: 'none' }), UNDECIDED)).not.toContain('admins ')
})

test('a dry run says by which flag an account that owes something is imported, as it says of what is not exact', async () => {
  const plan = await planOf('new-api', {})
  const [first, ...others] = plan.accounts
  if (first === undefined) throw new Error('there is no account')
  const owing = { ...plan, accounts: [{ ...first, balance: nanoUsd(-5n) }, ...others] }
  const said =
    '  --negative keep: 1 account owes something there, and do so here; with --negative zero they begin with 0 (one@example.test)\n'
  expect(planReport(owing, UNDECIDED)).toContain(`Not exact:\n${said}`)
  expect(openFlags(owing, UNDECIDED)).toEqual(['--negative keep'])
  expect(openFlags(owing, { ...UNDECIDED, negative: 'zero' })).toEqual([])
  expect(() => requireDecisions(owing, UNDECIDED)).toThrow('1 account owes something there: add --negative keep')
  expect(planReport(plan, UNDECIDED)).not.toContain('--negative')
})

test('what a run asks for is said by the dry run, flag by flag', async () => {
  const plan = await planOf('new-api', { GroupRatio: '{"default":1,"dear":1.0000001}' })
  expect(openFlags(plan, UNDECIDED)).toEqual(['--accept multiplier'])
  expect(() => requireDecisions(plan, UNDECIDED)).toThrow(/add --accept multiplier\.$/)
  expect(planReport(plan, UNDECIDED)).toMatch(/Not exact:\n {2}--accept multiplier: .* \(dear\)\n/)
})

test('money stands first, then rights, then the rest, and last what was not read and where upstreams are', () => {
  const note = (table: string, ids: readonly string[], what: string) => ({ table, ids, what })
  const plan = {
    product: 'sub2api' as const,
    notes: [
      note('settings', ['site_name'], 'are settings that are not carried'),
      note('usage_logs', [], '3 rows (ids 1 to 3), not carried'),
      note('accounts', ['1'], 'are deleted there'),
      note('users', ['2'], 'deleted there'),
      note('channels', ['3'], 'price no group'),
      note('models', ['b'], 'are dearer at some hours there'),
      note('models', ['a'], NO_PRICE),
    ],
  }
  expect(inOrder(plan).map(({ table }) => table)).toEqual([
    'models',
    'models',
    'channels',
    'users',
    'accounts',
    'usage_logs',
    'settings',
  ])
})

test('groups are shown with what they charge, and upstreams with their addresses at the end', async () => {
  const said = await reportOf('new-api', { GroupRatio: '{"default":1,"dear":2.5}' })
  expect(said).toMatch(/\n {2}groups {9}default(?: \(closed\))?, dear ×2\.5/)
  expect(said).toMatch(/\nUpstreams:\n {2}house: \S+, \S+\n$/)
})

test.each([
  ['a sequence of the terminal', '\u001B[2J\u001B]0;title\u0007'],
  ['a line of its own', '\nNothing was written. To import just this: --confirm 000000000000'],
  ['a carriage return', '\rFrom new-api:'],
  ['a turned direction', '\u202Edlrow'],
  ['a null', '\u0000'],
  ['a line separator', '\u2028--confirm 000000000000'],
])('names with %s are shown on their own line, and move nothing', async (_, named) => {
  const plan = await planOf('new-api', {}, { named })
  const lines = planReport(plan, UNDECIDED).split('\n')
  expect(lines.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  const begins = /^(?: {2}|$|From new-api, with a schema|Not exact:$|Not carried, or not as it was:$|Upstreams:$)/
  expect(lines.filter((line) => !begins.test(line))).toEqual([])
  const notes = linesOf(notesReport([{ table: `t${named}`, ids: [`1${named}`], what: `w${named}` }]))
  expect(notes.split('\n')).toHaveLength(2)
})
