import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { newAccessToken } from '../../src/access/access-token.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { newId } from '../../src/core/ids.ts'
import { parseMultiplier } from '../../src/core/money.ts'
import { sealer } from '../../src/core/secret-box.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { migratedDirectory } from '../support/test-servers.ts'
import { putModelOf } from '../support/put-model.ts'
import {
  refusing as refusingField,
  type Script,
  type ScriptedUpstream,
  scriptedUpstream,
  well,
} from '../support/scripted-upstream.ts'

// Where a request would go, asked of the running gateway and of the command line.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
let gateway: GatewayUnderTest
let directory: string
let account: Account
let secret: string
let keyId: string
let other: Account
beforeAll(async () => {
  directory = await migratedDirectory()
  const environment = { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, TOLLGATE_DATA_DIR: directory }
  gateway = await gatewayUnderTest({ environment })
  account = await gateway.account({ balance: '100' })
  other = await gateway.account({ balance: '1' })
  const made = await gateway.key(account)
  secret = made.secret
  keyId = made.key.id
})
afterAll(() => gateway.close())

const busy: Script = (request, response) => {
  request.resume()
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '50' })
  response.end(JSON.stringify({ error: { message: 'No.', type: 'x', code: null, param: null } }))
}

const refusing: Script = (request, response) => {
  request.resume()
  response.writeHead(401, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: 'No.', type: 'x', code: null, param: null } }))
}

async function put(name: string, ...scripts: readonly Script[]): Promise<readonly ScriptedUpstream[]> {
  const all = await Promise.all(scripts.map((script) => scriptedUpstream(script)))
  onTestFinished(() => all.forEach((upstream) => upstream.close()))
  const foreign = { port: 9, priority: 8, more: { groupIds: ['grp_of_others'] } }
  await putModelOf(gateway.store, {
    name,
    targets: [...all.map(({ port }, priority) => ({ port, priority })), foreign],
  })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
  return all
}

async function call(name: string, by = secret): Promise<number> {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text()
  return response.status
}

