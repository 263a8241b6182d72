import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

describe.each(ENGINES_ABOVE_STORES)('requests of all accounts on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let [ada, bob] = ['', '']
  let groupId = ''
  let [laptop, server] = ['', '']
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    const people = [await control.account({ balance: '10' }), await control.account({ balance: '10' })]
    ;[ada = '', bob = ''] = people.map(({ account }) => account.id)
    groupId = (await admin.ask('POST', '/api/groups', { name: 'vip' })).body.id
    const made = await Promise.all(
      ['laptop', 'server'].map(async (name) => {
        const answer = await admin.ask('POST', '/api/keys', { name, group: 'vip', account_id: ada })
        return answer.body.key.id as string
      }),
    )
    ;[laptop = '', server = ''] = made
    const settled = (accountId: string, cost: bigint, record: Partial<UsageRecord>) => {
      const now = control.clock.now() - 60_000
      const of = { id: newId('req', now), createdAt: now, groupId, groupName: 'vip', ...record }
      return aSettlement(accountId, cost, { record: of })
    }
    const failed = { outcome: 'failed', fault: 'upstream_overloaded', upstreamName: 'spare' } as const
    await control.store.settlements.settle([
      settled(ada, 1000n, { keyId: laptop, model: 'big', upstreamName: 'main', providerCost: nanoUsd(400n) }),
      settled(ada, 200n, { keyId: server, model: 'small', upstreamName: 'main' }),
      settled(bob, 3000n, { model: 'big', upstreamName: 'spare', providerCost: nanoUsd(5000n) }),
      settled(bob, 0n, { model: 'big', ...failed }),
    ])
  })
  afterAll(() => control.close())

  const explored = (query: string) => admin.ask('GET', `/api/usage/explore?${query}`)

  test('are summed by where they went, with what they cost and leave', async () => {
    const { body } = await explored('by=upstream&and=model&group=vip')
    expect(body.totals).toMatchObject({ requests: 4, failed: 1, charged: '0.0000042', margin: '-0.0000014' })
    expect(body.rows).toMatchObject([
      {
        parts: [{ id: 'spare' }, { id: 'big' }],
        requests: 2,
        failed: 1,
        provider_cost: '0.000005',
        margin: '-0.000002',
      },
      { parts: [{ id: 'main' }, { id: 'big' }], requests: 1, charged: '0.000001', margin: '0.0000006' },
      { parts: [{ id: 'main' }, { id: 'small' }], provider_cost: null, margin: null, input_tokens: null },
    ])
    expect((await explored('by=fault&upstream=spare')).body.rows).toMatchObject([
      { parts: [{ id: '', name: null }], requests: 1 },
      { parts: [{ id: 'upstream_overloaded', name: 'upstream_overloaded' }], requests: 1 },
    ])
  })

  test('are summed by who asked, with tokens, by names', async () => {
    const { body } = await explored('by=account&and=group')
    expect(body.rows).toMatchObject([
      { parts: [{ id: bob }, { id: groupId, name: 'vip' }], requests: 2, failed: 1, margin: null },
      { parts: [{ id: ada }, { name: 'vip' }], requests: 2, charged: '0.0000012' },
    ])
    expect(body.rows[0].parts[0].name).toContain('@')
    expect(body.rows[0].output_tokens).toBeGreaterThan(0)
    expect((await explored(`by=model&account=${ada}`)).body.rows).toMatchObject([
      { parts: [{ id: 'big' }], requests: 1 },
      { parts: [{ id: 'small' }], requests: 1 },
    ])
  })

  test('are summed by the keys of an account, and of one key', async () => {
    const { body } = await explored(`by=key&and=model&account=${ada}`)
    expect(body.rows).toMatchObject([
      { parts: [{ id: laptop, name: 'laptop' }, { id: 'big' }], requests: 1, charged: '0.000001', margin: null },
      { parts: [{ id: server, name: 'server' }, { id: 'small' }], requests: 1, charged: '0.0000002' },
    ])
    expect(body.totals).toMatchObject({ requests: 2, charged: '0.0000012' })
    expect(body.rows[0].output_tokens).toBeGreaterThan(0)
    expect((await explored(`by=model&key=${server}`)).body.rows).toMatchObject([{ parts: [{ id: 'small' }] }])
    expect((await explored(`by=group&key=${server}&account=${bob}`)).body.rows).toEqual([])
  })

  test('are refused by one thing twice, and by a span that ends before it begins', async () => {
    expect(await explored('by=model&and=model')).toMatchObject({ status: 422, body: { field: 'and' } })
    expect((await explored('from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z')).body.field).toBe('from')
  })

  test('are a CSV, with empty fields where nothing is known, and NDJSON', async () => {
    const { text } = await admin.ask('GET', '/api/usage/explore.csv?by=account')
    const [header, first] = text.split('\r\n')
    expect(header).toBe(
      'account,account_name,requests,failed,input_tokens,cache_read_tokens,output_tokens,charged_usd,provider_cost_usd,margin_usd,requests_before,failed_before,charged_before_usd,first_byte_ms_p50,first_byte_ms_p95,total_ms_p50,total_ms_p95,since,refusals_since',
    )
    expect(first).toMatch(new RegExp(`^${bob},[^,]+@[^,]+,2,1,\\d+,\\d+,\\d+,0.000003,,,0,0,0,\\d*,\\d*,\\d+,\\d+,,$`))
    const ndjson = await admin.ask('GET', '/api/usage/explore.ndjson?by=account')
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = ndjson.text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { account: bob, requests: 2, failed: 1, charged_usd: '0.000003', margin_usd: null },
      { account: ada, requests: 2 },
    ])
  })
})
