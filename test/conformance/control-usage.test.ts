import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest, TEST_ADMIN_TOKEN } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'

const HOUR_MS = 3_600_000

let control: ControlUnderTest
let admin: Asker & { account: { id: string } }
let user: Asker & { account: { id: string } }
let groupId: string
let keyId: string
const ids: string[] = []

/** A record of the user's, as old as is said. */
async function settled(
  over: Omit<Partial<UsageRecord>, 'cost'> & { ageMs?: number; cost?: bigint } = {},
): Promise<string> {
  const { ageMs = 0, cost = 1_000n, ...fields } = over
  const createdAt = control.clock.now() - ageMs
  const id = newId('req', createdAt)
  const record = { id, createdAt, keyId, keyName: 'laptop', groupId, groupName: 'default', ...fields }
  await control.store.settlements.settle([aSettlement(fields.accountId ?? user.account.id, cost, { record })])
  return id
}

const refused = {
  outcome: 'refused',
  fault: 'model_unknown',
  httpStatus: 404,
  cost: 0n,
  tokens: {
    input: null,
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    output: null,
    reasoning: null,
    other: null,
    units: null,
  },
  usageSource: 'none',
  prices: null,
  multiplier: null,
  balancePaid: nanoUsd(0n),
  attempts: [],
  upstreamName: null,
  upstreamModel: null,
  groupId: null,
  groupName: null,
} as const

const attempts = [
  {
    upstreamName: 'openai-main',
    model: 'gpt-5.5',
    fault: null,
    status: 200,
    totalMs: 12,
    said: 'Slow down.',
    requestId: 'r-1',
  },
]

beforeAll(async () => {
  control = await controlUnderTest()
  admin = await control.account({ role: 'admin' })
  user = await control.account({ balance: '100' })
  groupId = await control.group('default')
  const key = await user.ask('POST', '/api/keys', { name: 'laptop', group: 'default' })
  keyId = key.body.key.id
  ids.push(await settled({ ageMs: 30 * HOUR_MS, cost: 3_000n, model: 'old-model' }))
  ids.push(await settled({ ageMs: 2 * HOUR_MS, ...refused, model: 'gtp-5' }))
  ids.push(await settled({ ageMs: HOUR_MS, cost: 5_000n, keyName: '=HYPERLINK("x")', client: 'curl, "8"', attempts }))
})
afterAll(() => control.close())

const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

