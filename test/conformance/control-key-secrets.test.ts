import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES_ABOVE_STORES)('secrets of keys through the console API on %s', (engine) => {
  let control: ControlUnderTest
  let ada: Asker & { account: Account }
  let grace: Asker & { account: Account }
  let admin: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    ada = await control.account({ via: 'write' })
    grace = await control.account({ via: 'write' })
    admin = await control.account({ role: 'admin', via: 'write' })
  })
  afterAll(() => control.close())

  async function newKey(asker: Asker, fields: Record<string, unknown> = {}) {
    const { status, body } = await asker.ask('POST', '/api/keys', { name: 'laptop', group: 'default', ...fields })
    expect(body).toMatchObject({ secret: expect.any(String) })
    expect(status).toBe(201)
    return { key: body.key, secret: body.secret as string, path: `/api/keys/${body.key.id}` }
  }

  async function auditOf(action: string, subject: string) {
    const { body } = await admin.ask('GET', `/api/audit?action=${action}&subject=${subject}`)
    expect(body.data).toHaveLength(1)
    return body.data[0]
  }

  describe('a custom key', () => {
    const good = () => `team-blue-${randomBytes(12).toString('hex')}`

    test('becomes the secret', async () => {
      const custom = good()
      const { secret, key } = await newKey(ada, { custom_key: custom })
      expect(secret).toBe(custom)
      expect(key.secret_end).toBe(custom.slice(-4))
      expect(JSON.stringify(await auditOf('key.create', key.id))).not.toContain(custom)
    })

    test('that is taken, guessable or forbidden gets one and the same answer, and five lock the option', async () => {
      const taken = good()
      await newKey(grace, { custom_key: taken })
      const { ask } = await control.account({ via: 'write' })
      const tries = [
        taken,
        'password-password-password',
        'sk-tg-7Hq2xVn9Ktz4Lp0a',
        'aaaaaaaaaaaaaaaaaaaaaaaa',
        'tg-pat-7Hq2xVn9Ktz4Lp0aBc',
      ]
      const answers = []
      for (const custom of tries) {
        answers.push(await ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: custom }))
      }
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
      expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1)
      expect(answers[0]?.body).toMatchObject({ code: 'custom_key_unavailable', field: 'custom_key' })
      const locked = await ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: good() })
      expect(locked.body).toMatchObject({ code: 'custom_key_locked', status: 429, retry_after: 3600 })
      expect(locked.headers.get('retry-after')).toBe('3600')
      expect((await ask('POST', '/api/keys', { name: 'x', group: 'default' })).status).toBe(201)
      await newKey(ada, { custom_key: good() })
      control.clock.advance(HOUR_MS)
      expect((await ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: good() })).status).toBe(201)
    })

    test('many tries at once are counted one by one', async () => {
      const { ask } = await control.account({ via: 'write' })
      const tries = Array.from({ length: 12 }, () =>
        ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: 'password-password-password' }),
      )
      const codes = (await Promise.all(tries)).map(({ body }) => body.code)
      expect(codes.filter((code) => code === 'custom_key_unavailable')).toHaveLength(5)
      expect(codes.filter((code) => code === 'custom_key_locked')).toHaveLength(7)
    })

    test('a wrong length or character is said plainly, and does not count', async () => {
      const { ask } = await control.account({ via: 'write' })
      for (const custom of [
        'short',
        'with a blank in the middle',
        'x'.repeat(129),
        'a',
        'b',
        'c',
        '密钥密钥密钥密钥',
      ]) {
        const { body } = await ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: custom })
        expect(body).toMatchObject({ code: 'field_invalid', status: 422, field: 'custom_key' })
        expect(body.detail).toBe('custom_key must be 20 to 128 letters, digits, "-" and "_".')
      }
      expect((await ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: good() })).status).toBe(201)
    })

    test('the lock of the admin token is one account’s', async () => {
      const [one, two] = [await control.account(), await control.account()]
      const order = (accountId: string, custom: string) =>
        control.adminToken.ask('POST', '/api/keys', {
          name: 'x',
          group: 'default',
          account_id: accountId,
          custom_key: custom,
        })
      for (let i = 0; i < 5; i++) await order(one.account.id, 'password-password-password')
      expect((await order(one.account.id, good())).body.code).toBe('custom_key_locked')
      expect((await order(two.account.id, good())).status).toBe(201)
    })

    test('a mistake elsewhere in the body does not count', async () => {
      const { ask } = await control.account({ via: 'write' })
      for (let i = 0; i < 7; i++) {
        const { body } = await ask('POST', '/api/keys', { name: 'x', group: 'nowhere', custom_key: good() })
        expect(body).toMatchObject({ field: 'group' })
      }
    })
  })

  describe('a rotation', () => {
    test('shows a new secret once; the old one is found until the overlap ends', async () => {
      const { key, secret, path } = await newKey(ada)
      const { status, body } = await ada.ask('POST', `${path}/rotate`, { overlap_seconds: 60 })
      expect(status).toBe(200)
      expect(body.secret).toMatch(/^sk-tg-/)
      expect(body.secret).not.toBe(secret)
      const endsAt = new Date(control.clock.now() + 60_000).toISOString()
      expect(body.key).toEqual({
        ...key,
        secret_start: body.secret.slice(0, 10),
        secret_end: body.secret.slice(-4),
        overlap: { secret_end: secret.slice(-4), ends_at: endsAt, last_used_at: null },
      })
      expect(await auditOf('key.rotate', key.id)).toMatchObject({
        subject: key.id,
        changes: { secret_end: { before: secret.slice(-4) } },
      })
      control.clock.advance(60_000)
      expect((await ada.ask('GET', path)).body.overlap).toBeNull()
    })

    test('a secret that was rotated away is still taken', async () => {
      const custom = `team-blue-${randomBytes(12).toString('hex')}`
      const { path } = await newKey(ada, { custom_key: custom })
      await ada.ask('POST', `${path}/rotate`, { overlap_seconds: 0 })
      const wish = { name: 'x', group: 'default', custom_key: custom }
      expect((await grace.ask('POST', '/api/keys', wish)).body.code).toBe('custom_key_unavailable')
      await ada.ask('POST', `${path}/rotate`, { overlap_seconds: 0 })
      const { body } = await grace.ask('POST', '/api/keys', { name: 'x', group: 'default', custom_key: custom })
      expect(body.code).toBe('custom_key_unavailable')
    })
  })
})
