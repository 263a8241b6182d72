import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

const ABOUT = { result: 'credential_refused', said: null, detail: 'It refused the credential.' } as const
const REFUSED = { isGood: false, status: 401, totalMs: 12, provesCredential: null, ...ABOUT }

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest({
    testUpstream: async () => REFUSED,
  })
  const { account, ask } = await control.account({ role: 'admin' })
  // What an admin does comes one thing after the other, so that the audit has an order.
  admin = { account, ask: (...of) => (control.clock.advance(1), ask(...of)) }
})
afterAll(() => control.close())

let names = 0
const newName = (what: string) => `${what}-${++names}`

async function made(path: string, body: object) {
  const answer = await admin.ask('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const anUpstream = (over: object = {}) =>
  made('/api/upstreams', {
    name: newName('upstream'),
    protocol: 'openai',
    base_url: 'https://api.example.test/v1/',
    credential: 'a-credential-of-tests',
    ...over,
  })

const aModel = async (over: object = {}) => {
  const upstream = await anUpstream()
  return made('/api/models', {
    name: newName('model'),
    price: { input: '2.50', output: '10', cache_read: '0.25' },
    targets: [{ upstream: upstream.name, model: 'x' }],
    ...over,
  })
}

const aGroup = (over: object = {}) => made('/api/groups', { name: newName('group'), models: [], ...over })

async function auditOf(subject: string) {
  const { body } = await admin.ask('GET', `/api/audit?subject=${subject}`)
  return body.data as { action: string; actor: string; changes: Record<string, { before: unknown; after: unknown }> }[]
}

describe('upstreams', () => {
  test('are made, read, changed and deleted, and no answer and no audit holds the credential', async () => {
    const upstream = await anUpstream({ headers: { 'X-Team': 'a-secret-header-value' } })
    expect(upstream).toMatchObject({
      base_url: 'https://api.example.test/v1',
      has_credential: true,
      header_names: ['x-team'],
      models: [],
      managed: false,
    })
    const patched = await admin.ask('PATCH', `/api/upstreams/${upstream.id}`, { timeout_ms: 5000, name: newName('up') })
    expect(patched.body).toMatchObject({ timeout_ms: 5000, has_credential: true })
    const list = await admin.ask('GET', `/api/upstreams?search=${patched.body.name}`)
    expect(list.body.data).toEqual([patched.body])
    const stored = (await control.store.catalog.upstreams()).find(({ id }) => id === upstream.id)
    expect(stored?.credentials[0]?.sealedSecret).toMatch(/^v1\./)
    expect(stored?.headers['x-team']).toMatch(/^v1\./)
    const rows = await control.place.sql('select * from upstreams')
    expect(rows.some((row) => Object.values(row).join().includes('a-secret-header-value'))).toBe(false)
    expect((await admin.ask('DELETE', `/api/upstreams/${upstream.id}`)).status).toBe(204)
    expect((await admin.ask('GET', `/api/upstreams/${upstream.id}`)).status).toBe(404)
    const audit = await auditOf(upstream.id)
    expect(audit.map(({ action }) => action)).toEqual(['upstream.delete', 'upstream.update', 'upstream.create'])
    for (const text of [JSON.stringify(audit), list.text, patched.text]) {
      expect(text).not.toContain('a-credential-of-tests')
      expect(text).not.toContain('a-secret-header-value')
    }
  })

  test('a stored credential is never sent to another address', async () => {
    const upstream = await anUpstream()
    const path = `/api/upstreams/${upstream.id}`
    const stolen = await admin.ask('PATCH', path, { base_url: 'https://evil.example.test/v1' })
    expect(stolen).toMatchObject({ status: 422, body: { code: 'field_invalid', field: 'credential' } })
    const same = await admin.ask('PATCH', path, { base_url: 'https://api.example.test/v1/' })
    expect(same.status).toBe(200)
    const moved = await admin.ask('PATCH', path, { base_url: 'https://other.example.test/v1', credential: 'another' })
    expect(moved.body).toMatchObject({ base_url: 'https://other.example.test/v1', has_credential: true })
    const bare = await admin.ask('PATCH', path, { base_url: 'https://third.example.test/v1', credential: null })
    expect(bare.body).toMatchObject({ has_credential: false })
    const withHeaders = await anUpstream({ credential: null, headers: { 'x-team': 'secret' } })
    const leaked = await admin.ask('PATCH', `/api/upstreams/${withHeaders.id}`, {
      base_url: 'https://evil.example.test',
    })
    expect(leaked).toMatchObject({ status: 422, body: { field: 'headers' } })
  })

  test.for([
    [{ base_url: 'https://u:p@api.example.test/v1' }, 'base_url'],
    [{ base_url: 'https://api.example.test/v1?key=1' }, 'base_url'],
    [{ base_url: 'https://api.example.test/v1/chat/completions' }, 'base_url'],
    [{ base_url: 'ftp://api.example.test' }, 'base_url'],
    [{ credential: 'two\nlines' }, 'credential'],
    [{ headers: { authorization: 'Bearer x' } }, 'headers'],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'headers'],
    [{ headers: { a: 'x', A: 'y' } }, 'headers'],
    [{ protocol: 'demo' }, 'protocol'],
    [{ unknown: 1 }, 'unknown'],
  ] as const)('what the declarative file refuses is refused here: %j', async ([over, field]) => {
    const body = { name: newName('bad'), protocol: 'openai', base_url: 'https://api.example.test/v1', ...over }
    const answer = await admin.ask('POST', '/api/upstreams', body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'field_invalid', field } })
    expect(answer.text).not.toContain('Bearer x')
  })

  test('a test answers 200 with what became of it, and only for an upstream that is there', async () => {
    const upstream = await anUpstream()
    const answer = await admin.ask('POST', `/api/upstreams/${upstream.id}/test`)
    const { isGood: ok, totalMs: total_ms, provesCredential: credential_proven, ...said } = REFUSED
    expect(answer.body).toEqual({ ok, total_ms, credential_proven, ...said })
    expect((await admin.ask('POST', '/api/upstreams/ups_none/test')).status).toBe(404)
  })

  test('one that a model has a target at is not deleted', async () => {
    const model = await aModel()
    const name = model.targets[0].upstream
    const { body } = await admin.ask('GET', `/api/upstreams?search=${name}`)
    expect(body.data[0].models).toEqual([model.name])
    const refused = await admin.ask('DELETE', `/api/upstreams/${body.data[0].id}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(refused.body.detail).toContain(`1 model ("${model.name}")`)
  })
})

describe('models', () => {
  test('are made, read with what they cost in each group, changed and deleted', async () => {
    const model = await aModel()
    await aGroup({ name: 'cheaper', multiplier: '0.333333', models: [model.name] })
    const read = await admin.ask('GET', `/api/models/${model.id}`)
    expect(read.body).toMatchObject({
      price: { input: '2.5', output: '10', cache_read: '0.25', cache_write: null, audio_input: null },
      available: true,
      protocols: [
        'openai-chat',
        'openai-responses',
        'anthropic-messages',
        'gemini',
        'openai-embeddings',
        'openai-completions',
        'openai-moderations',
        'openai-images',
        'openai-speech',
        'openai-transcriptions',
        'rerank',
      ],
      groups: [{ name: 'cheaper', multiplier: '0.333333', price: { input: '0.8333325', cache_read: '0.08333325' } }],
      targets: [{ model: 'x', priority: 0, weight: 1 }],
    })
    const patched = await admin.ask('PATCH', `/api/models/${model.id}`, { price: null, context_tokens: 1000 })
    expect(patched.body).toMatchObject({ price: null, available: false, context_tokens: 1000 })
    expect((await admin.ask('DELETE', `/api/models/${model.id}`)).status).toBe(204)
    const { body } = await admin.ask('GET', '/api/groups?search=cheaper')
    expect(body.data[0].models).toEqual([])
    expect((await auditOf(model.id))[0]).toMatchObject({
      action: 'model.delete',
      actor: admin.account?.id,
      changes: { context_tokens: { before: 1000, after: null } },
    })
  })

  test.for([
    [{ price: { input: '10000000.1', output: '1' } }, 'price.input'],
    [{ price: { input: '1', output: '1', audio_output: '9000000000' } }, 'price'],
    [{ price: { input: '-1', output: '1' } }, 'price.input'],
    [{ price: { input: '9999999999', output: '1' } }, 'price.input'],
    [{ price: { input: '1' } }, 'price.output'],
    [{ price: {} }, 'price.input'],
    [{ price: { per_image: '0.04', cache_read: '1' } }, 'price.input'],
    [{ price: { per_second: '10.1' } }, 'price.per_second'],
    [{ price: { input: '1', output: '1', per_call: { web_search: '10.1' } } }, 'price.per_call.web_search'],
    [{ price: { input: '1', output: '1', service_tiers: { fast: {} } } }, 'price.service_tiers.fast'],
    [{ targets: [{ upstream: 'none such', model: 'x' }] }, 'targets.0.upstream'],
    [{ targets: [{ upstream: 'none such', model: 'x', groups: ['none'] }] }, 'targets.0.upstream'],
    [{ name: '*' }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
  ] as const)('what makes no sense is refused by its field: %j', async ([over, field]) => {
    const answer = await admin.ask('POST', '/api/models', { name: newName('bad'), ...over })
    expect(answer.status).toBe(422)
    expect(answer.body.field).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}`))
  })

  test('may have prices of units alone, and are then called only where those apply', async () => {
    const price = { per_image: '0.04', per_million_characters: '15' }
    const model = await aModel({ price })
    await aGroup({ multiplier: '0.3333', models: [model.name] })
    const { body } = await admin.ask('GET', `/api/models/${model.id}`)
    expect(body).toMatchObject({
      price: { input: null, output: null, per_request: null, per_second: null, ...price },
      protocols: ['openai-images', 'openai-speech'],
      groups: [{ price: { per_image: '0.013332', per_million_characters: '4.9995' } }],
    })
    const patched = await admin.ask('PATCH', `/api/models/${model.id}`, { price: { per_request: '0.000000001' } })
    expect(patched.body.price).toMatchObject({ per_request: '0.000000001', per_image: null })
  })

  test('price and multiplier together stay below what a request can be charged, whichever comes last', async () => {
    const model = await aModel({ price: { input: '1000001', output: '1' } })
    const group = await aGroup({ multiplier: '9', models: [model.name] })
    const dearer = await admin.ask('PATCH', `/api/groups/${group.id}`, { multiplier: '10' })
    expect(dearer).toMatchObject({ status: 422, body: { field: 'multiplier' } })
    const priced = await admin.ask('PATCH', `/api/models/${model.id}`, { price: { input: '1200000', output: '1' } })
    expect(priced).toMatchObject({ status: 422, body: { field: 'price' } })
    expect((await admin.ask('PATCH', `/api/groups/${group.id}`, { multiplier: '10001' })).body.field).toBe('multiplier')
    expect((await admin.ask('PATCH', `/api/groups/${group.id}`, { multiplier: '9.5' })).status).toBe(200)
  })

  test('an account sees those it may use, without targets, and which of its keys may call them', async () => {
    const [open, closed, unpriced] = [await aModel(), await aModel(), await aModel({ price: null })]
    const group = await aGroup({ models: [open.name, unpriced.name] })
    await aGroup({ models: [closed.name], open: false })
    const user = await control.account()
    const key = await user.ask('POST', '/api/keys', { name: 'laptop', group: group.name })
    const other = await user.ask('POST', '/api/keys', {
      name: 'limited',
      group: group.name,
      allowed_models: [unpriced.name],
    })
    expect([key.status, other.status]).toEqual([201, 201])
    const { body, text } = await user.ask('GET', '/api/models?search=model-&limit=200')
    const shown = new Map<string, { keys: { name: string }[] }>(
      body.data.map((each: { name: string }) => [each.name, each]),
    )
    expect(shown.has(closed.name) || shown.has(unpriced.name)).toBe(false)
    expect(shown.get(open.name)?.keys.map(({ name }) => name)).toEqual(['laptop'])
    expect(text).not.toContain('upstream-')
    expect(text).not.toContain('targets')
    expect((await user.ask('GET', `/api/models/${closed.id}`)).status).toBe(404)
    expect((await user.ask('GET', '/api/models/mdl_none')).status).toBe(404)
  })
})

