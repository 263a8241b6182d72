import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalKey } from '../../src/access/imported-keys.ts'
import { newId } from '../../src/core/ids.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import {
  makeNewApi,
  type NewApiRows,
  type SourceToken,
  SOURCE_PASSWORD,
} from '../support/import-sources/new-api-source.ts'
import { type SourceDatabase, sqliteSource } from '../support/import-sources/source-database.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { migratedDirectory } from '../support/test-servers.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'

const UNIT_NANO = 2_000n
const USERS = 1_000
const RATIO = { over: 15n, under: 40n } // 0.375
const COMPLETION = 4n
/** Cached input costs a quarter of the input. */
const USAGE = { prompt: 1_237, cached: 301, completion: 89 }
const GROUP_RATIOS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  default: [1n, 1n],
  vip: [4n, 5n],
  svip: [1n, 2n],
}

let folder = ''
let source: SourceDatabase
let rows: NewApiRows
let gateway: GatewayUnderTest
let environment: Record<string, string> = {}
let upstream: Awaited<ReturnType<typeof scriptedUpstream>>

const asked: string[] = []

const answering: Script = (request, response) => {
  request.resume()
  asked.push(`${request.url} ${String(request.headers['x-house'])}`)
  const usage = {
    prompt_tokens: USAGE.prompt,
    completion_tokens: USAGE.completion,
    total_tokens: USAGE.prompt + USAGE.completion,
    prompt_tokens_details: { cached_tokens: USAGE.cached },
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', model: 'm', choices, usage }))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-import-'))
  upstream = await scriptedUpstream(answering)
  source = sqliteSource(join(folder, 'new-api.db'))
  rows = await makeNewApi(source, {
    users: USERS,
    passwordHash: await hash(SOURCE_PASSWORD, 4),
    options: {
      ModelRatio: JSON.stringify({ 'house-model': 0.375, 'dear-model': 37.5 }),
      CompletionRatio: JSON.stringify({ 'house-model': 4 }),
      CacheRatio: JSON.stringify({ 'house-model': 0.25 }),
      GroupRatio: JSON.stringify({ default: 1, vip: 0.8, svip: 0.5 }),
      UserUsableGroups: JSON.stringify({ default: 'all' }),
    },
    channels: [
      {
        id: 1,
        type: 8,
        name: 'house',
        key: 'sk-upstream-1\nsk-upstream-2',
        base_url: `http://127.0.0.1:${upstream.port}/v1/chat/completions`,
        models: 'house-model,unpriced-model',
        group: 'default,vip,svip',
        model_mapping: JSON.stringify({ 'house-model': 'first', first: 'house-model-v2' }),
        channel_info: JSON.stringify({ is_multi_key: true, multi_key_status_list: { '1': 2 } }),
        header_override: JSON.stringify({ 'X-House': 'yes' }),
      },
      { id: 2, type: 57, name: 'personal', key: '{}', base_url: '', models: 'house-model', group: 'default' },
      { id: 3, type: 33, name: 'elsewhere', key: 'a', base_url: '', models: 'house-model', group: 'default' },
    ],
  })
  const directory = await migratedDirectory()
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_DATA_DIR: directory } })
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
}, 900_000)
afterAll(async () => {
  await gateway.close()
  await source.close()
  upstream.close()
  await rm(folder, { recursive: true })
})

function run(...more: string[]) {
  return runHere(environment, ['import', 'new-api', source.url, '--admins', 'keep', ...more])
}

async function chat(credential: Record<string, string>) {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...credential, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'house-model', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return answer
}

