import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Account } from '../../src/access/account.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

describe.each(ENGINES_ABOVE_STORES)('keys through the console API on %s', (engine) => {
  let control: ControlUnderTest
  let ada: Asker & { account: Account }
  let grace: Asker & { account: Account }
  let admin: Asker & { account: Account }

  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    await control.group('default')
    await control.group('second')
    await control.group('closed', { isOpen: false })
    await control.group('off', { isEnabled: false })
    ada = await control.account({ via: 'write', balance: '10', email: 'ada@example.test' })
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

  test('a key with name and group alone has the defaults of the contract, and shows its secret once', async () => {
    const { key, secret, path } = await newKey(ada)
    expect(secret).toMatch(/^sk-tg-[0-9A-Za-z]{46}$/)
    expect(key).toMatchObject({
      account_id: ada.account.id,
      name: 'laptop',
      group: 'default',
      fallback_groups: [],
      quota_limit: null,
      quota_reset: 'never',
      rate_limit: null,
      expires_at: null,
      allowed_models: [],
      allowed_ips: [],
      status: 'active',
      secret_start: secret.slice(0, 10),
      secret_end: secret.slice(-4),
      last_used_at: null,
      spent: '0',
      overlap: null,
      managed: false,
    })
    for (const asker of [ada, admin]) {
      const read = await asker.ask('GET', path)
      expect(read.body).toEqual(key)
      expect(read.text).not.toContain(secret)
    }
  })

  test('every field arrives, in the form in which it is stored', async () => {
    const { key } = await newKey(ada, {
      fallback_groups: ['second'],
      quota_limit: '12.50',
      quota_reset: 'monthly',
      rate_limit: { concurrency: 0, requests_per_minute: 60, spend: [{ window: '1d', usd: '5' }] },
      expires_at: '2026-12-01T01:00:00+01:00',
      allowed_ips: ['203.0.113.7', '10.0.0.0/8', '203.0.113.7'],
    })
    expect(key).toMatchObject({
      fallback_groups: ['second'],
      quota_limit: '12.5',
      quota_reset: 'monthly',
      quota_resets_at: '2026-12-01T00:00:00.000Z',
      rate_limit: {
        concurrency: 0,
        requests_per_minute: 60,
        tokens_per_minute: null,
        spend: [{ window: '1d', usd: '5' }],
      },
      expires_at: '2026-12-01T00:00:00.000Z',
      allowed_ips: ['203.0.113.7/32', '10.0.0.0/8'],
    })
  })

  test.for([
    ['name', { name: '' }],
    ['name', { name: 'a\nb' }],
    ['name', { name: undefined }],
    ['group', { group: 'nowhere' }],
    ['group', { group: 'closed' }],
    ['group', { group: 'off' }],
    ['fallback_groups.0', { fallback_groups: ['default'] }],
    ['fallback_groups.0', { fallback_groups: ['nowhere'] }],
    ['fallback_groups.1', { fallback_groups: ['second', 'second'] }],
    ['fallback_groups.0', { fallback_groups: ['closed'] }],
    ['quota_limit', { quota_limit: 5 }],
    ['quota_limit', { quota_limit: '-1' }],
    ['quota_limit', { quota_limit: '9999999999' }],
    ['quota_reset', { quota_reset: 'yearly' }],
    ['rate_limit.requests_per_minute', { rate_limit: { requests_per_minute: 1.5 } }],
    [
      'rate_limit.spend.1.window',
      {
        rate_limit: {
          spend: [
            { window: '5h', usd: '1' },
            { window: '5h', usd: '2' },
          ],
        },
      },
    ],
    ['rate_limit.spend.0.usd', { rate_limit: { spend: [{ window: '5h', usd: '1e3' }] } }],
    ['rate_limit.speed', { rate_limit: { speed: 1 } }],
    ['expires_at', { expires_at: '2026-11-21T11:59:59Z' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['allowed_models.0', { allowed_models: ['no-such-model'] }],
    ['allowed_ips.1', { allowed_ips: ['::1', '10.0.0.0/33'] }],
    ['colour', { colour: 'red' }],
    ['status', { status: 'disabled' }],
  ] as const)('a creation with a wrong %s is refused, and names the field', async ([field, fields]) => {
    const { status, body } = await ada.ask('POST', '/api/keys', { name: 'laptop', group: 'default', ...fields })
    expect(body).toMatchObject({ code: 'field_invalid', field })
    expect(body.detail).toMatch(/(takes|must|is not a field)/)
    expect(status).toBe(422)
  })

  test('a misspelt field is named even where a required one is missing', async () => {
    const { body } = await ada.ask('POST', '/api/keys', { nmae: 'laptop', group: 'default' })
    expect(body).toMatchObject({ code: 'field_invalid', field: 'nmae' })
  })

  test('there are no new keys for a disabled account', async () => {
    const mallory = await control.account()
    await control.store.accounts.update({ ...mallory.account, status: 'disabled' }, null)
    const order = { name: 'laptop', group: 'default', account_id: mallory.account.id }
    const { body } = await control.adminToken.ask('POST', '/api/keys', order)
    expect(body).toMatchObject({ status: 422, code: 'field_invalid', field: 'account_id' })
    expect(await control.store.keys.list({ accountId: mallory.account.id, limit: 10 })).toEqual([])
  })

  test('a change keeps what it leaves out, is audited by field, and judges only what it changes', async () => {
    const { key, path } = await newKey(ada, { quota_limit: '5', group: 'second' })
    const changed = await ada.ask('PATCH', path, {
      name: 'desktop',
      quota_limit: '2',
      expires_at: '2026-12-24T00:00:00Z',
    })
    const { version } = changed.body
    expect(version).not.toBe(key.version)
    const wanted = { name: 'desktop', quota_limit: '2', expires_at: '2026-12-24T00:00:00.000Z', version }
    expect(changed.body).toEqual({ ...key, ...wanted })
    expect(await auditOf('key.update', key.id)).toMatchObject({
      actor: ada.account.id,
      actor_email: 'ada@example.test',
      via: 'access_token',
      address: '127.0.0.1',
      subject: key.id,
      account_id: ada.account.id,
      changes: {
        name: { before: 'laptop', after: 'desktop' },
        quota_limit: { before: '5', after: '2' },
        expires_at: { before: null, after: '2026-12-24T00:00:00.000Z' },
      },
    })
    await control.group('second', { isEnabled: false })
    expect((await ada.ask('PATCH', path, { name: 'again', group: 'second' })).status).toBe(200)
    expect((await ada.ask('PATCH', path, { group: 'off' })).body).toMatchObject({ field: 'group' })
    expect((await ada.ask('PATCH', path, { custom_key: 'a-custom-key-8Hq2xVn9Ktz4Lp' })).body).toMatchObject({
      field: 'custom_key',
    })
    await control.group('second')
  })

  test('two changes at once both hold', async () => {
    const { path } = await newKey(ada)
    await Promise.all([
      ada.ask('PATCH', path, { name: 'renamed' }),
      ada.ask('PATCH', path, { quota_limit: '3' }),
      ada.ask('PATCH', path, { allowed_ips: ['::1'] }),
    ])
    expect((await ada.ask('GET', path)).body).toMatchObject({
      name: 'renamed',
      quota_limit: '3',
      allowed_ips: ['::1/128'],
    })
  })

  test("another account's key is answered like one that does not exist, by every route", async () => {
    const { key, path } = await newKey(ada)
    const steps: [string, string, unknown][] = [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', '', undefined],
      ['POST', '/rotate', {}],
      ['POST', '/test', {}],
      ['GET', '/setup', undefined],
    ]
    for (const [method, step, body] of steps) {
      const foreign = await grace.ask(method, path + step, body)
      const missing = await grace.ask(method, `/api/keys/key_none${step}`, body)
      expect(foreign.status, method + step).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' })
    }
    const bulk = await grace.ask('POST', '/api/keys/bulk', { ids: [key.id, 'key_none'], action: 'delete' })
    expect(bulk.body).toMatchObject({ done: [], failed: [{ id: key.id, code: 'not_found' }, { code: 'not_found' }] })
    expect((await ada.ask('GET', path)).body).toEqual(key)
  })

  test('an admin acts for an account by its id, and no other account does', async () => {
    const { status, body } = await admin.ask('POST', '/api/keys', {
      name: 'for ada',
      group: 'default',
      account_id: ada.account.id,
    })
    expect(status).toBe(201)
    expect(body.key.account_id).toBe(ada.account.id)
    const own = { name: 'x', group: 'default', account_id: ada.account.id }
    expect((await grace.ask('POST', '/api/keys', own)).body).toMatchObject({
      code: 'admin_needed',
      field: 'account_id',
    })
    expect((await admin.ask('POST', '/api/keys', { ...own, account_id: 'acc_none' })).body).toMatchObject({
      code: 'field_invalid',
      field: 'account_id',
    })
    expect((await control.adminToken.ask('POST', '/api/keys', { name: 'x', group: 'default' })).body).toMatchObject({
      code: 'account_needed',
    })
    expect((await control.adminToken.ask('POST', '/api/keys', own)).status).toBe(201)
    expect((await grace.ask('GET', `/api/keys?account_id=${ada.account.id}`)).status).toBe(403)
    expect((await grace.ask('GET', '/api/keys?account_id=*')).status).toBe(403)
    const all = await admin.ask('GET', '/api/keys?account_id=*&search=for%20ada')
    expect(all.body.data).toMatchObject([{ id: body.key.id }])
    const byToken = await control.adminToken.ask('GET', '/api/keys?search=for%20ada')
    expect(byToken.body.data).toMatchObject([{ id: body.key.id }])
  })

  test('a deleted key is gone from every route, and says so in the audit', async () => {
    const { key, path } = await newKey(ada)
    expect((await ada.ask('DELETE', path)).status).toBe(204)
    expect((await ada.ask('DELETE', path)).status).toBe(404)
    expect((await ada.ask('GET', path)).status).toBe(404)
    expect((await ada.ask('PATCH', path, { status: 'active' })).status).toBe(404)
    expect((await ada.ask('GET', `/api/keys?search=${key.id}`)).body.data).toEqual([])
    expect(await auditOf('key.delete', key.id)).toMatchObject({
      subject: key.id,
      changes: { name: { before: 'laptop', after: null } },
    })
  })

  test('keys of the declarative file are shown and not changed, and disabled at once all the same', async () => {
    const { path, key } = await newKey(ada)
    await control.store.keys.edit(key.id, (before) => ({ ...before, isManaged: true }), control.clock.now())
    expect((await ada.ask('GET', path)).body).toMatchObject({ managed: true })
    for (const [method, step] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      expect((await ada.ask(method, path + step, {})).body).toMatchObject({ status: 409, code: 'managed' })
    }
    const renamed = await ada.ask('PATCH', path, { status: 'disabled', name: 'mine' })
    expect(renamed.body).toMatchObject({ status: 409, code: 'managed' })
    expect((await ada.ask('PATCH', path, { status: 'disabled' })).body).toMatchObject({ status: 'disabled' })
    expect((await control.store.keys.findById(key.id))?.status).toBe('disabled')
    expect(await auditOf('key.disable', key.id)).toMatchObject({ changes: { status: { after: 'disabled' } } })
    const bulk = (action: string) => ada.ask('POST', '/api/keys/bulk', { ids: [key.id], action })
    expect((await bulk('enable')).body).toMatchObject({ done: [key.id] })
    expect((await bulk('delete')).body).toMatchObject({ done: [], failed: [{ code: 'managed' }] })
    await control.store.settings.write('declared_statuses', JSON.stringify({ [key.id]: 'disabled' }))
    expect((await bulk('disable')).body).toMatchObject({ done: [key.id] })
    expect((await bulk('enable')).body).toMatchObject({ done: [], failed: [{ code: 'managed' }] })
    expect((await ada.ask('PATCH', path, { status: 'active' })).body).toMatchObject({ status: 409, code: 'managed' })
  })

  test('a list is paged without gaps or repetitions, and a cursor is good for its own filters alone', async () => {
    const { account, ask } = await control.account({ via: 'write' })
    for (let i = 0; i < 7; i++) await newKey({ account, ask }, { name: `key ${i}` })
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      const { body } = await ask('GET', `/api/keys?sort=name&order=asc&limit=2${cursor}`)
      seen.push(...body.data.map((key: { name: string }) => key.name))
      expect(body.total).toBe(7)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => `key ${i}`))
    const [own = ''] = cursor.split('=').slice(1)
    const changed = `${own.slice(0, -2)}${own.endsWith('AA') ? 'ZZ' : 'AA'}`
    const wrong = [`sort=name&order=desc&cursor=${own}`, `sort=name&order=asc&cursor=${changed}`, 'cursor=x']
    for (const query of wrong) {
      expect((await ask('GET', `/api/keys?${query}`)).body, query).toMatchObject({
        code: 'cursor_invalid',
        status: 422,
      })
    }
    expect((await ask('GET', '/api/keys?colour=red')).body).toMatchObject({ code: 'field_invalid', field: 'colour' })
    expect((await ask('GET', '/api/keys?limit=201')).body).toMatchObject({ field: 'limit' })
  })

  test('a key of the playground ends within a day, is in no list that does not ask for it, and does not count as one of the account', async () => {
    const { account, ask } = await control.account({ via: 'write' })
    const own = { account, ask }
    const at = (hours: number) => new Date(control.clock.now() + hours * 3_600_000).toISOString()
    const visit = { name: 'Playground', group: 'default', playground: true }
    for (const expires_at of [null, at(25)]) {
      const { body } = await ask('POST', '/api/keys', { ...visit, expires_at })
      expect(body).toMatchObject({ code: 'field_invalid', field: 'expires_at', takes: { form: 'time_until' } })
    }
    const { key, path } = await newKey(own, { ...visit, expires_at: at(1) })
    expect(key).toMatchObject({ playground: true })
    expect((await newKey(own)).key).toMatchObject({ playground: false })
    for (const expires_at of [null, at(25)]) expect((await ask('PATCH', path, { expires_at })).status).toBe(422)
    expect((await ask('PATCH', path, { expires_at: at(2) })).status).toBe(200)
    const names = async (query: string) => {
      const { body } = await ask('GET', `/api/keys?sort=name&order=asc${query}`)
      expect(body.total).toBe(body.data.length)
      return body.data.map((each: { name: string }) => each.name)
    }
    expect(await names('')).toEqual(['laptop'])
    expect(await names('&playground=true')).toEqual(['laptop', 'Playground'])
    expect((await ask('GET', '/api/overview')).body.keys).toEqual([])
    expect(await control.store.keys.countOf(account.id)).toBe(1)
  })

  test('a change returns when every living gateway has followed it, and not before', async () => {
    const { key, path } = await newKey(ada)
    const { nodes } = control.store
    const { seq } = await nodes.join({ id: 'nod_slow', host: 'elsewhere', processId: 1 })
    let hasReturned = false
    const asked = ada.ask('PATCH', path, { status: 'disabled' }).then((answer) => {
      hasReturned = true
      return answer
    })
    await expect.poll(async () => (await control.store.keys.findById(key.id))?.status).toBe('disabled')
    for (let i = 0; i < 5; i++) await admin.ask('GET', path)
    expect(hasReturned).toBe(false)
    const last = (await nodes.changesAfter(seq)).at(-1)?.seq ?? seq
    await nodes.acknowledge('nod_slow', last)
    expect((await asked).status).toBe(200)
    await nodes.remove(['nod_slow'])
  })

  test('many keys are changed at once, and those that could not be are named', async () => {
    const [one, two] = [await newKey(ada), await newKey(ada)]
    const foreign = await newKey(grace)
    const ids = [one.key.id, two.key.id, foreign.key.id]
    const { body } = await ada.ask('POST', '/api/keys/bulk', { ids, action: 'disable' })
    expect(body).toMatchObject({ done: [one.key.id, two.key.id], failed: [{ id: foreign.key.id, code: 'not_found' }] })
    expect((await ada.ask('GET', one.path)).body.status).toBe('disabled')
    await ada.ask('POST', '/api/keys/bulk', { ids: [one.key.id], action: 'enable' })
    expect((await ada.ask('GET', one.path)).body.status).toBe('active')
  })

  test('a key is judged without being used', async () => {
    const poor = await control.account({ via: 'read' })
    const { path } = await newKey(await control.as(poor.account, 'write'), {})
    expect((await poor.ask('POST', `${path}/test`, {})).body).toMatchObject({ ok: false, fault: 'model_not_in_group' })
    const mine = await newKey(ada)
    await ada.ask('PATCH', mine.path, { status: 'disabled' })
    expect((await ada.ask('POST', `${mine.path}/test`, {})).body).toMatchObject({ ok: false, fault: 'key_disabled' })
  })

  test('the setup of a key holds the base URLs and no secret', async () => {
    const { path, secret } = await newKey(ada)
    const { status, body, text } = await ada.ask('GET', `${path}/setup`)
    expect(status).toBe(200)
    expect(body.base_urls).toEqual({ openai: `${control.origin}/v1`, anthropic: control.origin })
    expect(text).not.toContain(secret)
    expect((await ada.ask('GET', `${path}/setup?secret=${secret}`)).status).toBe(422)
  })
})
