import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import type { ApiKey } from '../../src/access/api-key.ts'
import { newSecret } from '../../src/access/key-secret.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'

let gateway: GatewayUnderTest
let account: Account
let key: ApiKey
let secret: string

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  await gateway.model('fake/echo')
  account = await gateway.account()
  ;({ key, secret } = await gateway.key(account, { name: 'laptop' }))
})
afterAll(() => gateway.close())

const post = (path: string, credential: string) =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', 'user-agent': 'tester/1' },
    body: '{"model":"fake/echo","messages":[{"role":"user","content":"hello"}]}',
  })

const CHAT = '/v1/chat/completions'

/** What the start page would show, oldest first, once there is as much as was expected. Requests do not wait for these records. */
async function tries(count: number) {
  const of = { accountId: account.id, keyId: key.id, sinceMs: 0, limit: 50 }
  const records = await atLeast(count, () => gateway.store.usage.firstSteps(of))
  return records.toReversed()
}

test('a failed try is shown to the owner of the key it was most likely meant for, with its cause', async () => {
  const wrongEnding = newSecret(() => new Uint8Array(64).fill(7))
  const alike = secret.slice(0, 10) + wrongEnding.slice(10)
  const steps: readonly (readonly [path: string, credential: string, fault: string, status: number])[] = [
    [CHAT, secret.slice(0, -3), 'key_malformed', 401],
    [CHAT, `"${secret}"`, 'key_malformed', 401],
    [CHAT, alike, 'key_malformed', 401],
    ['/v1/messages', secret.slice(0, -5), 'key_malformed', 401],
    [`${CHAT}/chat/completions`, secret, 'base_url_wrong', 404],
    ['/v1/chatcompletions', secret, 'path_unknown', 404],
  ]
  for (const [index, [path, credential, fault, status]] of steps.entries()) {
    const response = await post(path, credential)
    expect([response.status, response.headers.get('x-tollgate-fault')]).toEqual([status, fault])
    const found = await tries(index + 1)
    expect(found).toHaveLength(index + 1)
    expect(found.at(-1)).toMatchObject({
      id: response.headers.get('x-request-id'),
      accountId: account.id,
      keyId: key.id,
      keyName: 'laptop',
      outcome: 'refused',
      fault,
      httpStatus: status,
      client: 'tester/1',
      cost: 0n,
    })
  }
  const listed = await gateway.store.keys.page(
    { accountId: account.id },
    { order: { by: 'name', isDescending: true }, after: null, limit: 5 },
  )
  const lastPath = (await tries(steps.length)).at(-1)
  // Those with another secret do not count as uses of the key; those on a wrong path are.
  expect(listed.keys[0]?.lastUsedAt).toBe(lastPath?.createdAt)
  expect((await post(CHAT, secret)).status).toBe(200)
  expect((await tries(steps.length + 1)).at(-1)).toMatchObject({ outcome: 'completed', fault: null })
  expect(
    JSON.stringify(await gateway.store.usage.firstSteps({ accountId: account.id, sinceMs: 0, limit: 50 }), text),
  ).not.toContain(secret.slice(10, 30))
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
})

test('a well-formed secret of no key is recorded under the key that begins alike, on the list of models too', async () => {
  const { key: own, secret: ownSecret } = await gateway.key(account, { name: 'custom' })
  const other = alikeWithChecksum(ownSecret)
  const response = await fetch(`${gateway.origin}/v1/models`, { headers: { 'x-api-key': other } })
  expect(response.headers.get('x-tollgate-fault')).toBe('key_unknown')
  const records = await eventually(() =>
    gateway.store.usage.list({ accountId: account.id, keyId: own.id }, { after: null, limit: 5 }),
  )
  expect(records).toMatchObject([{ fault: 'key_unknown', wire: null, keyName: 'custom' }])
})

test('a secret that begins like no key is recorded nowhere, and a guesser cannot fill a key’s records', async () => {
  const before = await gateway.store.usage.list({ accountId: null }, { after: null, limit: 200 })
  await post(
    CHAT,
    newSecret(() => new Uint8Array(64).fill(9)),
  )
  await post(
    '/v1/nothing',
    newSecret(() => new Uint8Array(64).fill(9)),
  )
  await fetch(`${gateway.origin}/v1/nothing`)
  const { key: victim, secret: victimSecret } = await gateway.key(account)
  for (let attempt = 0; attempt < 15; attempt++) await post(CHAT, victimSecret.slice(0, 30))
  const own = await eventually(
    () => gateway.store.usage.list({ accountId: account.id, keyId: victim.id }, { after: null, limit: 50 }),
    10,
  )
  expect(own).toHaveLength(10)
  const after = await gateway.store.usage.list({ accountId: null }, { after: null, limit: 200 })
  expect(after.records).toHaveLength(before.records.length + 10)
})

/** Other digits behind the same beginning, with the checksum that belongs to them. */
function alikeWithChecksum(like: string): string {
  const start = like.slice(6, 10)
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let first = true
  return newSecret((count) => {
    const bytes = new Uint8Array(count).fill(5)
    if (first) for (const [at, digit] of start.split('').entries()) bytes[at] = digits.indexOf(digit)
    first = false
    return bytes
  })
}

async function eventually<T>(
  read: () => Promise<{ readonly records: readonly T[] }>,
  count = 1,
): Promise<readonly T[]> {
  return atLeast(count, async () => (await read()).records)
}

function atLeast<T>(count: number, read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  return vi.waitFor(
    async () => {
      const records = await read()
      expect(records.length).toBeGreaterThanOrEqual(count)
      return records
    },
    { timeout: PATIENCE_MS, interval: 5 },
  )
}

function text(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
