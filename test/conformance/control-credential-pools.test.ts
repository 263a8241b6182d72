import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'

// The credentials of an upstream, as admins write and read them.

let control: ControlUnderTest
let admin: Asker
beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
})
afterAll(() => control.close())

let upstreams = 0

async function post(credentials: readonly object[]) {
  upstreams += 1
  const base = { protocol: 'openai', base_url: 'https://api.example.test/v1' }
  return admin.ask('POST', '/api/upstreams', { name: `upstream-${upstreams}`, ...base, credentials })
}

async function anUpstream({ credentials }: { credentials: readonly object[] }) {
  const { status, text, body } = await post(credentials)
  expect(status, text).toBe(201)
  return body
}

test('upstreams have a pool of credentials, each with its limits, whose secrets stay where they are left out', async () => {
  const aim = { name: 'b', weight: 2, realm: 'org', spend_per_day: '1.5', expires_at: '2040-01-01T00:00:00.000Z' }
  const upstream = await anUpstream({
    credentials: [
      { name: 'a', secret: 'a-first-credential' },
      { ...aim, secret: 'a-second-credential', requests_per_minute: 60 },
    ],
  })
  expect(upstream).toMatchObject({ has_credential: true, credentials: [{ name: 'a', weight: 1 }, aim] })
  const stored = async () => (await control.store.catalog.upstreams()).find(({ id }) => id === upstream.id)?.credentials
  const [a, b] = (await stored()) ?? []
  const path = `/api/upstreams/${upstream.id}`
  const kept = await admin.ask('PATCH', path, { credentials: [{ name: 'b' }, { name: 'c', secret: 'a-third' }] })
  expect(kept.body.credentials).toMatchObject([{ name: 'b', weight: 1, spend_per_day: null }, { name: 'c' }])
  expect((await stored())?.[0]?.sealedSecret).toBe(b?.sealedSecret)
  expect((await stored())?.map(({ sealedSecret }) => sealedSecret)).not.toContain(a?.sealedSecret)
  const moved = await admin.ask('PATCH', path, {
    base_url: 'https://evil.example.test',
    credentials: [{ name: 'b' }],
  })
  expect(moved).toMatchObject({ status: 422, body: { field: 'credentials' } })
  const texts = [
    JSON.stringify((await admin.ask('GET', `/api/audit?subject=${upstream.id}`)).body),
    kept.text,
    JSON.stringify(upstream),
  ]
  for (const text of texts) expect(text).not.toMatch(/a-(?:first|second|third)|v1\./)
})

test.for<readonly [readonly object[], string]>([
  [[{ name: 'a' }], 'credentials.0.secret'],
  [
    [
      { name: 'a', secret: 'x' },
      { name: 'a', secret: 'y' },
    ],
    'credentials.1.name',
  ],
  [[{ name: 'a', secret: 'x', weight: 0 }], 'credentials.0.weight'],
  [[{ name: 'a', secret: 'x', models: ['unknown'] }], 'credentials.0.models.0'],
  [[{ name: 'a', secret: 'x', expires_at: '2020-01-01T00:00:00Z' }], 'credentials.0.expires_at'],
  [[{ name: 'a', secret: 'x\ny' }], 'credentials.0.secret'],
  [[{ name: 'a', secret: 'x', proxy_url: 'ftp://proxy.example.test' }], 'credentials.0.proxy_url'],
])('an upstream with credentials %j is refused by their field %s', async ([credentials, field]) => {
  expect(await post(credentials)).toMatchObject({ status: 422, body: { field } })
})

test('an upstream has 500 credentials at most, where it is made and where it is changed', async () => {
  const pool = Array.from({ length: 501 }, (_, place) => ({ name: `c${place}`, secret: `secret-${place}` }))
  const { id, credentials } = await anUpstream({ credentials: pool.slice(1) })
  expect(credentials).toHaveLength(500)
  const refused = { status: 422, body: { field: 'credentials' } }
  expect(await post(pool)).toMatchObject(refused)
  expect(await admin.ask('PATCH', `/api/upstreams/${id}`, { credentials: pool })).toMatchObject(refused)
  expect((await admin.ask('GET', `/api/upstreams/${id}`)).body.credentials).toHaveLength(500)
})

