import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccessToken } from '../../src/access/access-token.ts'
import type { Account } from '../../src/access/account.ts'
import { displayParts } from '../../src/access/key-secret.ts'
import { controlHashes } from '../../src/app/installation/control-hashes.ts'
import { newId } from '../../src/core/ids.ts'
import { parseUsd } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

// What gives a key more to spend counts as soon as it is answered: the very next call is served, though the one before was refused.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const SECRET = 'a secret that is only for tests, 32 bytes and more'
/** One success could be chance: a refusal is remembered for a tenth of a second. */
const ROUNDS = 5

describe('the next call is served', () => {
  let gateway: GatewayUnderTest
  beforeAll(async () => {
    gateway = await gatewayUnderTest({ environment: { TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN } })
    await gateway.model('fake/echo')
  })
  afterAll(() => gateway.close())

  test('after a top-up', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const account = await gateway.account({ balance: '0' })
      const { secret } = await gateway.key(account)
      expect(await call(secret)).toBe(402)
      const topUp = { amount: '1', reason: 'paid', kind: 'credit' }
      expect(await ask(`POST /api/accounts/${account.id}/ledger`, topUp)).toBe(201)
      expect(await call(secret)).toBe(200)
    }
  })

  test('after a code was redeemed, by itself or for a plan', async () => {
    await gateway.store.plans.putPlan({
      id: newId('pln', Date.now()),
      name: 'small',
      groupIds: [(await gateway.store.groups.groups())[0]?.id ?? ''],
      opensGroups: true,
      days: 30,
      price: parseUsd('5'),
      quotas: [{ window: '5h', usd: parseUsd('1') }],
      isManaged: false,
    })
    for (let round = 0; round < ROUNDS; round++) {
      for (const grants of [{ amount: '1' }, { plan: 'small' }]) {
        const account = await gateway.account({ balance: '0' })
        const { secret } = await gateway.key(account)
        expect(await call(secret)).toBe(402)
        const made = await answerTo('POST /api/redeem-codes', grants)
        const { codes } = (await made.json()) as { codes: readonly string[] }
        const token = await tokenOf(account)
        expect(await ask('POST /api/redeem', { code: codes[0] }, token)).toBe(200)
        expect(await call(secret)).toBe(200)
      }
    }
  })

  test('after a key’s quota was raised', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { key, secret } = await gateway.key(await gateway.account(), { quotaLimit: parseUsd('0') })
      expect(await call(secret)).toBe(402)
      expect(await ask(`PATCH /api/keys/${key.id}`, { quota_limit: '1' })).toBe(200)
      expect(await call(secret)).toBe(200)
    }
  })

  async function call(secret: string): Promise<number> {
    const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'fake/echo', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return answer.status
  }

  /** `as`: an access token; the admin's when absent. */
  function answerTo(asked: string, body: object, as = ADMIN_TOKEN): Promise<Response> {
    const [method = '', path = ''] = asked.split(' ')
    return fetch(gateway.origin + path, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async function ask(asked: string, body: object, as?: string): Promise<number> {
    const answer = await answerTo(asked, body, as)
    await answer.text()
    return answer.status
  }

  async function tokenOf({ id: accountId }: Account): Promise<string> {
    const secret = newAccessToken(randomBytes)
    const createdAt = Date.now()
    const { start: secretStart, end: secretEnd } = displayParts(secret)
    const id = newId('pat', createdAt)
    const times = { createdAt, expiresAt: null, lastUsedAt: null }
    const token = { id, accountId, name: 'test', scope: 'write', secretStart, secretEnd, ...times } as const
    await gateway.store.accessTokens.create(token, controlHashes(SECRET).accessToken(secret), 10)
    return secret
  }
})