async function messages(credential: Record<string, string>) {
  const answer = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { ...credential, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'house-model', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return answer
}

/** What new-api takes for such a request, before it rounds to a unit: a fraction of nano-USD. */
function oldCharge(group: string): { over: bigint; under: bigint } {
  const [over, under] = GROUP_RATIOS[group] ?? [1n, 1n]
  const plain = BigInt(USAGE.prompt - USAGE.cached)
  const tokens = plain * 4n + BigInt(USAGE.cached) + BigInt(USAGE.completion) * COMPLETION * 4n
  return { over: tokens * RATIO.over * over * UNIT_NANO, under: 4n * RATIO.under * under }
}

/** Active users with something left, and their unlimited keys. */
function richKeys(): readonly { token: SourceToken; group: string }[] {
  return rows.tokens.flatMap((token) => {
    const user = rows.users.find(({ id }) => id === token.user_id)
    const isRich = user !== undefined && user.status === 1 && user.quota > 1_000_000 && token.unlimited_quota
    return isRich ? [{ token, group: user.group }] : []
  })
}

async function accountOfToken({ key }: SourceToken) {
  const found = await gateway.store.keys.findByHash(keyedHash(TEST_SECRET)(canonicalKey(key) ?? ''))
  if (found === null) throw new Error('the key was not imported')
  return found
}

test('a dry run says what would be imported with exact sums and all that is not carried, shows no secret and writes nothing', async () => {
  const { code, stdout } = await run('--dry-run', '--accept', 'completion-ratio')
  expect(code).toBe(0)
  const balances = rows.users.reduce((all, { quota }) => all + BigInt(quota) * UNIT_NANO, 0n)
  expect(stdout).toContain(`accounts       ${USERS}, balances`)
  expect(stdout).toContain(`(${balances} nano-USD)`)
  expect(stdout).toMatch(/channels 2: are personal subscriptions/)
  expect(stdout).toMatch(/channels 3: are of type 33/)
  expect(stdout).toMatch(/models unpriced-model: have no price/)
  for (const { key } of rows.tokens) expect(stdout).not.toContain(key)
  expect(stdout).not.toContain('sk-upstream')
  expect(await gateway.store.accounts.list(10)).toEqual([])
})

test('after the import every balance is there, and the same key calls the same model over both protocols at the old price', async () => {
  const { code, stdout, stderr } = await run()
  expect({ code, stderr: stderr.replace(/^\w+.*…$/gm, '').trim() }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`account: ${USERS} created, 0 changed`)
  const accounts = await gateway.store.accounts.list(USERS + 1)
  expect(accounts).toHaveLength(USERS)
  for (const { token, group } of richKeys().slice(0, 6)) {
    const { account, key } = await accountOfToken(token)
    const before = await gateway.store.ledger.balance(account.id)
    const user = rows.users.find(({ id }) => id === token.user_id)
    expect(before).toBe(BigInt(user?.quota ?? 0) * UNIT_NANO)
    expect(key.name).toBe(`key ${token.id}`)
    expect((await chat({ authorization: `Bearer sk-${token.key}` })).status).toBe(200)
    expect((await messages({ 'x-api-key': `sk-${token.key}` })).status).toBe(200)
    await expect
      .poll(() => gateway.store.ledger.balance(account.id), { timeout: PATIENCE_MS })
      .toSatisfy((after: bigint) => isTwice(before - after, oldCharge(group)))
  }
  // At the whole address of a custom channel, and with its header, which is in capitals there.
  expect(new Set(asked)).toEqual(new Set(['/v1/chat/completions yes']))
}, 120_000)

/** Within one nano-USD for each of the two, which is far within the old product's unit. */
function isTwice(charged: bigint, { over, under }: { over: bigint; under: bigint }): boolean {
  const difference = charged * under - 2n * over
  return difference >= 0n && difference <= 2n * under
}

test('an imported key works in every form that its clients send, and no other', async () => {
  const [first] = richKeys()
  const key = first?.token.key ?? ''
  const forms = [
    { authorization: `Bearer sk-${key}` },
    { authorization: `bearer sk-${key}` },
    { authorization: `Bearer ${key}` },
    { authorization: key },
    { authorization: `Bearer sk-${key}-12` },
    { 'x-api-key': key },
    { 'x-goog-api-key': `sk-${key}` },
  ]
  for (const form of forms) expect({ form, status: (await chat(form)).status }).toEqual({ form, status: 200 })
  const suffixed = await chat({ authorization: `Bearer sk-${key}-12` })
  expect(suffixed.headers.get('x-tollgate-hint')).toBe('the number behind the key is ignored')
  for (const wrong of [key.slice(1), `${key}x`, key.toUpperCase()]) {
    expect((await chat({ authorization: `Bearer sk-${wrong}` })).status).toBe(401)
  }
})

test('a second run changes nothing; one after the source has moved on moves the differences alone', async () => {
  expect((await run()).stdout).toContain('Nothing is different from the last import.')
  const [spent, stopped, gone] = richKeys()
  if (spent === undefined || stopped === undefined || gone === undefined) throw new Error('too few were drawn')
  const { account } = await accountOfToken(spent.token)
  const before = await gateway.store.ledger.balance(account.id)
  await source.run(`update users set quota = quota - 1000 where id = ${spent.token.user_id}`)
  await source.run(`update tokens set status = 2 where id = ${stopped.token.id}`)
  await source.run(`delete from tokens where id = ${gone.token.id}`)
  const { stdout } = await run()
  expect(stdout).toContain('account: 0 created, 1 changed')
  expect(stdout).toContain('key: 0 created, 2 changed')
  expect(await gateway.store.ledger.balance(account.id)).toBe(before - 1000n * UNIT_NANO)
  for (const { token } of [stopped, gone]) {
    expect((await chat({ authorization: `Bearer sk-${token.key}` })).status).toBe(401)
  }
  expect((await run()).stdout).toContain('Nothing is different')
})

test('the books agree, with what was used of quotas before', async () => {
  const limited = rows.tokens.find(({ unlimited_quota }) => !unlimited_quota)
  if (limited === undefined) throw new Error('no key with a quota was drawn')
  const { key } = await accountOfToken(limited)
  expect(key.quotaLimit).toBe(BigInt(limited.used_quota + limited.remain_quota) * UNIT_NANO)
  const answer = await fetch(`${gateway.origin}/v1/usage`, { headers: { authorization: `Bearer sk-${limited.key}` } })
  const { quota } = (await answer.json()) as { quota: { used: string } }
  expect(Number(quota.used)).toBeCloseTo((limited.used_quota * 2_000) / 1e9, 6)
  expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})

test('an account that owes something is refused until it is said what becomes of that, and the books agree with it', async () => {
  const token = richKeys().at(-1)?.token
  if (token === undefined) throw new Error('too few were drawn')
  const { account } = await accountOfToken(token)
  await source.run(`update users set quota = -500 where id = ${token.user_id}`)
  const refused = await run()
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('1 account owes something there') })
  const confirmed = await run('--confirm', 'a-code-of-another-time', '--negative', 'keep')
  expect(confirmed).toMatchObject({ code: 1, stderr: expect.stringContaining('the source has changed since') })
  const [, code = ''] = /--confirm (\w+)/.exec((await run('--dry-run')).stdout) ?? []
  expect(await run('--confirm', code, '--negative', 'keep')).toMatchObject({ code: 0 })
  expect(await gateway.store.ledger.balance(account.id)).toBe(-500n * UNIT_NANO)
  expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
})