describe('usage records', () => {
  test('are listed newest first, page by page, own ones alone', async () => {
    const first = await user.ask('GET', '/api/usage?limit=2')
    expect(idsOf(first)).toEqual([ids[2], ids[1]])
    const second = await user.ask('GET', `/api/usage?limit=2&cursor=${first.body.next_cursor}`)
    expect(idsOf(second)).toEqual([ids[0]])
    expect(second.body.next_cursor).toBeNull()
    const other = await control.account()
    expect(idsOf(await other.ask('GET', '/api/usage'))).toEqual([])
    expect(idsOf(await other.ask('GET', `/api/usage?key=${keyId}`))).toEqual([])
    for (const path of [`/api/usage/${ids[0]}`, '/api/usage/req_none']) {
      expect(await other.ask('GET', path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  test('filters narrow them', async () => {
    const by = async (query: string) => idsOf(await user.ask('GET', `/api/usage?${query}`))
    expect(await by(`key=${keyId}&model=old-model`)).toEqual([ids[0]])
    expect(await by('fault=any')).toEqual([ids[1]])
    expect(await by('fault=model_unknown')).toEqual([ids[1]])
    expect(await by('outcome=completed&group=default')).toEqual([ids[2], ids[0]])
    expect(await by(`group=${groupId}&request=${ids[2]?.slice(0, 20)}`)).toContain(ids[2])
    const from = new Date(control.clock.now() - 3 * HOUR_MS).toISOString()
    const to = new Date(control.clock.now() - HOUR_MS).toISOString()
    expect(await by(`from=${from}&to=${to}`)).toEqual([ids[1]])
    expect(await user.ask('GET', '/api/usage?fault=nonsense')).toMatchObject({ status: 422, body: { field: 'fault' } })
    expect(await user.ask('GET', '/api/usage?from=yesterday')).toMatchObject({ status: 422, body: { field: 'from' } })
  })

  test('admins read those of all accounts, and upstreams by their names', async () => {
    const all = await admin.ask('GET', '/api/usage?account_id=*')
    expect(idsOf(all)).toEqual(ids.toReversed())
    expect(all.text).toContain('openai-main')
    expect((await admin.ask('GET', `/api/usage?account_id=${user.account.id}`)).body.data).toHaveLength(3)
    expect((await admin.ask('GET', '/api/usage')).body.data).toEqual([])
    const read = await admin.ask('GET', `/api/usage/${ids[2]}`)
    expect(read.body.attempts[0]).toMatchObject({
      upstream: 'openai-main',
      said: 'Slow down.',
      upstream_request_id: 'r-1',
    })
    for (const text of ['slow%20down', 'r-1']) {
      expect(idsOf(await admin.ask('GET', `/api/usage?account_id=*&said=${text}`)), text).toEqual([ids[2]])
    }
    expect(await user.ask('GET', '/api/usage?said=slow')).toMatchObject({ status: 422, body: { field: 'said' } })
    expect((await user.ask('GET', '/api/usage?account_id=*')).status).toBe(403)
    // It has no records of its own, so what it does not narrow is everyone's.
    const byToken = await control.adminToken.ask('GET', '/api/usage')
    expect(idsOf(byToken)).toEqual(ids.toReversed())
    expect(byToken.body.data).toEqual((await admin.ask('GET', '/api/usage?account_id=*')).body.data)
    expect((await control.adminToken.ask('GET', '/api/usage/summary')).status).toBe(200)
    expect((await control.adminToken.ask('GET', '/api/usage.csv')).text.trim().split('\n')).toHaveLength(4)
    expect((await user.ask('GET', '/api/usage')).text).not.toContain('openai-main')
  })

  test('one explains its cost, and a refused one why', async () => {
    const paid = await user.ask('GET', `/api/usage/${ids[2]}`)
    expect(paid.body).toMatchObject({
      cost: '0.000005',
      price_lines: [{ kind: 'output', tokens: 1_000_000, price: '0.000005', multiplier: '1', cost: '0.000005' }],
      attempts: [{ upstream: 'upstream-1', model: null, status: 200, said: null, upstream_request_id: null }],
      detail: null,
    })
    const failed = await user.ask('GET', `/api/usage/${ids[1]}`)
    expect(failed.body).toMatchObject({ fault: 'model_unknown', http_status: 404, cost: '0', price_lines: [] })
    expect(failed.body.detail).toContain('No model on this gateway has this name')
  })
})

describe('sums', () => {
  test('go by the hour or day, with the dearest first', async () => {
    const { body } = await user.ask('GET', '/api/usage/summary?split=model')
    expect(body).toMatchObject({
      by: 'day',
      totals: { requests: 3, failed: 1, cost: '0.000008' },
      series: [
        { id: 'gpt-5.5', name: 'gpt-5.5', totals: { cost: '0.000005' } },
        { id: 'old-model', totals: { cost: '0.000003' } },
        { id: '', totals: { requests: 1, failed: 1, cost: '0' } },
      ],
    })
    expect(
      body.buckets.map(({ values }: { values: { series: number }[] }) => values.map(({ series }) => series)),
    ).toEqual([[1], [0, 2]])
    const plain = await user.ask('GET', '/api/usage/summary?by=hour&split=none')
    expect(plain.body.series).toMatchObject([{ id: null, name: null, totals: { requests: 3 } }])
    expect(plain.body.buckets).toHaveLength(3)
    const byKey = await user.ask('GET', `/api/usage/summary?split=key&model=old-model`)
    expect(byKey.body.series).toMatchObject([
      { id: keyId, name: 'laptop', end: expect.stringMatching(/^\w{4}$/), totals: { requests: 1 } },
    ])
    expect((await admin.ask('GET', '/api/usage/summary?account_id=*')).body.totals.requests).toBe(3)
    expect((await admin.ask('GET', '/api/usage/summary')).body.totals.requests).toBe(0)
  })

  test('a span that no chart can show is refused', async () => {
    const refusal = { status: 422, body: { field: 'from' } }
    expect(await user.ask('GET', '/api/usage/summary?from=2020-01-01T00:00:00Z')).toMatchObject(refusal)
    expect(await user.ask('GET', '/api/usage/summary?by=hour&from=2026-01-01T00:00:00Z')).toMatchObject(refusal)
    const turned = 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z'
    expect(await user.ask('GET', `/api/usage/summary?${turned}`)).toMatchObject(refusal)
    expect((await user.ask('GET', '/api/usage/summary?from=2024-11-01T00:00:00Z')).status).toBe(200)
  })
})

test('the first steps are the tries since a moment, failed ones with their cause', async () => {
  const since = new Date(control.clock.now() - 3 * HOUR_MS).toISOString()
  const { body } = await user.ask('GET', `/api/usage/first-steps?since=${since}`)
  expect(body.data).toMatchObject([
    { id: ids[2], outcome: 'completed', fault: null, detail: null, key_id: keyId },
    { id: ids[1], outcome: 'refused', fault: 'model_unknown', model: 'gtp-5' },
  ])
  const one = await user.ask('GET', `/api/usage/first-steps?since=${since}&limit=1&key=${keyId}`)
  expect(idsOf(one)).toEqual([ids[2]])
  expect((await user.ask('GET', '/api/usage/first-steps')).body.field).toBe('since')
  expect((await control.adminToken.ask('GET', `/api/usage/first-steps?since=${since}`)).body.code).toBe(
    'account_needed',
  )
})

describe('the CSV', () => {
  test('is a file of the whole filter', async () => {
    const answer = await user.ask('GET', '/api/usage.csv?outcome=completed')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="tollgate-usage-2026-11-21.csv"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const lines = answer.text.split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^id,created_at,account_id,key_id,key_name,/)
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`)
    expect(lines[1]).toContain('"curl, ""8"""')
    expect(answer.text).not.toContain('openai-main')
    expect((await admin.ask('GET', '/api/usage.csv?account_id=*')).text).toContain('openai-main')
    expect((await user.ask('GET', '/api/usage.csv?account_id=*')).status).toBe(403)
    expect((await control.anonymous.ask('GET', '/api/usage.csv')).status).toBe(401)
  })

  test('is documented as what it is', async () => {
    const { body } = await control.anonymous.ask('GET', '/api/openapi.json')
    expect(body.paths['/api/usage.csv'].get.responses['200'].content).toHaveProperty(['text/csv'])
  })

  test('a slow reader is waited for, and for one who left nothing more is read', async () => {
    const { usage } = control.store
    const list = usage.list.bind(usage)
    const [record] = (await usage.list({ accountId: user.account.id }, { after: null, limit: 1 })).records
    if (record === undefined) throw new Error('there are records')
    // Endless, and two megabytes a page: no buffer on the way takes that.
    const page = Array.from({ length: 200 }, () => ({ ...record, client: 'x'.repeat(10_000) }))
    let reads = 0
    usage.list = async () => ({ records: page, next: `req_${++reads}` })
    try {
      const asking = request(`${control.origin}/api/usage.csv`, {
        headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
        path: '/api/usage.csv?account_id=*',
      })
      const answer = await new Promise<IncomingMessage>((resolve) => asking.on('response', resolve).end())
      await new Promise((resolve) => answer.once('readable', resolve))
      const whileSlow = await atRest(() => reads)
      expect(whileSlow).toBeLessThan(20)
      answer.read()
      await new Promise((resolve) => answer.once('readable', resolve))
      answer.destroy()
      const afterLeaving = await atRest(() => reads)
      expect(afterLeaving).toBeLessThan(whileSlow + 20)
    } finally {
      usage.list = list
    }
  })
})

/** What a count comes to when it has stood still for a while. */
async function atRest(read: () => number): Promise<number> {
  for (let before = -1; before !== read();) {
    before = read()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return read()
}

describe('a diagnosis', () => {
  const ask = (asker: Asker, body: object) => asker.ask('POST', '/api/diagnose', body)

  test('of a request has its record, its key and what would happen now, for its owner and admins alone', async () => {
    const id = await settled({ ...refused, model: null })
    const { body } = await ask(user, { request: id })
    expect(body).toMatchObject({ record: { id, fault: 'model_unknown' }, key: { id: keyId }, judged_model: false })
    expect((await ask(admin, { request: id })).body).toMatchObject({ record: { id }, key: { id: keyId } })
    const other = await control.account({ balance: '1' })
    expect((await ask(other, { request: id })).body).toMatchObject({ record: null, key: null, now: null })
    expect((await ask(other, { key: keyId })).body).toMatchObject({ key: null, keys_alike: 0 })
  })

  test('finds a key by its end, a deleted one too, and says what stops it', async () => {
    const { body: made } = await user.ask('POST', '/api/keys', { name: 'gone', group: 'default' })
    const key = made.key.secret_end as string
    expect((await ask(user, { key })).body).toMatchObject({ keys_alike: 1, key: { status: 'active' } })
    await user.ask('DELETE', `/api/keys/${made.key.id}`)
    const { body } = await ask(user, { key })
    expect(body).toMatchObject({ key: { status: 'deleted' }, now: { code: 'key_deleted', facts: { end: key } } })
  })

  test('takes no secret', async () => {
    const { status } = await ask(user, { key: `sk-tg-${'a'.repeat(46)}` })
    expect(status).toBe(422)
  })
})

test('margins are split by credential, of all models and groups alone', async () => {
  const id = await settled({ upstreamName: 'split-here', credentialName: 'work' })
  const { body } = await admin.ask('GET', '/api/margins?upstream=split-here&split=credential')
  expect(body.rows).toMatchObject([{ id: 'work', name: 'work', upstream: 'split-here', requests: 1 }])
  const byFault = await admin.ask('GET', '/api/margins?upstream=split-here&credential=work&split=fault')
  expect(byFault.body.rows).toMatchObject([{ upstream: null, requests: 1 }])
  expect((await admin.ask('GET', `/api/usage/${id}`)).body).toMatchObject({ credential: 'work' })
  for (const more of ['split=credential&model=m', 'split=credential&group=default', 'credential=work&split=model']) {
    const answer = await admin.ask('GET', `/api/margins?${more}`)
    expect(answer.status).toBe(422)
  }
})

test('margins are a CSV by each split, for admins alone, in which no name is a formula', async () => {
  const cost = { providerCost: nanoUsd(400n), cost: 1_000n, ageMs: 1 }
  await settled({ ...cost, upstreamName: 'in-csv', credentialName: '=cmd|x, "y"' })
  const answer = await admin.ask('GET', '/api/margins.csv?upstream=in-csv&split=credential')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers.get('content-disposition')).toBe(
    'attachment; filename="tollgate-margins-by-credential-2026-11-21.csv"',
  )
  const header = 'id,name,upstream,requests,failed,charged_usd,costed_usd,provider_cost_usd,margin_usd\r\n'
  const name = `"'=cmd|x, ""y"""`
  expect(answer.text).toBe(`${header}${name},${name},in-csv,1,0,0.000001,0.000001,0.0000004,0.0000006\r\n`)
  const byGroup = await admin.ask('GET', '/api/margins.csv?upstream=in-csv&split=group')
  expect(byGroup.text).toBe(`${header}${groupId},default,,1,0,0.000001,0.000001,0.0000004,0.0000006\r\n`)
  const headers = { authorization: `Bearer ${TEST_ADMIN_TOKEN}` }
  const marked = await fetch(`${control.origin}/api/margins.csv?bom=true`, { headers })
  expect([...new Uint8Array(await marked.arrayBuffer()).subarray(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64])
  expect((await admin.ask('GET', '/api/margins.csv?split=credential&model=m')).status).toBe(422)
  expect((await user.ask('GET', '/api/margins.csv')).status).toBe(403)
})
