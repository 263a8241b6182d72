import { afterAll, beforeAll, expect, test } from 'vitest'
import { markOf } from '../../src/routing/credential-states.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

// The targets of models, as an admin writes and reads them.

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
})
afterAll(() => control.close())

let names = 0
const newName = (what: string) => `${what}-${++names}`

async function made(path: string, body: object) {
  const answer = await admin.ask('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const aGroup = () => made('/api/groups', { name: newName('group'), models: [] })

const anUpstream = () =>
  made('/api/upstreams', { name: newName('upstream'), protocol: 'openai', base_url: 'https://api.example.test/v1' })

const aModel = (over: object) =>
  made('/api/models', { name: newName('model'), price: { input: '2.50', output: '10' }, ...over })

test('a model whose targets are for other groups is seen and priced in those alone', async () => {
  const [group, other] = [await aGroup(), await aGroup()]
  const upstream = await anUpstream()
  const targets = [{ upstream: upstream.name, model: 'x', groups: [other.name] }]
  const unknown = await admin.ask('POST', '/api/models', {
    name: newName('bad'),
    targets: [{ ...targets[0], groups: [group.name, 'none such'] }],
  })
  expect(unknown).toMatchObject({ status: 422, body: { field: 'targets.0.groups.1' } })
  const model = await aModel({ targets })
  expect(model.targets).toEqual([
    {
      ...targets[0],
      priority: 0,
      weight: 1,
      cost: null,
      min_margin: null,
      spend_per_day: null,
      shadow: [],
      drop_fields: [],
      fields_like: null,
      rules: {},
    },
  ])
  for (const { id } of [group, other]) await admin.ask('PATCH', `/api/groups/${id}`, { models: [model.name] })
  const { body } = await admin.ask('GET', `/api/models/${model.id}`)
  expect(body.groups.map(({ name }: { name: string }) => name)).toEqual([other.name])
  await admin.ask('PATCH', `/api/groups/${other.id}`, { open: false })
  const user = await control.account()
  expect((await user.ask('GET', `/api/models/${model.id}`)).status).toBe(404)
  expect((await admin.ask('DELETE', `/api/groups/${other.id}`)).body.code).toBe('in_use')
  const opened = await admin.ask('PATCH', `/api/models/${model.id}`, { targets: [{ ...targets[0], groups: [] }] })
  expect(opened.body.targets[0].groups).toEqual([])
  expect((await user.ask('GET', `/api/models/${model.id}`)).status).toBe(200)
  expect((await admin.ask('DELETE', `/api/groups/${other.id}`)).status).toBe(204)
})

test('what targets cost is stored and shown to admins, and what makes no sense is refused by its field', async () => {
  const upstream = await anUpstream()
  const at = { upstream: upstream.name, model: 'x' }
  const own = { input: '1', output: '4', cache_read: '0.1', per_image: '0.01', per_call: { web_search: '0.005' } }
  const model = await aModel({
    targets: [
      { ...at, cost: { factor: '0.6' }, min_margin: '0.25', spend_per_day: '12.5', shadow: ['spend_per_day'] },
      { ...at, cost: { ...own, tiers: [{ above_input_tokens: 200_000, input: '2', output: '8' }] } },
    ],
  })
  const read = (await admin.ask('GET', `/api/models/${model.id}`)).body
  expect(read.targets).toMatchObject([
    { cost: { factor: '0.6', input: null }, min_margin: '0.25', spend_per_day: '12.5', shadow: ['spend_per_day'] },
    { cost: { factor: null, ...own, tiers: [{ above_input_tokens: 200_000, input: '2' }] }, min_margin: null },
  ])
  const kept = await admin.ask('PATCH', `/api/models/${model.id}`, { targets: read.targets })
  expect(kept.body.targets).toEqual(read.targets)
  const refusals = [
    [{ cost: { factor: '0.5', input: '1' } }, 'targets.0.cost.factor'],
    [{ cost: { input: '1' } }, 'targets.0.cost.output'],
    [{ cost: { factor: '0.5' }, min_margin: '1' }, 'targets.0.min_margin'],
    [{ min_margin: '0.1' }, 'targets.0.min_margin'],
    [{ spend_per_day: '1', shadow: ['spend_per_day', 'min_margin'] }, 'targets.0.shadow.1'],
    [{ spend_per_day: '1', shadow: ['weight'] }, 'targets.0.shadow.0'],
  ] as const
  for (const [over, field] of refusals) {
    const answer = await admin.ask('PATCH', `/api/models/${model.id}`, { targets: [{ ...at, ...over }] })
    expect(answer).toMatchObject({ status: 422, body: { field } })
  }
  const user = await control.account()
  expect((await user.ask('GET', '/api/attention')).status).toBe(403)
})

test('a sale below cost, and a model without a target for a group that has it, need attention', async () => {
  const [upstream, group] = [await anUpstream(), await aGroup()]
  const at = { upstream: upstream.name, model: 'x', groups: [group.name] }
  const model = await aModel({ targets: [{ ...at, cost: { factor: '0.9' } }] })
  const itemsOf = async () => {
    const { body } = await admin.ask('GET', '/api/attention')
    return body.data.filter((item: { model: string }) => item.model === model.name)
  }
  expect(await itemsOf()).toMatchObject([{ kind: 'unreached', group: group.name, upstream: { name: upstream.name } }])
  await admin.ask('PATCH', `/api/groups/${group.id}`, { models: [model.name], multiplier: '0.5' })
  expect(await itemsOf()).toMatchObject([
    {
      kind: 'below_cost',
      group: group.name,
      upstream: { name: upstream.name },
      detail: expect.stringContaining('80 %'),
    },
  ])
  const bounded = { ...at, cost: { factor: '0.9' }, min_margin: '0' }
  await admin.ask('PATCH', `/api/models/${model.id}`, { targets: [bounded] })
  const unsold = { kind: 'no_margin', group: group.name, upstream: null, requests: 0 }
  expect(await itemsOf()).toMatchObject([unsold])
  await admin.ask('PATCH', `/api/models/${model.id}`, { targets: [] })
  expect(await itemsOf()).toMatchObject([{ ...unsold, kind: 'no_target' }])
  await admin.ask('PATCH', `/api/models/${model.id}`, { targets: [bounded] })
  await admin.ask('PATCH', `/api/groups/${group.id}`, { multiplier: '0.9' })
  expect(await itemsOf()).toEqual([])
})

const WORDS_OF_AWS = 'The security token included in the request is expired'

test('a credential that its provider refuses needs attention until it is released, and a model until it has a price', async () => {
  const upstream = await made('/api/upstreams', {
    name: newName('upstream'),
    protocol: 'openai',
    base_url: 'https://api.example.test/v1',
    credential: 'sk-refused',
  })
  const targets = [{ upstream: upstream.name, model: 'x' }]
  const model = await made('/api/models', { name: newName('model'), targets })
  const [stored] = (await control.store.catalog.upstreams()).filter(({ id }) => id === upstream.id)
  const [credential] = stored?.credentials ?? []
  if (credential === undefined) throw new Error('the upstream has no credential')
  const nowMs = control.clock.now()
  const times = { since: nowMs, until: nowMs + 60_000, times: 1 }
  const hold = { because: 'credential', ...times, of: markOf(credential), said: WORDS_OF_AWS } as const
  await control.store.catalog.noteHolds([{ upstreamId: upstream.id, name: credential.name, hold }])
  const itemsOf = async () => {
    const { body } = await admin.ask('GET', '/api/attention')
    return body.data.filter(
      (item: { model: string; upstream: { id: string } | null; kind: string }) =>
        item.upstream?.id === upstream.id || (item.model === model.name && item.kind === 'unpriced'),
    )
  }
  const since = new Date(nowMs).toISOString()
  const held = { kind: 'credential_held', because: 'credential', said: WORDS_OF_AWS, since, requests: 0 }
  expect(await itemsOf()).toMatchObject([held, { kind: 'unpriced', model: model.name }])
  expect((await itemsOf())[0].detail).toMatch(/test it\. The temporary keys of AWS have expired\. Use a credential/)
  await admin.ask('PATCH', `/api/upstreams/${upstream.id}/credentials/default`, { held: false })
  await admin.ask('PATCH', `/api/models/${model.id}`, { price: { input: '1', output: '2' } })
  expect(await itemsOf()).toEqual([])
})

test('a model whose only credential is disabled or has expired needs attention until there is one that may be used', async () => {
  const upstream = await made('/api/upstreams', {
    name: newName('upstream'),
    protocol: 'openai',
    base_url: 'https://api.example.test/v1',
    credential: 'sk-alone',
  })
  const model = await aModel({ targets: [{ upstream: upstream.name, model: 'x' }] })
  const group = await aGroup()
  await admin.ask('PATCH', `/api/groups/${group.id}`, { models: [model.name] })
  const itemsOf = async () => {
    const { body } = await admin.ask('GET', '/api/attention')
    return body.data.filter((item: { model: string }) => item.model === model.name)
  }
  const lack = { kind: 'no_credential', group: group.name, upstream: { id: upstream.id }, requests: 0 }
  const path = `/api/upstreams/${upstream.id}/credentials/default`
  expect(await itemsOf()).toEqual([])
  await admin.ask('PATCH', path, { disabled: true })
  expect(await itemsOf()).toMatchObject([lack])
  await admin.ask('PATCH', path, { disabled: false })
  expect(await itemsOf()).toEqual([])
  const [stored] = (await control.store.catalog.upstreams()).filter(({ id }) => id === upstream.id)
  if (stored === undefined) throw new Error('the upstream is there')
  const expiring = stored.credentials.map((each) => ({ ...each, expiresAt: control.clock.now() + 1_000 }))
  await control.store.catalog.putUpstream({ ...stored, credentials: expiring })
  expect(await itemsOf()).toEqual([])
  control.clock.advance(1_000)
  expect(await itemsOf()).toMatchObject([lack])
  await control.store.catalog.putUpstream(stored)
  expect(await itemsOf()).toEqual([])
})

test('what an installation lacks is gone from its list when it is there', async () => {
  const lacks = async () => (await admin.ask('GET', '/api/attention')).body.setup
  expect(await lacks()).toMatchObject({ provider: true, model: true, answered: false })
  const { body } = await admin.ask('GET', '/api/attention')
  expect(body.week.now).toEqual({
    requests: 0,
    failed: { client: 0, gateway: 0, upstream: 0 },
    charged: '0',
    margin: null,
  })
})

test('how an upstream is reached is stored, and no answer, audit or row holds the URL of its proxy', async () => {
  const upstream = await anUpstream()
  const path = `/api/upstreams/${upstream.id}`
  expect(upstream).toMatchObject({ has_proxy: false, remove_headers: [], rename_headers: {} })
  const changed = await admin.ask('PATCH', path, {
    proxy_url: 'socks5://someone:proxy-secret@proxy.example.test:1080',
    remove_headers: ['X-App'],
    rename_headers: { Session_ID: 'x-session' },
  })
  expect(changed.body).toMatchObject({
    has_proxy: true,
    remove_headers: ['x-app'],
    rename_headers: { session_id: 'x-session' },
  })
  const kept = await admin.ask('PATCH', path, { timeout_ms: 1000 })
  expect(kept.body).toMatchObject({ has_proxy: true, remove_headers: ['x-app'] })
  const audit = await admin.ask('GET', `/api/audit?subject=${upstream.id}`)
  const rows = JSON.stringify(await control.place.sql('select name, passage_json from upstreams'))
  for (const text of [changed.text, kept.text, audit.text, rows])
    expect(text).not.toMatch(/proxy-secret|proxy\.example/)
  const cleared = await admin.ask('PATCH', path, { proxy_url: null, remove_headers: [], rename_headers: {} })
  expect(cleared.body).toMatchObject({ has_proxy: false, remove_headers: [], rename_headers: {} })
})

test('how a model is served is kept, shown and cleared, and a target that could never be used is refused', async () => {
  const upstream = await anUpstream()
  const targets = [{ upstream: upstream.name, model: 'm' }]
  const set = {
    endpoints: ['anthropic-messages'],
    first_event_timeout_ms: 5,
    idle_timeout_ms: 6,
    timeout_ms: 7,
    hedge_after_ms: 10,
  }
  const model = await aModel({ targets, ...set })
  expect(model).toMatchObject({ ...set, protocols: set.endpoints })
  const path = `/api/models/${model.id}`
  const kept = await admin.ask('PATCH', path, { context_tokens: 9_000, idle_timeout_ms: null })
  expect(kept.body).toMatchObject({ ...set, idle_timeout_ms: null })
  const audit = (await admin.ask('GET', `/api/audit?subject=${model.id}`)).text
  expect(audit).toContain('idle_timeout_ms')
  const other = await admin.ask('POST', '/api/upstreams', {
    name: newName('messages'),
    protocol: 'anthropic',
    base_url: 'https://api.example.test',
  })
  const mixed = { targets: [...targets, { upstream: other.body.name, model: 'm' }], endpoints: ['openai-embeddings'] }
  const refused = await admin.ask('PATCH', path, mixed)
  expect(refused).toMatchObject({ status: 422, body: { field: 'targets.1.upstream' } })
  const weightless = {
    targets: [
      { ...targets[0], weight: 0 },
      { ...targets[0], model: 'n', priority: 1 },
    ],
  }
  const drained = await admin.ask('PATCH', path, weightless)
  expect(drained).toMatchObject({ status: 422, body: { field: 'targets.0.weight' } })
  const stored = (await control.store.catalog.models()).find(({ id }) => id === model.id)
  if (stored === undefined) throw new Error('the model is gone')
  await control.store.catalog.putModel({ ...stored, targets: stored.targets.map((each) => ({ ...each, weight: 0 })) })
  expect((await admin.ask('PATCH', path, { context_tokens: 8_000 })).status).toBe(200)
  await control.store.catalog.putModel(stored)
  const embedding = await aModel({ targets, endpoints: ['openai-embeddings'] })
  const moved = await admin.ask('PATCH', `/api/upstreams/${upstream.id}`, { protocol: 'anthropic' })
  expect(moved).toMatchObject({ status: 422, body: { field: 'protocol' } })
  await admin.ask('DELETE', `/api/models/${embedding.id}`)
  const cleared = await admin.ask('PATCH', path, {
    endpoints: null,
    first_event_timeout_ms: null,
    timeout_ms: null,
    hedge_after_ms: null,
  })
  const nothing = { endpoints: null, first_event_timeout_ms: null, idle_timeout_ms: null, timeout_ms: null }
  expect(cleared.body).toMatchObject(nothing)
})

test('what an upstream and a target of a model do not take is kept and shown', async () => {
  const upstream = await anUpstream()
  const path = `/api/upstreams/${upstream.id}`
  const changed = await admin.ask('PATCH', path, { drop_fields: ['temperature', 'top_p', 'temperature'] })
  expect(changed.body).toMatchObject({ drop_fields: ['temperature', 'top_p'] })
  expect((await admin.ask('PATCH', path, { timeout_ms: 1000 })).body).toMatchObject({
    drop_fields: ['temperature', 'top_p'],
  })
  const model = await aModel({
    targets: [{ upstream: upstream.name, model: 'm', drop_fields: ['reasoning'], fields_like: 'gpt-5.5' }],
  })
  expect(model.targets).toMatchObject([{ drop_fields: ['reasoning'], fields_like: 'gpt-5.5' }])
  expect((await admin.ask('PATCH', path, { drop_fields: [] })).body).toMatchObject({ drop_fields: [] })
})

test('that an upstream keeps what it has read is kept, shown and taken back', async () => {
  const upstream = await anUpstream()
  const path = `/api/upstreams/${upstream.id}`
  expect(upstream).toMatchObject({ prefix_cache: false })
  expect((await admin.ask('PATCH', path, { prefix_cache: true })).body).toMatchObject({ prefix_cache: true })
  expect((await admin.ask('PATCH', path, { timeout_ms: 1000 })).body).toMatchObject({ prefix_cache: true })
  expect((await admin.ask('PATCH', path, { prefix_cache: false })).body).toMatchObject({ prefix_cache: false })
})

test.for([
  [{ proxy_url: 'ftp://proxy.example.test' }, 'proxy_url'],
  [{ proxy_url: 'http://proxy.example.test/path' }, 'proxy_url'],
  [{ drop_fields: ['max_tokens'] }, 'drop_fields.0'],
  [{ remove_headers: ['authorization'] }, 'remove_headers'],
  [{ remove_headers: ['content-length'] }, 'remove_headers'],
  [{ rename_headers: { 'x-a': 'Authorization' } }, 'rename_headers'],
  [{ rename_headers: { 'x-a': 'x-c', 'x-b': 'x-c' } }, 'rename_headers'],
  [{ remove_headers: ['x-a'], rename_headers: { 'x-a': 'x-c' } }, 'rename_headers'],
] as const)('what no upstream may be reached by is refused by its field: %j', async ([over, field]) => {
  const body = { name: newName('bad'), protocol: 'openai', base_url: 'https://api.example.test/v1', ...over }
  expect(await admin.ask('POST', '/api/upstreams', body)).toMatchObject({ status: 422, body: { field } })
})

test('a stored credential is not sent through a new proxy that could read it', async () => {
  const proxy = { proxy_url: 'http://proxy.example.test:3128' }
  const body = { name: newName('plain'), protocol: 'openai', base_url: 'http://10.0.0.5/v1', credential: 'stored' }
  const plain = await made('/api/upstreams', body)
  const refused = await admin.ask('PATCH', `/api/upstreams/${plain.id}`, proxy)
  expect(refused).toMatchObject({ status: 422, body: { field: 'credential' } })
  expect((await admin.ask('PATCH', `/api/upstreams/${plain.id}`, { ...proxy, credential: 'other' })).status).toBe(200)
})
