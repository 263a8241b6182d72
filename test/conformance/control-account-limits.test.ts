import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import {
  CHANGES_OF_AN_ACCOUNT_PER_HOUR,
  PASSKEYS_OF_AN_ACCOUNT_LIMIT,
  PLAYGROUND_KEYS_OF_AN_ACCOUNT_LIMIT,
} from '../../src/core/limits.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'
import { longTest } from '../support/run/long-test.ts'

const DAY_MS = 86_400_000

describe.each(ENGINES_ABOVE_STORES)('limits of accounts through the console API on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    admin = await control.account({ role: 'admin', via: 'session' })
  })
  afterAll(() => control.close())

  function newKey(asker: Asker, fields: object = {}) {
    return asker.ask('POST', '/api/keys', { name: 'laptop', group: 'default', ...fields })
  }

  async function limited(limits: object) {
    const asker = await control.account({ via: 'write' })
    const set = await admin.ask('PATCH', `/api/accounts/${asker.account.id}`, { limits })
    expect(set.status).toBe(200)
    return asker
  }

  test('an account has what is set, in what was written, and says what of it holds', async () => {
    const { account, ask } = await limited({
      concurrency: 3,
      tokens_per_minute: null,
      spend: [{ window: '1d', usd: '2.5' }],
    })
    const read = await admin.ask('GET', `/api/accounts/${account.id}`)
    expect(read.body.limits).toEqual({ concurrency: 3, tokens_per_minute: null, spend: [{ window: '1d', usd: '2.5' }] })
    const { body } = await ask('GET', '/api/me/limits')
    expect(body).toMatchObject({
      limits: { concurrency: 3, requests_per_minute: null, max_keys: null, max_key_validity_days: null },
      spend: [{ window: '1d', limit: '2.5', used: '0', resets_at: null }],
      keys: { used: 0, limit: 1_000 },
    })
    expect((await admin.ask('GET', `/api/accounts/${account.id}/limits`)).body).toEqual(body)
    const { body: audit } = await admin.ask('GET', `/api/audit?action=account.update&subject=${account.id}`)
    expect(audit.data[0].changes.limits).toMatchObject({ before: null, after: { concurrency: 3 } })
  })

  test('a raise is given with its end, which its owner reads and the audit has, and is over at that time', async () => {
    const { account, ask } = await limited({ concurrency: 3, max_keys: 1 })
    const path = `/api/accounts/${account.id}`
    // Entries of one moment stand in any order.
    control.clock.advance(1)
    const endsAt = new Date(control.clock.now() + 3_600_000).toISOString()
    const raise = { limits: { concurrency: 9, max_keys: 2 }, ends_at: endsAt }
    const given = await admin.ask('PATCH', path, { raise })
    expect(given).toMatchObject({ status: 200, body: { limits: { concurrency: 3, max_keys: 1 }, raise } })
    expect((await ask('GET', '/api/me/limits')).body).toMatchObject({
      limits: { concurrency: 9, max_keys: 2 },
      raised_until: endsAt,
    })
    const { body: audit } = await admin.ask('GET', `/api/audit?action=account.update&subject=${account.id}&limit=1`)
    expect(audit.data[0].changes).toEqual({ raise: { before: null, after: raise } })
    await newKey({ account, ask })
    expect((await newKey({ account, ask })).status).toBe(201)
    control.clock.advance(3_600_000)
    expect((await ask('GET', '/api/me/limits')).body).toMatchObject({
      limits: { concurrency: 3, max_keys: 1 },
      raised_until: null,
    })
    // What was made under it stays, and no more is made.
    expect((await newKey({ account, ask })).status).toBe(409)
    expect((await admin.ask('PATCH', path, { raise: null })).body.raise).toBeNull()
  })

  test.for([
    ['raise.ends_at', { limits: { concurrency: 9 }, ends_at: '2020-01-01T00:00:00Z' }],
    ['raise.ends_at', { limits: { concurrency: 9 }, ends_at: '2100-01-01T00:00:00Z' }],
    ['raise.limits', { limits: {}, ends_at: '2026-12-24T00:00:00Z' }],
  ])('a raise is refused by the name of what is wrong: %s', async ([field, raise]) => {
    const { account } = await limited({ concurrency: 3 })
    const { status, body } = await admin.ask('PATCH', `/api/accounts/${account.id}`, { raise })
    expect([status, body.field]).toEqual([422, field])
  })

  test('an account is opened with limits, and keeps them when something else is changed', async () => {
    const opened = await admin.ask('POST', '/api/accounts', {
      email: `limited-${engine}@example.test`,
      limits: { max_keys: 2 },
    })
    expect(opened).toMatchObject({ status: 201, body: { limits: { max_keys: 2 } } })
    const path = `/api/accounts/${opened.body.id}`
    expect((await admin.ask('PATCH', path, { role: 'admin' })).body.limits).toEqual({ max_keys: 2 })
    expect((await admin.ask('PATCH', path, { limits: {} })).body.limits).toBeNull()
  })

  test.for<[string, object]>([
    [
      'limits.spend.1.window',
      {
        spend: [
          { window: '1d', usd: '1' },
          { window: '1d', usd: '2' },
        ],
      },
    ],
    ['limits.max_keys', { max_keys: 1_001 }],
    ['limits.max_key_validity_days', { max_key_validity_days: 0 }],
    ['limits.concurrency', { concurrency: -1 }],
  ])('what stands in %s is refused by its name', async ([field, limits]) => {
    const { account } = await control.account({})
    const { status, body } = await admin.ask('PATCH', `/api/accounts/${account.id}`, { limits })
    expect([status, body.code, body.field]).toEqual([422, 'field_invalid', field])
  })

  test('one key more than the account may have is refused by name, also to an admin, and a deleted one makes room', async () => {
    const asker = await limited({ max_keys: 1 })
    const { body } = await newKey(asker)
    const refused = await newKey(asker)
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_keys' } })
    expect(refused.body.detail).toMatch(/may have 1 API key, and has as many/)
    expect((await newKey(admin, { account_id: asker.account.id })).body.code).toBe('too_many_keys')
    await asker.ask('DELETE', `/api/keys/${body.key.id}`)
    expect((await newKey(asker)).status).toBe(201)
  })

  // In LiteLLM 8451 what is tried in the console uses up what the console itself needs.
  test('the playground works at the limit of keys, a bounded number of times at once, and not where no key is allowed', async () => {
    const asker = await limited({ max_keys: 1 })
    await newKey(asker)
    const visit = () => {
      const expires_at = new Date(control.clock.now() + 3_600_000).toISOString()
      return newKey(asker, { name: 'Playground', playground: true, expires_at })
    }
    const first = await visit()
    expect(first.status).toBe(201)
    for (let more = 1; more < PLAYGROUND_KEYS_OF_AN_ACCOUNT_LIMIT; more += 1) expect((await visit()).status).toBe(201)
    const refused = await visit()
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_keys' } })
    expect(refused.body.detail).toMatch(/20 keys of the playground/)
    await asker.ask('DELETE', `/api/keys/${first.body.key.id}`)
    expect((await visit()).status).toBe(201)
    control.clock.advance(2 * 3_600_000)
    expect((await visit()).status).toBe(201)
    // Visits take no place of a key either.
    expect((await newKey(asker)).body.code).toBe('too_many_keys')
    const none = await limited({ max_keys: 0 })
    const expires_at = new Date(control.clock.now() + 3_600_000).toISOString()
    expect((await newKey(none, { name: 'Playground', playground: true, expires_at })).body.code).toBe('too_many_keys')
  })

  test('a key is not valid for longer than the account allows, neither when it is made nor by a change', async () => {
    const asker = await limited({ max_key_validity_days: 7 })
    const at = (days: number) => new Date(control.clock.now() + days * DAY_MS).toISOString()
    for (const fields of [{}, { expires_at: at(7.01) }]) {
      const refused = await newKey(asker, fields)
      expect(refused.body).toMatchObject({ code: 'field_invalid', field: 'expires_at' })
      expect(refused.body.detail).toMatch(/valid for 7 days at most/)
    }
    const { status, body } = await newKey(asker, { expires_at: at(6.9) })
    expect(status).toBe(201)
    const path = `/api/keys/${body.key.id}`
    for (const expires of [null, at(8)]) {
      expect((await asker.ask('PATCH', path, { expires_at: expires })).body.field).toBe('expires_at')
    }
    expect((await asker.ask('PATCH', path, { name: 'desktop' })).status).toBe(200)
  })

  // The same code on both engines, in this process's memory; the changes themselves take long.
  if (engine === 'sqlite') {
    longTest(
      'beyond the changes that an account may make in an hour nothing is changed, and nothing written to the audit',
      async () => {
        const asker = await control.account({ via: 'write' })
        const change = (i: number) => asker.ask('PATCH', '/api/me', { name: `name ${i}` })
        for (let i = 0; i < CHANGES_OF_AN_ACCOUNT_PER_HOUR; i += 50) {
          await Promise.all(Array.from({ length: 50 }, (_, k) => change(i + k)))
        }
        const refused = await change(-1)
        expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect((await asker.ask('GET', '/api/me')).body.name).not.toBe('name -1')
      },
    )
  }

  test('a plan is sold with limits and a quota for the whole term, and a renewal adds to that quota', async () => {
    const made = await admin.ask('POST', '/api/plans', {
      name: 'package',
      groups: ['default'],
      days: 90,
      price: '20',
      quotas: [{ window: 'term', usd: '25' }],
      limits: { requests_per_minute: 600, max_keys: 3 },
    })
    expect(made).toMatchObject({ status: 201, body: { limits: { requests_per_minute: 600, max_keys: 3 } } })
    const { account, ask } = await control.account({ via: 'write' })
    const path = `/api/accounts/${account.id}/subscriptions`
    const sold = await admin.ask('POST', path, { plan: 'package' })
    expect(sold.body).toMatchObject({
      limits: { max_keys: 3 },
      quotas: [{ window: 'term', limit: '25', resets_at: null }],
    })
    expect((await ask('GET', '/api/me/limits')).body).toMatchObject({
      limits: { requests_per_minute: 600, concurrency: null },
      keys: { limit: 3 },
    })
    const renewed = await admin.ask('POST', path, { plan: 'package', renew: true })
    expect(renewed.body).toMatchObject({ id: sold.body.id, quotas: [{ window: 'term', limit: '50' }] })
    const changed = await admin.ask('PATCH', `/api/plans/${made.body.id}`, { limits: null, price: '30' })
    expect(changed.body).toMatchObject({ limits: null, quotas: [{ window: 'term', usd: '25' }] })
    expect((await ask('GET', '/api/me/limits')).body.limits.requests_per_minute).toBe(600)
  })

  test('one passkey more than an account may have is refused before the browser is asked for it', async () => {
    const { account, ask } = await control.account({ via: 'session' })
    for (let i = 0; i < PASSKEYS_OF_AN_ACCOUNT_LIMIT; i++) {
      await control.store.signInRecords.insert('passkey', {
        id: `psk_${engine}_${i}`,
        accountId: account.id,
        name: null,
        credentialId: `credential ${i}`,
        publicKey: 'key',
        counter: 0,
        deviceType: 'singleDevice',
        isSynced: false,
        transports: null,
        aaguid: null,
        createdAt: 0,
      })
    }
    expect((await ask('POST', '/api/auth/passkeys/register/start', {})).body.code).toBe('conflict')
  })
})
