import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canonicalKey } from '../../src/access/imported-keys.ts'
import { systemClock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { parseMultiplier, parseUsd } from '../../src/core/money.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { makeNewApi, type NewApiRows, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import { insertRows, type SourceDatabase, sqliteSource } from '../support/import-sources/source-database.ts'
import { migratedDirectory } from '../support/test-servers.ts'

const ISSUER = 'https://login.example.test'
const CODE = '0123456789abcdef0123456789abcdef'

let directory = ''
let source: SourceDatabase
let rows: NewApiRows
let store: Store
let environment: Record<string, string> = {}

beforeEach(async () => {
  directory = await migratedDirectory()
  source = await sourceIn('new-api.db')
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  store = await openStore({ databaseUrl: null, dataDirectory: directory, clock: systemClock })
})
afterEach(async () => {
  await store.close()
  await source.close()
})

async function sourceIn(file: string, seed = 1): Promise<SourceDatabase> {
  const made = sqliteSource(join(directory, file))
  rows = await makeNewApi(made, {
    users: 8,
    seed,
    passwordHash: await hash(SOURCE_PASSWORD, 4),
    options: {
      GroupRatio: '{"default":0.8,"vip":1,"svip":1}',
      UserUsableGroups: '{"default":"all"}',
      SMTPToken: 'a-secret',
    },
    channels: [
      {
        id: 1,
        type: 1,
        name: 'house',
        key: 'sk-first',
        base_url: 'https://house.example.test',
        models: 'house-model',
        group: 'default',
      },
      {
        id: 2,
        type: 1,
        name: 'leaky',
        key: 'sk-b',
        base_url: 'https://user:hidden@leaky.example.test/v1?key=hidden',
        models: 'house-model',
        group: 'default',
      },
      {
        id: 3,
        type: 1,
        status: 2,
        name: 'off',
        key: 'sk-c',
        base_url: 'https://off.example.test',
        models: 'house-model',
        group: 'default',
      },
    ],
  })
  await made.run(`create table redemptions (id bigint primary key, "key" char(32), status bigint, name varchar(100),
    quota bigint, expired_time bigint, deleted_at varchar(64))`)
  const code = { status: 1, name: 'gift', quota: 500_000, expired_time: 0, deleted_at: null }
  await insertRows(made, 'redemptions', [{ ...code, id: 1, key: CODE }])
  await made.run('create table logs (id bigint primary key, content text)')
  await insertRows(made, 'logs', [{ id: 5, content: 'private' }])
  return made
}

function run(...more: string[]) {
  return runHere(environment, ['import', 'new-api', source.url, '--admins', 'keep', ...more])
}

async function groupHere(multiplier: string) {
  const group = (await store.groups.groups()).find(({ name }) => name === 'default')
  const id = group?.id ?? newId('grp', 1)
  const terms = { multiplier: parseMultiplier(multiplier), isOpen: true, isEnabled: true }
  if (group === undefined)
    await store.groups.addGroup({ ...terms, id, name: 'default', models: ['*'], isManaged: false })
  else await store.groups.editGroup(id, (before) => ({ ...before, ...terms }))
  return id
}

async function keyInGroup(groupId: string) {
  const id = newId('acc', 1)
  const account = {
    id,
    email: 'own@example.test',
    role: 'user',
    status: 'active',
    createdAt: 1,
    isManaged: false,
  } as const
  await store.accounts.create(account, null)
  expect(
    await runHere(environment, ['key', 'create', '--account', account.email, '--name', 'own', '--group', 'default']),
  ).toMatchObject({
    code: 0,
  })
  expect((await store.groups.keyCounts()).get(groupId)?.keys).toBe(1)
}

test('a group whose keys would be charged otherwise is refused until that is accepted, and named in the dry run', async () => {
  const id = await groupHere('1')
  await keyInGroup(id)
  expect(await run()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/default: ×1, open here.*×0\.8.*--accept same-group/),
  })
  expect(await store.accounts.findByEmail('user2@example.test')).toBeNull()
  expect((await run('--dry-run')).stdout).toMatch(/Here already:\n {2}group default: ×1, open here with 1 keys/)
  expect(await run('--accept', 'same-group')).toMatchObject({ code: 0 })
  expect((await store.groups.groups()).find((group) => group.id === id)?.multiplier).toBe(parseMultiplier('0.8'))
})

test('a second source in other terms is refused as well, and a group that no key is in takes the terms of the source', async () => {
  await groupHere('1')
  expect((await run()).stdout).toMatch(/groups default: were here already under this name/)
  await source.close()
  source = await sourceIn('second.db', 9)
  await source.run(`update users set email = 'second' || id || '@example.test', username = 'second' || id`)
  await source.run(`update options set value = '{"default":2}' where "key" = 'GroupRatio'`)
  const second = await run('--as', 'second')
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept same-group') })
})

test('another installation under the name of the first is named by a dry run, and refused before anything is written', async () => {
  expect(await run()).toMatchObject({ code: 0 })
  await source.close()
  source = await sourceIn('other.db', 9)
  await source.run(`update users set email = 'other' || id || '@example.test', username = 'other' || id`)
  const said = 'Another new-api was imported as "new-api" before: give this one a name of its own with --as NAME.'
  expect((await run('--dry-run')).stdout).toContain(`all of it: ${said}`)
  const groups = (await store.groups.groups()).length
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  expect((await store.groups.groups()).length).toBe(groups)
})

test('a dry run names accounts, keys and models that are here already, and no secret of the source', async () => {
  expect(await run()).toMatchObject({ code: 0 })
  const { stdout } = await run('--dry-run', '--as', 'again')
  const email = rows.users.find((user) => user.email.startsWith('user'))?.email ?? ''
  expect(stdout).toContain(`account ${email}: is here`)
  expect(stdout).toContain(`key ${rows.tokens[0]?.id}: is here already`)
  expect(stdout).toContain('model house-model: is here already')
  for (const secret of ['hidden', 'sk-first', 'a-secret', CODE, 'private']) expect(stdout).not.toContain(secret)
})