test('an account here with the email address of one there is joined only where that was decided, and stays its own', async () => {
  const own = { id: newId('acc', 1), email: 'owner@example.test', role: 'user', status: 'active' } as const
  await gateway.store.accounts.create({ ...own, createdAt: 1, isManaged: false }, null)
  await source.run(`insert into users (id, username, password, display_name, role, status, email, quota, "group")
    select 5001, 'stranger', password, 'Stranger', 100, 1, 'Owner@example.test', 5000, 'default' from users where id = 1`)
  const all = ['--negative', 'keep']
  const refused = await run(...all)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/owner@example\.test.*--accept same-email/i) })
  expect(await gateway.store.ledger.balance(own.id)).toBe(0n)
  expect((await run(...all, '--accept', 'same-email')).stdout).toContain('account: 0 created, 1 changed')
  expect(await gateway.store.ledger.balance(own.id)).toBe(5_000n * UNIT_NANO)
  await source.run(`update users set quota = 6000, status = 2, password = 'another' where id = 5001`)
  expect(await run(...all)).toMatchObject({ code: 0 })
  expect(await gateway.store.ledger.balance(own.id)).toBe(6_000n * UNIT_NANO)
  expect(await gateway.store.accounts.findById(own.id)).toMatchObject({ role: 'user', status: 'active' })
  await source.run('delete from users where id = 5001')
  expect(await run(...all)).toMatchObject({ code: 0 })
  expect(await gateway.store.accounts.findById(own.id)).toMatchObject({ status: 'active' })
})

test.for([
  ['an empty database', async (_each: SourceDatabase): Promise<void> => {}, /has no tables/],
  [
    'another database',
    (each: SourceDatabase): Promise<void> => each.run('create table notes (id integer)'),
    /is not known as new-api.*notes \(id\)/,
  ],
  [
    'one of one-hub',
    async (each: SourceDatabase): Promise<void> => {
      await each.run(`create table options ("key" text, value text)`)
      await each.run(`insert into options values ('OldTokenMaxId', '7')`)
    },
    /one-hub or done-hub, whose keys are encoded/,
  ],
  [
    'a half-migrated one',
    (each: SourceDatabase): Promise<void> =>
      each.run('create table tokens (id integer, "group" text, model_limits_enabled integer)'),
    /without users\.id, /,
  ],
] as const)('%s is refused in one sentence', async ([name, make, said]) => {
  const other = sqliteSource(join(folder, `${name}.db`))
  await make(other)
  const { code, stdout, stderr } = await runHere(environment, ['import', 'new-api', other.url, '--admins', 'keep'])
  await other.close()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim().split('\n').at(-1)).toMatch(said)
})

test('a file of another kind, and one that is not there, are refused in one sentence', async () => {
  const path = join(import.meta.dirname, 'import-new-api.long.test.ts')
  expect((await readFile(path)).length).toBeGreaterThan(0)
  expect((await runHere(environment, ['import', 'new-api', path])).stderr).toMatch(
    /cannot be read \(file is not a database\)/,
  )
  expect((await runHere(environment, ['import', 'new-api', join(folder, 'nowhere')])).stderr).toMatch(
    /There is no file/,
  )
})