test('a credential has a proxy of its own, which stays where it is left out and is never shown', async () => {
  const upstream = await anUpstream({
    credentials: [
      { name: 'a', secret: 'x', proxy_url: 'socks5://someone:secret-of-a-way@proxy.example.test:1080' },
      { name: 'b', secret: 'y' },
    ],
  })
  expect(upstream).toMatchObject({ has_proxy: false, credentials: [{ has_proxy: true }, { has_proxy: false }] })
  const path = `/api/upstreams/${upstream.id}`
  const kept = await admin.ask('PATCH', path, { credentials: [{ name: 'a', weight: 2 }, { name: 'b' }] })
  expect(kept.body.credentials).toMatchObject([{ weight: 2, has_proxy: true }, { has_proxy: false }])
  const stored = (await control.store.catalog.upstreams()).find(({ id }) => id === upstream.id)?.credentials
  expect(stored?.[0]?.sealedProxyUrl).toMatch(/^v1\./)
  const audit = JSON.stringify((await admin.ask('GET', `/api/audit?subject=${upstream.id}`)).body)
  for (const text of [JSON.stringify(upstream), kept.text, audit])
    expect(text).not.toMatch(/of-a-way|proxy\.example|v1\./)
  const credentials = [{ name: 'a', proxy_url: null }]
  expect((await admin.ask('PATCH', path, { credentials })).body.credentials).toMatchObject([{ has_proxy: false }])
})

test('a stored credential is not sent through a new proxy of its own that could read it', async () => {
  const made = await admin.ask('POST', '/api/upstreams', {
    name: 'without TLS',
    protocol: 'openai',
    base_url: 'http://plain.example.test/v1',
    credentials: [
      { name: 'a', secret: 'x' },
      { name: 'b', secret: 'y' },
    ],
    headers: { 'x-team': 'a secret of a kind' },
  })
  const patch = (fields: object) => admin.ask('PATCH', `/api/upstreams/${made.body.id}`, fields)
  const proxy_url = 'http://proxy.example.test:3128'
  const headers = {}
  const refused = { status: 422, body: { field: 'credentials' } }
  expect(await patch({ credentials: [{ name: 'a', proxy_url }, { name: 'b' }], headers })).toMatchObject(refused)
  const own = [{ name: 'a', secret: 'z', proxy_url }, { name: 'b' }]
  expect(await patch({ credentials: own })).toMatchObject({ status: 422, body: { field: 'headers' } })
  expect((await patch({ credentials: own, headers })).status).toBe(200)
})

test('rules in shadow are shown with what they would have refused, and go with the rule that they name', async () => {
  const upstream = await anUpstream({
    credentials: [{ name: 'a', secret: 'a-credential', requests_per_minute: 5, shadow: ['requests_per_minute'] }],
  })
  const path = `/api/upstreams/${upstream.id}`
  const unseen = { refusals: 0, last_refusal_at: null, model: null, upstream_model: null }
  const ofCredential = { rule: 'requests_per_minute', credential: 'a', ...unseen }
  expect(upstream).toMatchObject({ shadow: [], credentials: [{ shadow: ['requests_per_minute'] }] })
  expect(upstream.shadow_rules).toEqual([ofCredential])
  const unset = await admin.ask('PATCH', path, { shadow: ['spend_per_day'] })
  expect(unset).toMatchObject({ status: 422, body: { code: 'field_invalid', field: 'shadow.0' } })
  const unknown = await admin.ask('PATCH', path, { spend_per_day: '1', shadow: ['timeout_ms'] })
  expect(unknown).toMatchObject({ status: 422, body: { field: 'shadow.0' } })
  const capped = await admin.ask('PATCH', path, { spend_per_day: '1', shadow: ['spend_per_day'] })
  expect(capped.body.shadow_rules).toEqual([{ rule: 'spend_per_day', credential: null, ...unseen }, ofCredential])
  expect((await admin.ask('PATCH', path, { spend_per_day: '2' })).body.shadow).toEqual(['spend_per_day'])
  const uncapped = await admin.ask('PATCH', path, { spend_per_day: null })
  expect([uncapped.body.shadow, uncapped.body.shadow_rules]).toEqual([[], [ofCredential]])
  const wrong = await admin.ask('PATCH', path, { credentials: [{ name: 'a', shadow: ['max_concurrency'] }] })
  expect(wrong).toMatchObject({ status: 422, body: { field: 'credentials.0.shadow.0' } })
})