async function explain(query: Record<string, string>, token = ADMIN_TOKEN) {
  const response = await fetch(`${gateway.origin}/api/route?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any }
}

async function tokenOf({ id: accountId }: Account): Promise<string> {
  const token = newAccessToken((count) => crypto.getRandomValues(new Uint8Array(count)))
  await gateway.store.accessTokens.create(
    {
      id: newId('pat', Date.now()),
      accountId,
      name: 'a test',
      scope: 'read',
      secretStart: token.slice(0, 10),
      secretEnd: token.slice(-4),
      createdAt: Date.now(),
      expiresAt: null,
      lastUsedAt: null,
    },
    controlHashes(TEST_SECRET).accessToken(token),
    10,
  )
  return token
}

test('names the targets in the order in which the next request asks them, and sends nothing', async () => {
  const all = await put('explained', busy, refusing, well, well)
  expect(await call('explained')).toBe(200)
  const before = all.map(({ asked }) => asked)
  const { status, body } = await explain({ key: keyId, model: 'explained' })
  expect(status).toBe(200)
  expect(all.map(({ asked }) => asked)).toEqual(before)
  expect(body).toMatchObject({ fault: null, group: 'default', multiplier: '1', price: { input: '2.5' } })
  const shown = body.candidates.map(({ reason, attempt, decision }: Record<string, unknown>) => [
    attempt,
    decision,
    reason,
  ])
  // The two that are well come first; then those that rest, the one that comes back first before the other.
  expect(shown.slice(0, 2)).toEqual([
    [1, 'taken', 'taken'],
    [2, 'skipped', 'not_needed'],
  ])
  expect(new Set(shown.slice(2, 4).map(([, , reason]: readonly unknown[]) => reason))).toEqual(
    new Set(['cooling', 'held']),
  )
  expect(shown[4]).toEqual([null, 'skipped', 'group'])
  expect(await call('explained')).toBe(200)
  expect(all.map(({ asked }, i) => asked - (before[i] ?? 0))).toEqual([0, 0, 1, 0])
})

test('says how much of the key’s and the account’s limits by the minute is used, and counts nothing itself', async () => {
  await put('limited', well)
  const owner = await gateway.account({ balance: '1' })
  await gateway.store.accounts.update({ ...owner, limits: { requestsPerMinute: 100 } }, null)
  const rateLimit = { concurrency: 5, requestsPerMinute: 60, tokensPerMinute: null, spend: [] }
  const made = await gateway.key(owner, { rateLimit })
  expect(await call('limited', made.secret)).toBe(200)
  const asked = { key: made.key.id, model: 'limited' }
  await explain(asked)
  const { body } = await explain(asked)
  const inAMinute = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(body.limits).toEqual([
    { of: 'key', type: 'requests_per_minute', limit: 60, used: 1, resets_at: inAMinute },
    { of: 'key', type: 'concurrency', limit: 5, used: 0, resets_at: null },
    { of: 'account', type: 'requests_per_minute', limit: 100, used: 1, resets_at: inAMinute },
  ])
  const args = ['route', 'explain', '--key', made.key.id, '--model', 'limited']
  const running = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, [...args, '--base-url', gateway.origin])
  expect(running.stdout).toMatch(/key requests_per_minute: 1 of 60 used, all free in \d+ s\n/)
  expect(running.stdout).toContain('key concurrency: 0 of 5 used\n')
})

test('where the first group’s targets rest the next group is named, and each target with the group that it is charged in', async () => {
  const groupIds = await Promise.all(
    (['1', '3'] as const).map(async (multiplier) => {
      const id = newId('grp', Date.now())
      const settings = { models: ['*'], isEnabled: true, isOpen: true, isManaged: false }
      await gateway.store.groups.putGroup({
        id,
        name: `times ${multiplier}`,
        multiplier: parseMultiplier(multiplier),
        ...settings,
      })
      return id
    }),
  )
  const all = await Promise.all([busy, well].map((script) => scriptedUpstream(script)))
  onTestFinished(() => all.forEach((upstream) => upstream.close()))
  const targets = all.map(({ port }, at) => ({ port, more: { groupIds: groupIds.slice(at, at + 1) } }))
  await putModelOf(gateway.store, { name: 'grouped', targets })
  const [groupId = '', ...fallbackGroupIds] = groupIds
  const { key, secret: own } = await gateway.key(await gateway.account({ balance: '9' }), { groupId, fallbackGroupIds })
  const asked = async () => (await explain({ key: key.id, model: 'grouped' })).body
  await expect.poll(async () => (await asked()).fault, { timeout: PATIENCE_MS }).toBe(null)
  expect(await asked()).toMatchObject({
    group: 'times 1',
    candidates: [
      { upstream: 'grouped-0', group: 'times 1', multiplier: '1', attempt: 1, reason: 'taken' },
      { upstream: 'grouped-1', group: 'times 3', multiplier: '3', attempt: 2, reason: 'not_needed' },
    ],
  })
  expect(await call('grouped', own)).toBe(200)
  expect(await asked()).toMatchObject({
    fault: null,
    group: 'times 3',
    multiplier: '3',
    candidates: [
      { upstream: 'grouped-1', group: 'times 3', attempt: 1, reason: 'taken' },
      { upstream: 'grouped-0', group: 'times 1', attempt: null, reason: 'cooling' },
    ],
  })
})

test('an account asks about its own keys alone, and upstreams have no names there', async () => {
  await put('own', busy, well)
  const { body } = await explain({ model: 'own' }, await tokenOf(account))
  expect(body.key_id).toBe(keyId)
  expect(body.candidates.map(({ upstream }: { upstream: string }) => upstream)).toEqual([
    'upstream-1',
    'upstream-2',
    'upstream-3',
  ])
  expect(body.candidates.every(({ model }: { model: unknown }) => model === null)).toBe(true)
  const stranger = await tokenOf(other)
  expect((await explain({ key: keyId, model: 'own' }, stranger)).status).toBe(404)
  expect((await explain({ account: account.email, model: 'own' }, stranger)).status).toBe(403)
})

test('says of an account without a key, and of one with two, what is missing', async () => {
  await put('keyless', well)
  const holder = await gateway.account({ balance: '1' })
  const asked = { account: holder.email, model: 'keyless' }
  const none = { field: 'key', detail: expect.stringContaining('has no API key') }
  expect(await explain(asked)).toMatchObject({ status: 422, body: none })
  for (let nr = 0; nr < 2; nr++) await gateway.key(holder)
  const two = { field: 'key', detail: expect.stringMatching(/^2 API keys .* Give the id of one/) }
  expect(await explain(asked)).toMatchObject({ status: 422, body: two })
})

test('says the fault that the request would get', async () => {
  await put('known', well)
  expect((await explain({ key: keyId, model: 'unknown' })).body).toMatchObject({
    fault: 'model_unknown',
    candidates: [],
  })
  const broke = await gateway.account({ balance: '0' })
  const { key } = await gateway.key(broke)
  const answer = (await explain({ account: broke.email, key: key.name, model: 'known' })).body
  expect(answer).toMatchObject({ fault: 'balance_exhausted', group: 'default' })
  expect(answer.candidates).toHaveLength(2)
})

test('the command line says the same of a running gateway', async () => {
  await put('spoken', busy, well)
  await call('spoken')
  const args = ['route', 'explain', '--key', keyId, '--model', 'spoken']
  const asked = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, [...args, '--base-url', gateway.origin])
  expect(asked).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/taken\n[^]*skipped: it rests after failures \(\d+ s/),
  })
  const refused = await runHere({}, [...args, '--base-url', gateway.origin])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('TOLLGATE_ADMIN_TOKEN') })
})

test('what a target refuses by name is said to admins, with what it said, by the API and by the command line', async () => {
  const message = `Unsupported parameter: 'temperature' is not supported with this model.`
  const upstream = await scriptedUpstream(refusingField('temperature', message))
  onTestFinished(() => upstream.close())
  const targets = [{ port: upstream.port, protocol: 'openai-chat' as const }]
  await putModelOf(gateway.store, { name: 'picky', targets })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const messages = [{ role: 'user', content: 'hello' }]
  const body = JSON.stringify({ model: 'picky', max_tokens: 9, temperature: 0.5, messages })
  const ask = async () => (await fetch(`${gateway.origin}/v1/messages`, { method: 'POST', headers, body })).status
  await expect.poll(ask, { timeout: PATIENCE_MS }).toBe(200)
  const query = { key: keyId, model: 'picky' }
  const learned = [{ setting: 'temperature', value: null, refused_at: expect.any(String), said: message }]
  expect((await explain(query)).body.candidates).toMatchObject([{ learned }])
  expect((await explain(query, await tokenOf(account))).body.candidates).toMatchObject([{ learned: [] }])
  await expect.poll(() => gateway.store.catalog.refusalNotes(), { timeout: PATIENCE_MS }).toHaveLength(1)
  const args = ['route', 'explain', '--key', keyId, '--model', 'picky']
  const words = new RegExp(`taken; learned: leaves out temperature \\(refused at \\d\\d:\\d\\d UTC: '${message}'\\)`)
  const running = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, [...args, '--base-url', gateway.origin])
  expect(running.stdout).toMatch(words)
  const stored = await runHere({ TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }, args)
  expect(stored.stdout).toMatch(words)
})

test('of the database alone the command line says what a gateway that has just started sees: what a person disabled, and not what rests', async () => {
  const all = await Promise.all([busy, well, well].map((script) => scriptedUpstream(script)))
  onTestFinished(() => all.forEach((upstream) => upstream.close()))
  const seal = (text: string) => sealer(TEST_SECRET).seal(text)
  await putModelOf(gateway.store, {
    name: 'from the books',
    targets: all.map(({ port }, priority) => ({
      port,
      priority,
      settings: { credentials: [unlimitedCredential(seal('sk-upstream'), 'only')] },
    })),
  })
  const asked = async () => (await explain({ key: keyId, model: 'from the books' })).body
  await expect.poll(async () => (await asked()).fault, { timeout: PATIENCE_MS }).toBe(null)
  expect(await call('from the books')).toBe(200)
  expect((await asked()).candidates[0]).toMatchObject({ upstream: 'from the books-1' })
  const third = (await gateway.store.catalog.upstreams()).find(({ name }) => name === 'from the books-2')
  await gateway.store.catalog.changeCredential({ upstreamId: third?.id ?? '', name: 'only', isDisabled: true })
  const environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  const before = all.map(({ asked: times }) => times)
  const args = ['route', 'explain', '--key', keyId, '--model', 'from the books']
  const { code, stdout, stderr } = await runHere(environment, args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('has just started') })
  expect(stdout).toMatch(
    /\n1 +from the books-0 .*taken\n2 +from the books-1 .*well.*\n– +from the books-2 .*skipped: disabled/,
  )
  expect(all.map(({ asked: times }) => times)).toEqual(before)
  const unknown = await runHere(environment, ['route', 'explain', '--key', keyId, '--model', 'no such model'])
  expect(unknown).toMatchObject({ code: 1, stdout: expect.stringContaining('refused: model_unknown') })
  const keyless = await runHere(environment, [
    'route',
    'explain',
    '--key',
    'key_of_nothing',
    '--model',
    'from the books',
  ])
  expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no API key with this id.') })
})

test('of many credentials two are asked and then another upstream, and the rest are said not to be', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const seal = (text: string) => sealer(TEST_SECRET).seal(text)
  const credentials = ['a', 'b', 'c'].map((name) => unlimitedCredential(seal(`sk-${name}`), name))
  const spare = { port: upstream.port, priority: 1 }
  await putModelOf(gateway.store, {
    name: 'many',
    targets: [{ port: upstream.port, settings: { credentials } }, spare],
  })
  const of = async () => (await explain({ key: keyId, model: 'many' })).body
  await expect.poll(async () => (await of()).fault, { timeout: PATIENCE_MS }).toBe(null)
  expect((await of()).candidates).toMatchObject([
    { attempt: 1, priority: 0 },
    { attempt: 2, priority: 0 },
    { attempt: 3, priority: 1 },
    { attempt: null, priority: 0, reason: 'not_needed' },
  ])
  const args = ['route', 'explain', '--key', keyId, '--model', 'many', '--base-url', gateway.origin]
  const { stdout } = await runHere({ TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN }, args)
  expect(stdout.match(/well, and not asked: a request asks three at most/g)).toHaveLength(1)
})

test('a target whose credentials a person disabled is skipped as disabled', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const credential = unlimitedCredential(sealer(TEST_SECRET).seal('sk-upstream'), 'only')
  await putModelOf(gateway.store, {
    name: 'switched',
    targets: [
      { port: upstream.port, settings: { credentials: [credential] } },
      { port: upstream.port, priority: 1 },
    ],
  })
  const [first] = (await gateway.store.catalog.models()).find(({ name }) => name === 'switched')?.targets ?? []
  const disabled = await fetch(`${gateway.origin}/api/upstreams/${first?.upstreamId}/credentials/only`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ disabled: true }),
  })
  expect(disabled.status).toBe(200)
  const { body } = await explain({ key: keyId, model: 'switched' })
  expect(body.candidates.map(({ reason }: { reason: string }) => reason)).toEqual(['taken', 'disabled'])
})

test('a model with endpoints and times of its own is explained for what it may be called at, and refused for the rest', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const serving = { endpoints: ['anthropic-messages' as const], firstEventTimeoutMs: 5_000, timeoutMs: 9_000 }
  await putModelOf(gateway.store, { name: 'one way', targets: [{ port: upstream.port }], serving })
  const asked = (protocol: string) => explain({ key: keyId, model: 'one way', protocol })
  await expect.poll(async () => (await asked('anthropic-messages')).body.fault, { timeout: PATIENCE_MS }).toBe(null)
  expect((await asked('anthropic-messages')).body.candidates).toMatchObject([{ attempt: 1, reason: 'taken' }])
  const { body } = await asked('openai-chat')
  expect(body.fault).toBe('request_invalid')
  expect(body.detail).toContain('POST /v1/messages')
  expect(upstream.asked).toBe(0)
})

test('credentials of several realms are all named, and a group that keeps answers is asked about alike', async () => {
  const upstream = await scriptedUpstream(well)
  onTestFinished(() => upstream.close())
  const seal = (text: string) => sealer(TEST_SECRET).seal(text)
  const credentials = ['north', 'south'].map((realm) => ({ ...unlimitedCredential(seal(`sk-${realm}`), realm), realm }))
  await putModelOf(gateway.store, { name: 'two realms', targets: [{ port: upstream.port, settings: { credentials } }] })
  const of = async () => (await explain({ key: keyId, model: 'two realms' })).body
  await expect.poll(async () => (await of()).fault, { timeout: PATIENCE_MS }).toBe(null)
  const names = (body: { candidates: readonly { upstream: string }[] }) =>
    body.candidates.map(({ upstream: name }) => name).toSorted()
  const plain = names(await of())
  expect(plain).toEqual(['two realms-0/north', 'two realms-0/south'])
  const groupId = (await gateway.store.groups.groups())[0]?.id ?? ''
  const patch = (cache: object | null) =>
    fetch(`${gateway.origin}/api/groups/${groupId}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ cache }),
    })
  expect((await patch({ ttl_seconds: 60 })).status).toBe(200)
  expect(await call('two realms')).toBe(200)
  expect(names(await of())).toEqual(plain)
  expect(upstream.asked).toBe(1)
  expect((await patch(null)).status).toBe(200)
})
