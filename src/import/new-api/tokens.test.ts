import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes, type PlannedAccount } from '../import-plan.ts'
import { rational } from '../rational.ts'
import type { Row } from '../source.ts'
import { readGroups } from './groups.ts'
import { QuotaInUsd } from './options.ts'
import { planKeys } from './tokens.ts'

const NOW = Date.parse('2026-01-02T00:00:00Z')
const ACCOUNT: PlannedAccount = {
  id: '1',
  email: 'a@example.test',
  name: 'A',
  passwordHash: null,
  role: 'user',
  isActive: true,
  balance: 0n as PlannedAccount['balance'],
  stated: '0 units',
  madeOf: 'a',
  openGroups: [],
  limits: { concurrency: null, requestsPerMinute: null },
  createdAt: null,
  oidcSubject: null,
  wantsMail: null,
}
const TOKEN = { id: '7', user_id: '1', key: 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6kL9nO2qR5tU8', status: '1', name: 'n' }

interface Source {
  readonly perUsd?: bigint
  readonly usable?: Readonly<Record<string, string>>
  readonly special?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const USABLE = { default: '', fast: '', auto: '' }

async function keyOf(row: Row, { perUsd = 500_000n, usable = USABLE, special = {} }: Source = {}) {
  const notes = new ImportNotes()
  const options = {
    GroupRatio: { default: 1, fast: 2, slow: 1, dear: 3 },
    UserUsableGroups: usable,
    'group_ratio_setting.group_special_usable_group': special,
  }
  const written = new Map(Object.entries(options).map(([key, value]) => [key, JSON.stringify(value)]))
  const groups = readGroups(written, { product: 'new-api', userGroups: new Set(['slow']), notes })
  const quota = new QuotaInUsd(rational(perUsd))
  const [key] = await planKeys(rowsInMemory({ tokens: [{ ...TOKEN, ...row }] }), {
    product: 'new-api',
    accounts: [ACCOUNT],
    userGroups: new Map([['1', 'slow']]),
    groups,
    autoGroups: ['fast', 'slow', 'nowhere'],
    quota,
    notes,
    nowMs: NOW,
  })
  quota.noteRest(notes)
  return { key, notes }
}

async function groupsFor(row: Row, source: Source = {}) {
  const { key, notes } = await keyOf(row, source)
  return { groups: [key?.group, ...(key?.fallbackGroups ?? [])], isActive: key?.isActive, said: notes.notes }
}

test('a key is in the group that it names, in its user’s where it names none, and in the first that its user may use where it names auto', async () => {
  expect(await groupsFor({ group: '' })).toMatchObject({ groups: ['slow'], isActive: true })
  expect(await groupsFor({ group: 'dear' })).toMatchObject({ groups: ['dear'], isActive: true })
  const retrying = { group: 'auto', cross_group_retry: '1' }
  expect(await groupsFor(retrying)).toEqual({ groups: ['fast', 'slow'], isActive: true, said: [] })
  expect(await groupsFor({ ...retrying, auto_groups: '["dear","fast"]' })).toMatchObject({ groups: ['fast'] })
})

test('a key in auto that stays in one group after a failure has the others for models that the first has not, and is named', async () => {
  for (const cross_group_retry of ['0', 'f', null]) {
    expect(await groupsFor({ group: 'auto', cross_group_retry })).toMatchObject({
      groups: ['fast', 'slow'],
      isActive: true,
      said: [{ table: 'tokens', ids: ['7'], what: expect.stringContaining('after a failure') }],
    })
  }
  const alone = { group: 'auto', cross_group_retry: '0', auto_groups: '["fast"]' }
  expect(await groupsFor(alone)).toEqual({ groups: ['fast'], isActive: true, said: [] })
})

test('a key that is refused there for its group is disabled here, and named with the reason', async () => {
  const refused = async (row: Row, source: Source, why: string) =>
    expect(await groupsFor(row, source)).toMatchObject({
      isActive: false,
      said: [{ table: 'tokens', ids: ['7'], what: expect.stringContaining(why) }],
    })
  await refused({ group: 'auto' }, { usable: { default: '', fast: '' } }, 'are in auto, which their user may not use')
  const taken = { special: { slow: { '-:auto': 'remove' } } }
  await refused({ group: 'auto' }, taken, 'are in auto, which their user may not use')
  await refused({ group: 'auto', auto_groups: '["dear"]' }, {}, 'of whose groups their user may use none')
  await refused({ group: 'nowhere' }, {}, 'name a group that is not there')
  // Opened to users of their group alone.
  const given = { usable: { default: '', fast: '' }, special: { slow: { '+:auto': 'the first' } } }
  expect(await groupsFor({ group: 'auto', cross_group_retry: '1' }, given)).toMatchObject({ isActive: true, said: [] })
})

test('a key has what it used and what is left of it as its quota, also at another unit and below zero', async () => {
  const quota = async (row: Row, perUsd?: bigint) => {
    const { key, notes } = await keyOf(row, perUsd === undefined ? {} : { perUsd })
    return [key?.quotaLimit, key?.quotaUsed, notes.approximations.length]
  }
  expect(await quota({ remain_quota: '5', used_quota: '7' })).toEqual([24_000n, 14_000n, 0])
  expect(await quota({ remain_quota: '-9', used_quota: '7' })).toEqual([0n, 14_000n, 0])
  expect(await quota({ remain_quota: '5', used_quota: '7', unlimited_quota: '1' })).toEqual([null, 0n, 0])
  expect(await quota({ remain_quota: '5', used_quota: '7' }, 1_000_000n)).toEqual([12_000n, 7_000n, 0])
  expect(await quota({ remain_quota: '1', used_quota: '0' }, 700_000n)).toEqual([1_428n, 0n, 1])
})

test('a key that has ended, is disabled or is limited there is so here, and no list that says nothing opens it', async () => {
  expect((await keyOf({ status: '2' })).key?.isActive).toBe(false)
  expect((await keyOf({ status: '3', created_time: '5' })).key).toMatchObject({ isActive: true, expiresAt: 5_000 })
  const limited = { model_limits_enabled: '1', model_limits: 'a, b,a', allow_ips: '10.0.0.1\n10.1.0.0/16, ' }
  expect((await keyOf(limited)).key).toMatchObject({ allowedModels: ['a', 'b'] })
  expect((await keyOf(limited)).key?.allowedIps).toHaveLength(2)
  expect((await keyOf({ ...limited, model_limits_enabled: '0' })).key?.allowedModels).toEqual([])
  expect((await keyOf({ ...limited, model_limits: ' , ' })).key?.isActive).toBe(false)
  expect((await keyOf({ model_limits_enabled: '0', model_limits: '' })).key?.isActive).toBe(true)
  expect((await keyOf({ allow_ips: 'nonsense' })).key?.allowedIps).toEqual(['255.255.255.255/32'])
})

test('a key that could be guessed works, and is named without being shown; a usual one is not named', async () => {
  const weak = 'hunter2hunter2'
  const { key, notes } = await keyOf({ key: weak })
  expect(key?.secret).toBe(`sk-${weak}`)
  expect(notes.notes).toMatchObject([{ table: 'tokens', ids: ['7'], what: expect.stringMatching(/^are weak keys/) }])
  expect(JSON.stringify(notes.notes)).not.toContain(weak)
  // Keys of older installations are shorter, and as hard to guess.
  for (const strong of [TOKEN.key, TOKEN.key.slice(0, 32)])
    expect((await keyOf({ key: strong })).notes.notes).toEqual([])
})
