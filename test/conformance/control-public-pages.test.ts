import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { KEY_CHECK_REFUSED_AFTER_MS, KEY_CHECKS_PER_MINUTE, PUBLIC_FIGURES_KEPT_MS } from '../../src/core/limits.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Answer, type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const UPSTREAM = 'secret-upstream'

describe.each(ENGINES_ABOVE_STORES)('public pages on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let ada: Asker & { readonly account: { readonly id: string } }
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    ada = await control.account({ balance: '10' })
    const made = async (path: string, body: object) => {
      const { status, text } = await admin.ask('POST', path, body)
      expect(status, text).toBe(201)
    }
    await control.group('closed', { isOpen: false })
    await made('/api/upstreams', { name: UPSTREAM, protocol: 'openai', base_url: 'https://up.test/v1' })
    for (const name of ['big', 'small', 'hidden']) {
      const targets = [{ upstream: UPSTREAM, model: `their-${name}` }]
      await made('/api/models', { name, price: { input: '2', output: '8' }, targets })
    }
    await made('/api/groups', { name: 'open', multiplier: '0.5', models: ['big', 'small'] })
  })
  afterAll(() => control.close())

  const turn = (settings: object) => admin.ask('PATCH', '/api/settings', settings)
  const anyone = (path: string) => control.anonymous.ask('GET', path)
  const check = (key: unknown) => control.anonymous.ask('POST', '/api/public/key-check', { key })
  const said = ({ status, body }: Answer) => ({ status, ...body, request_id: null })

  test('are not there until a setting turns each on, and then no other', async () => {
    const nothing = said(await anyone('/api/public/nothing'))
    const key = { key: 'sk-tg-x' }
    const asked = {
      public_models: () => anyone('/api/public/models'),
      public_status: () => anyone('/api/public/status'),
      public_key_check: () => control.anonymous.ask('POST', '/api/public/key-check', key),
    }
    for (const ask of Object.values(asked)) expect(said(await ask())).toEqual(nothing)
    for (const [setting, ask] of Object.entries(asked)) {
      expect((await turn({ [setting]: true })).status).toBe(200)
      expect(said(await ask())).not.toEqual(nothing)
      const { public_pages: pages } = (await anyone('/api/instance')).body
      expect(pages).toEqual({ models: false, status: false, key_check: false, [setting.slice('public_'.length)]: true })
      await turn({ [setting]: false })
      expect(said(await ask())).toEqual(nothing)
    }
  })

  test('list what any account may call, as it pays for it, and name no upstream', async () => {
    await turn({ public_models: true })
    const { body, text } = await anyone('/api/public/models')
    expect(body.data).toMatchObject([
      { name: 'big', kind: 'chat', price: { input: '1', output: '4' } },
      { name: 'small', price: { input: '1' } },
    ])
    expect(text).not.toMatch(/secret-upstream|their-|hidden|open/)
  })

  test('say how models were served, in steps and without a count, an upstream or a caller’s mistake', async () => {
    await turn({ public_status: true })
    // In the midst of an hour.
    control.clock.advance(HOUR_MS / 2 - (control.clock.now() % HOUR_MS))
    const now = control.clock.now()
    const settled = (agoMs: number, record: Partial<UsageRecord>) => {
      const createdAt = now - agoMs
      const of = { id: newId('req', createdAt), createdAt, upstreamName: UPSTREAM, isStream: true, ...record }
      return aSettlement(ada.account.id, 10n, { record: of })
    }
    const failed = { outcome: 'failed', fault: 'upstream_overloaded' } as const
    const many = (count: number, make: (at: number) => ReturnType<typeof settled>) =>
      Array.from({ length: count }, (_, at) => make(at))
    await control.store.settlements.settle([
      ...many(19, (at) => settled(at, { model: 'big', firstByteMs: 1_234 })),
      settled(20, { model: 'big', ...failed }),
      ...many(30, (at) => settled(at, { model: 'big', outcome: 'failed', fault: 'request_invalid' })),
      ...many(12, (at) => settled(5 * HOUR_MS + at, { model: 'big', ...failed })),
      ...many(3, (at) => settled(at, { model: 'small', ...failed })),
      ...many(50, (at) => settled(at, { model: 'hidden' })),
    ])
    control.clock.advance(PUBLIC_FIGURES_KEPT_MS)
    const { body, text } = await anyone('/api/public/status')
    const [big, small] = body.data
    expect(body.data).toHaveLength(2)
    expect(big).toMatchObject({ model: 'big', now: 'degraded', available_day: 50, available_month: 50 })
    expect(big.hours.available.at(-1)).toBe(95)
    expect(big.hours.available.at(-6)).toBe(0)
    expect(big.hours.first_byte_ms.at(-1)).toEqual({ p50: 1_200, p95: 1_200 })
    expect(big.days.first_byte_ms.at(-1)).toEqual({ p50: 1_200, p95: 1_200 })
    expect([big.hours.available.length, big.days.available.length]).toEqual([24, 30])
    expect(big.incidents).toMatchObject([{ available: 0 }])
    expect(Date.parse(big.incidents[0].until) - Date.parse(big.incidents[0].from)).toBe(HOUR_MS)
    expect(small).toMatchObject({ now: null, available_day: null, incidents: [] })
    expect(text).not.toMatch(/secret-upstream|their-|hidden|upstream_overloaded/)

    await control.store.settlements.settle(many(10, (at) => settled(at, { model: 'small' })))
    expect((await anyone('/api/public/status')).text).toBe(text)
    control.clock.advance(PUBLIC_FIGURES_KEPT_MS)
    expect((await anyone('/api/public/status')).body.data[1].available_day).toBe(75)
  })

  test('read a key’s own use and limits to those who have its secret, and keep nothing of it', async () => {
    await turn({ public_key_check: true })
    const limits = { quota_limit: '5', rate_limit: { requests_per_minute: 60, spend: [{ window: '1d', usd: '2' }] } }
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'open', ...limits })
    const audited = async () => (await admin.ask('GET', '/api/audit?limit=200')).body.data.length
    const before = await audited()
    const { status, body, text, headers } = await check(`  ${made.secret} `)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ name: 'laptop', status: 'active', fault: null, today: { requests: 0 }, models: 2 })
    expect(body.limits).toMatchObject({
      quota: { used: '0', limit: '5' },
      spend: [{ window: '1d', used: '0', limit: '2' }],
    })
    expect(text).not.toMatch(new RegExp(`${made.secret}|@|${ada.account.id}|${made.key.id}`))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await audited()).toBe(before)
    expect((await ada.ask('GET', `/api/keys/${made.key.id}`)).body.last_used_at).toBe(null)
  })

  test('refuse every secret that reads nothing in the same words, after the same time', async () => {
    control.clock.advance(MINUTE_MS)
    const created = async (fields: object) =>
      (await ada.ask('POST', '/api/keys', { name: 'gone', group: 'open', ...fields })).body
    const [deleted, replaced, elsewhere] = [
      await created({}),
      await created({}),
      await created({ allowed_ips: ['10.0.0.0/8'] }),
    ]
    await ada.ask('DELETE', `/api/keys/${deleted.key.id}`)
    const { body: rotated } = await ada.ask('POST', `/api/keys/${replaced.key.id}/rotate`, { overlap_seconds: 0 })
    expect((await check(rotated.secret)).status).toBe(200)
    const unknown = `${deleted.secret.slice(0, -1)}x`
    const answers: object[] = []
    for (const secret of [unknown, deleted.secret, replaced.secret, elsewhere.secret, 'not a key', '0']) {
      const begun = performance.now()
      answers.push(said(await check(secret)))
      // Longer than any look-up here takes, so that the time is that of the wait.
      expect(performance.now() - begun).toBeGreaterThanOrEqual(KEY_CHECK_REFUSED_AFTER_MS - 5)
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'key_unreadable' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('check a few keys a minute for one address, right ones too, and more a minute later', async () => {
    control.clock.advance(MINUTE_MS)
    const { body: made } = await ada.ask('POST', '/api/keys', { name: 'often', group: 'open' })
    for (let i = 0; i < KEY_CHECKS_PER_MINUTE; i++) expect((await check(made.secret)).status).toBe(200)
    const refused = await check(made.secret)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    control.clock.advance(MINUTE_MS)
    expect((await check(made.secret)).status).toBe(200)
  })
})
