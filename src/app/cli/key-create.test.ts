import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../access/account.ts'
import type { Group } from '../../access/group.ts'
import { ONE_PPM } from '../../core/money.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { cliHostByHand } from '../../../test/support/cli-host-by-hand.ts'
import { runCommandLine } from './command-line.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const clock = { now: () => NOON, elapsed: () => 0 }

let folder = ''
let store: Store
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-key-create-'))
  store = await openStore({ databaseUrl: null, dataDirectory: folder, clock })
  for (const status of ['active', 'disabled'] as const) await store.accounts.create(anAccount(status), null)
  for (const name of ['default', 'members', 'off']) await store.groups.putGroup(aGroup(name))
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

function anAccount(status: Account['status']): Account {
  return {
    id: `acc_${status}`,
    email: `${status}@example.test`,
    role: 'user',
    status,
    createdAt: NOON,
    isManaged: false,
  }
}

function aGroup(name: string): Group {
  return {
    id: `grp_${name}`,
    name,
    multiplier: ONE_PPM,
    models: ['*'],
    isEnabled: name !== 'off',
    isOpen: name !== 'members',
    isManaged: false,
  }
}

async function run(...args: string[]) {
  const { host, printed, remarked } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: folder, TOLLGATE_SECRET: 'a-secret-for-tests-only'.repeat(2) },
    // One for all commands: opening a database takes longer than they do.
    openStore: async () => ({ ...store, close: async () => {} }),
    nowMs: () => NOON,
    randomBytes,
  })
  const code = await runCommandLine(args, host)
  return { code, printed: printed.join(''), remarked: remarked.join('') }
}

const create = (flags: Readonly<Record<string, string>>) => {
  const all = { '--account': 'active@example.test', '--name': 'laptop', '--group': 'default', ...flags }
  return run('key', 'create', ...Object.entries(all).flat())
}

describe('a key takes on the command line what it takes in the API', () => {
  test.for([
    [
      '--expires-at',
      '2026-11-21T11:59:59Z',
      '--expires-at is "2026-11-21T11:59:59.000Z", but it must be a time in the future',
    ],
    ['--fallback-groups', 'default', '--fallback-groups is "default", but it must be a group that is neither the key'],
    ['--fallback-groups', 'off', '--fallback-groups is "off", but it must be the name of a group that is enabled'],
    ['--allowed-models', 'm*', '--allowed-models is "m*", but it must be the name of a model that'],
    ['--group', 'off', '--group is "off", but it must be the name of a group that is enabled and open'],
    ['--group', 'defualt', '--group is "defualt", but it must be the name of a group'],
    [
      '--account',
      'disabled@example.test',
      '--account is "disabled@example.test", but it must be an account that is active',
    ],
  ] as const)('not %s %s', async ([flag, value, expected]) => {
    const { code, printed, remarked } = await create({ [flag]: value })
    expect(remarked).toContain(expected)
    expect(printed).toBe('')
    expect(code).toBe(1)
    expect((await run('key', 'list', '--json')).printed).toBe('[]\n')
  })

  test('a name without the white space around it, and a group that its account has no plan for yet', async () => {
    expect(await create({ '--name': ' laptop ', '--group': 'members' })).toMatchObject({ code: 0 })
    const { printed } = await run('key', 'list', '--json')
    expect(JSON.parse(printed)).toMatchObject([{ name: 'laptop', group: 'members', status: 'active' }])
  })
})

test('a key whose quota is used up is listed as such', async () => {
  await create({ '--quota-limit': '0' })
  expect((await run('key', 'list')).printed).toMatch(/ quota_exhausted /)
})