test('what is not carried is named: tables with their rows, settings, channels without an address or a credential', async () => {
  const { stdout } = await run('--dry-run')
  expect(stdout).toMatch(/logs: 1 row \(ids 5 to 5\), not carried/)
  expect(stdout).toMatch(/options SMTPToken: are settings that are not carried/)
  expect(stdout).toMatch(/channels 2: are of type 1 and name no base URL that can be used/)
  expect(stdout).toMatch(/channels 3: have no credential that is enabled/)
})

test('redeem codes stay at the source until the switch, and one that is used there after it is named or deleted here', async () => {
  const redeem = () => runHere(environment, ['redeem', CODE, '--account', 'user2@example.test'])
  await source.run(`update users set email = 'user2@example.test' where id = 2`)
  expect(await run()).toMatchObject({ code: 0 })
  expect((await redeem()).code).toBe(1)
  expect((await run('--switched')).stdout).toContain('code: 1 created')
  expect((await redeem()).stdout).toMatch(/^\$1 was added/)
  await source.run('update redemptions set status = 3')
  expect((await run()).stdout).toMatch(/redeem codes 1: were redeemed here, and are used or deleted at the source/)
  const found = await store.accounts.findByEmail('user2@example.test')
  expect(found === null ? 0n : await store.ledger.balance(found.id)).toBeGreaterThanOrEqual(parseUsd('1'))
})

test('a code that is used at the source after the switch is deleted here, and credits nothing twice', async () => {
  expect((await run('--switched')).stdout).toContain('code: 1 created')
  await source.run('delete from redemptions')
  expect((await run()).stdout).toMatch(/redeem codes 1: are used or deleted at the source since, and deleted here/)
  expect((await runHere(environment, ['redeem', CODE, '--account', 'user2@example.test'])).code).toBe(1)
})

test('a key of the source that is a key here already is left alone', async () => {
  expect(await run()).toMatchObject({ code: 0 })
  const [token] = rows.tokens
  const found = await store.keys.findByHash(keyedHash(TEST_SECRET)(canonicalKey(token?.key ?? '') ?? ''))
  await source.close()
  source = await sourceIn('second.db')
  await source.run(`update users set email = 'second' || id || '@example.test', username = 'second' || id`)
  expect((await run('--as', 'second')).stdout).toMatch(/keys 10001, .*have a key that is another’s here/)
  const after = await store.keys.findByHash(keyedHash(TEST_SECRET)(canonicalKey(token?.key ?? '') ?? ''))
  expect(after?.key.accountId).toBe(found?.key.accountId)
})

test('the password of a source is taken from the environment or a file, and is in no message', async () => {
  const path = join(directory, 'password')
  await writeFile(path, 'from-a-file\n')
  const at = 'postgres://reader@127.0.0.1:9/old'
  for (const given of [{ IMPORT_PASSWORD: 'in-the-environment' }, { IMPORT_PASSWORD_FILE: path }]) {
    const { code, stderr } = await runHere({ ...environment, ...given }, ['import', 'new-api', at, '--admins', 'keep'])
    expect(code).toBe(1)
    expect(stderr).not.toMatch(/in-the-environment|from-a-file/)
  }
  const both = { IMPORT_PASSWORD: 'a', IMPORT_PASSWORD_FILE: path }
  const { stderr } = await runHere({ ...environment, ...both }, ['import', 'new-api', at, '--admins', 'keep'])
  expect(stderr).toContain('IMPORT_PASSWORD and IMPORT_PASSWORD_FILE are both set')
})

test('who signed in by OIDC at the same provider does so here, and not as an account that was here before', async () => {
  await source.run(`update users set oidc_id = 'person-' || id, email = 'user' || id || '@example.test'`)
  await source.run(`insert into options values ('oidc.well_known', '${ISSUER}/.well-known/openid-configuration')`)
  const before = { role: 'user', status: 'active', createdAt: 1, isManaged: false } as const
  const own = newId('acc', 1)
  await store.accounts.create({ ...before, id: own, email: 'user3@example.test' }, null)
  Object.assign(environment, {
    TOLLGATE_OIDC_ISSUER: ISSUER,
    TOLLGATE_OIDC_CLIENT_ID: 'tollgate',
    TOLLGATE_OIDC_CLIENT_SECRET: 'word',
  })
  expect(await run('--accept', 'same-email')).toMatchObject({ code: 0 })
  const identities = await store.signInRecords.select('identity', { where: [], limit: 100 })
  expect(identities).toHaveLength(rows.users.length - 1)
  const second = await store.accounts.findByEmail('user2@example.test')
  expect(identities.find(({ subject }) => subject === 'person-2')).toMatchObject({
    provider: 'oidc',
    accountId: second?.id,
  })
  expect(identities.map(({ accountId }) => accountId)).not.toContain(own)
})

test('the same source under another name is found to be here already, and imported once', async () => {
  expect(await run()).toMatchObject({ code: 0 })
  const said = /The same source was imported as "new-api" before: give it that name with --as/
  expect((await run('--dry-run', '--as', 'again')).stdout).toMatch(said)
  const again = await run('--as', 'again', '--accept', 'same-email')
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(said) })
  for (const { email, quota } of rows.users.filter((user) => user.email.startsWith('user'))) {
    const account = await store.accounts.findByEmail(email)
    expect(await store.ledger.balance(account?.id ?? '')).toBe(BigInt(quota) * 2_000n)
  }
  expect((await run()).stdout).toContain('Nothing is different from the last import.')
})