describe('groups', () => {
  test('are made, changed, renamed and deleted', async () => {
    const model = await aModel()
    const group = await aGroup({ models: [model.name, model.name] })
    expect(group).toMatchObject({
      multiplier: '1',
      models: [model.name],
      model_count: 1,
      protocols: [
        'anthropic-messages',
        'gemini',
        'openai-chat',
        'openai-completions',
        'openai-embeddings',
        'openai-images',
        'openai-moderations',
        'openai-responses',
        'openai-speech',
        'openai-transcriptions',
        'rerank',
      ],
      enabled: true,
      open: true,
      usable: true,
      managed: false,
    })
    const name = newName('renamed')
    const patched = await admin.ask('PATCH', `/api/groups/${group.id}`, { name, enabled: false, models: ['*'] })
    expect(patched.body).toMatchObject({ name, enabled: false, usable: false, models: ['*'] })
    const [update] = await auditOf(group.id)
    expect(update).toMatchObject({
      action: 'group.update',
      changes: {
        name: { before: group.name, after: name },
        enabled: { before: true, after: false },
        models: { before: [model.name], after: ['*'] },
      },
    })
    expect((await admin.ask('DELETE', `/api/groups/${group.id}`)).status).toBe(204)
    expect((await admin.ask('PATCH', `/api/groups/${group.id}`, { enabled: true })).status).toBe(404)
  })

  test('a taken name and models that are not there are refused by their field', async () => {
    const group = await aGroup()
    const again = await admin.ask('POST', '/api/groups', { name: group.name })
    expect(again).toMatchObject({ status: 409, body: { code: 'name_taken', field: 'name' } })
    const other = await aGroup()
    expect(await admin.ask('PATCH', `/api/groups/${other.id}`, { name: group.name })).toMatchObject({ status: 409 })
    const unknown = await admin.ask('PATCH', `/api/groups/${other.id}`, { models: ['*', 'no such model'] })
    expect(unknown).toMatchObject({ status: 422, body: { field: 'models.1' } })
  })

  test('one from the declarative file is read-only', async () => {
    const group = await aGroup()
    const stored = (await control.store.groups.groups()).find(({ id }) => id === group.id)
    if (stored !== undefined) await control.store.groups.putGroup({ ...stored, isManaged: true })
    for (const [method, body] of [
      ['PATCH', { enabled: false }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await admin.ask(method, `/api/groups/${group.id}`, body)
      expect(answer).toMatchObject({ status: 409, body: { code: 'managed' } })
    }
  })

  test('one that keys are in is not deleted', async () => {
    const group = await aGroup()
    const user = await control.account()
    await user.ask('POST', '/api/keys', { name: 'laptop', group: group.name })
    const refused = await admin.ask('DELETE', `/api/groups/${group.id}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(refused.body.detail).toContain('1 API key')
  })

  test('an account sees open ones, those of its subscriptions, and disabled ones that its keys are in', async () => {
    const [open, closed, sold, own, off] = [
      await aGroup(),
      await aGroup({ open: false }),
      await aGroup({ open: false }),
      await aGroup(),
      await aGroup({ enabled: false }),
    ]
    const plan = await made('/api/plans', { name: newName('plan'), groups: [sold.name], days: 30, price: '20' })
    const user = await control.account()
    await admin.ask('POST', `/api/accounts/${user.account.id}/subscriptions`, { plan: plan.name })
    await user.ask('POST', '/api/keys', { name: 'laptop', group: own.name })
    await admin.ask('PATCH', `/api/groups/${own.id}`, { enabled: false })
    const seen = async (group: { id: string }) => (await user.ask('GET', `/api/groups/${group.id}`)).body
    expect(await seen(open)).toMatchObject({ usable: true })
    expect(await seen(sold)).toMatchObject({ usable: true, open: false })
    expect(await seen(own)).toMatchObject({ usable: false, enabled: false })
    expect(await seen(closed)).toMatchObject({ status: 404 })
    expect(await seen(off)).toMatchObject({ status: 404 })
    const { body } = await user.ask('GET', '/api/groups?limit=200')
    const ids = body.data.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining([open.id, sold.id, own.id]))
    expect(ids).not.toContain(closed.id)
  })

  test('lists go page by page, by name, and search names', async () => {
    for (const name of ['paged-b', 'paged-a', 'PAGED-c']) await aGroup({ name })
    const first = await admin.ask('GET', '/api/groups?search=paged-&limit=2')
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['PAGED-c', 'paged-a'])
    const second = await admin.ask('GET', `/api/groups?search=paged-&limit=2&cursor=${first.body.next_cursor}`)
    expect(second.body).toMatchObject({ data: [{ name: 'paged-b' }], next_cursor: null })
  })
})

describe('plans', () => {
  test('are made, read by all accounts, changed and deleted', async () => {
    const group = await aGroup()
    const plan = await made('/api/plans', {
      name: newName('plan'),
      groups: [group.name],
      days: 30,
      price: '20',
      quotas: [{ window: '5h', usd: '5' }],
    })
    const user = await control.account()
    await admin.ask('POST', `/api/accounts/${user.account.id}/subscriptions`, { plan: plan.name })
    expect((await user.ask('GET', `/api/plans/${plan.id}`)).body).toEqual({ ...plan, subscribed: true })
    const patched = await admin.ask('PATCH', `/api/plans/${plan.id}`, { price: '25.5', quotas: [] })
    expect(patched.body).toMatchObject({ price: '25.5', quotas: [], groups: [group.name], days: 30 })
    expect((await admin.ask('DELETE', `/api/plans/${plan.id}`)).status).toBe(204)
    const { body } = await user.ask('GET', '/api/subscriptions')
    expect(body.data).toMatchObject([{ plan: plan.name, quotas: [{ window: '5h', limit: '5', used: '0' }] }])
  })

  test.for([
    [{ groups: ['no such group'] }, 'groups.0'],
    [{ groups: [] }, 'groups'],
    [{ days: 0 }, 'days'],
    [{ days: 36_501 }, 'days'],
    [
      {
        quotas: [
          { window: '5h', usd: '1' },
          { window: '5h', usd: '2' },
        ],
      },
      'quotas.1.window',
    ],
    [{ quotas: [{ window: '2h', usd: '1' }] }, 'quotas.0.window'],
    [{ price: '-1' }, 'price'],
  ] as const)('what makes no sense is refused by its field: %j', async ([over, field]) => {
    const group = await aGroup()
    const body = { name: newName('bad'), groups: [group.name], days: 30, price: '20', ...over }
    expect(await admin.ask('POST', '/api/plans', body)).toMatchObject({ status: 422, body: { field } })
  })
})
