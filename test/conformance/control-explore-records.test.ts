import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { nanoUsd } from '../../src/core/money.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { aSettlement } from './store-fixtures.ts'
import { ENGINES_ABOVE_STORES } from './store-under-test.ts'

const HOUR_MS = 3_600_000

interface Row {
  readonly parts: readonly { readonly id: string }[]
}

describe.each(ENGINES_ABOVE_STORES)('requests that are summed one by one, compared and timed on %s', (engine) => {
  let control: ControlUnderTest
  let admin: Asker
  let [ada, bob] = ['', '']
  beforeAll(async () => {
    control = await controlUnderTest({ engine })
    admin = await control.account({ role: 'admin' })
    const people = [await control.account({ balance: '10' }), await control.account({ balance: '10' })]
    ;[ada = '', bob = ''] = people.map(({ account }) => account.id)
    const groupId = (await admin.ask('POST', '/api/groups', { name: 'vip' })).body.id
    const keyOf = async (tags: string[]) => {
      const answer = await admin.ask('POST', '/api/keys', { name: tags[0], tags, group: 'vip', account_id: ada })
      return answer.body.key.id as string
    }
    const [laptop, server] = [await keyOf(['home', 'work']), await keyOf(['ci'])]
    const settled = (
      of: {
        readonly account: string
        readonly cost: bigint
        readonly hoursAgo?: number
        readonly times: readonly [number | null, number]
      },
      record: Partial<UsageRecord>,
    ) => {
      const createdAt = control.clock.now() - 60_000 - (of.hoursAgo ?? 0) * HOUR_MS
      const [firstByteMs, totalMs] = of.times
      const at = { id: newId('req', createdAt), createdAt, groupId, groupName: 'vip', firstByteMs, totalMs }
      return aSettlement(of.account, of.cost, { record: { ...at, credentialName: null, client: null, ...record } })
    }
    const ci = { credentialName: 'first', client: 'claude-cli/2', wire: 'anthropic-messages' } as const
    const failed = { outcome: 'failed', fault: 'upstream_overloaded', upstreamName: 'spare' } as const
    await control.store.settlements.settle([
      settled(
        { account: ada, cost: 1000n, times: [100, 400] },
        { keyId: laptop, model: 'big', upstreamName: 'main', providerCost: nanoUsd(400n) },
      ),
      settled(
        { account: ada, cost: 200n, times: [300, 500] },
        { keyId: server, model: 'small', upstreamName: 'main', ...ci },
      ),
      settled(
        { account: bob, cost: 3000n, times: [null, 900] },
        { model: 'big', upstreamName: 'spare', providerCost: nanoUsd(5000n) },
      ),
      settled({ account: bob, cost: 0n, times: [null, 30_000] }, { model: 'big', ...failed }),
      settled({ account: bob, cost: 9000n, times: [50, 60], hoursAgo: 4 }, { model: 'old', upstreamName: 'main' }),
    ])
  })
  afterAll(() => control.close())

  /** A whole hour, so many from the one that runs. */
  const hour = (from: number) => new Date((Math.floor(control.clock.now() / HOUR_MS) + from) * HOUR_MS).toISOString()
  /** Two hours and the one that runs; the time before has the oldest. */
  const explored = (query: string) => admin.ask('GET', `/api/usage/explore?${query}&from=${hour(-2)}&to=${hour(1)}`)

  test('have tokens and costs by anything that no sums are kept for', async () => {
    const { body } = await explored('by=account&and=upstream')
    expect(body.rows.slice(0, 2)).toMatchObject([
      { parts: [{ id: bob }, { id: 'spare' }], requests: 2, failed: 1, margin: '-0.000002' },
      { parts: [{ id: ada }, { id: 'main' }], requests: 2, charged: '0.0000012', provider_cost: '0.0000004' },
    ])
    expect(body).toMatchObject({ since: null, totals: { requests: 4, failed: 1, margin: '-0.0000014' } })
    expect(body.rows[0].output_tokens).toBeGreaterThan(0)
    expect((await explored(`by=fault&and=model&account=${ada}`)).body.rows).toMatchObject([
      { parts: [{ id: '', name: null }, { id: 'big' }], requests: 1 },
      { parts: [{ id: '' }, { id: 'small' }], requests: 1, failed: 0 },
    ])
  })

  test('are narrowed by credential, client, protocol and tag', async () => {
    for (const narrow of ['tag=ci', 'client=claude-cli/2', 'credential=first', 'protocol=anthropic-messages']) {
      const { body } = await explored(`by=model&${narrow}`)
      expect(body.rows, narrow).toMatchObject([{ parts: [{ id: 'small' }], requests: 1, charged: '0.0000002' }])
    }
    const { body } = await explored(`by=client&and=credential&account=${ada}`)
    expect(body.rows.map(({ parts }: Row) => parts.map(({ id }) => id))).toEqual([
      ['', ''],
      ['claude-cli/2', 'first'],
    ])
  })

  test('count once in all, and once with each tag of their key', async () => {
    const { body } = await explored(`by=tag&account=${ada}`)
    expect(body.totals).toMatchObject({ requests: 2, charged: '0.0000012' })
    expect(body.rows).toMatchObject([
      { parts: [{ id: 'home' }], requests: 1, charged: '0.000001' },
      { parts: [{ id: 'work' }], requests: 1, charged: '0.000001' },
      { parts: [{ id: 'ci' }], requests: 1, charged: '0.0000002' },
    ])
  })

  test('are timed in all and with each tag of their key, of two parts as of one', async () => {
    const ofAda = { total_ms: { p50: 400, p95: 500 }, first_byte_ms: { p50: 100, p95: 300 } }
    const { body } = await explored(`by=tag&account=${ada}`)
    expect(body.totals).toMatchObject(ofAda)
    expect(body.rows.map((row: { total_ms: unknown }) => row.total_ms)).toEqual([
      { p50: 400, p95: 400 },
      { p50: 400, p95: 400 },
      { p50: 500, p95: 500 },
    ])
    const { body: parted } = await explored(`by=model&and=tag&account=${ada}`)
    expect(parted.totals).toMatchObject(ofAda)
    expect(
      parted.rows.map(({ parts, total_ms }: Row & { total_ms: unknown }) => [...parts.map(({ id }) => id), total_ms]),
    ).toEqual([
      ['big', 'home', { p50: 400, p95: 400 }],
      ['big', 'work', { p50: 400, p95: 400 }],
      ['small', 'ci', { p50: 500, p95: 500 }],
    ])
  })

  test('stand beside the time before, kept sums and others alike, with what is there no more', async () => {
    for (const by of ['model', 'model&and=protocol']) {
      const { body } = await explored(`by=${by}&account=${bob}`)
      expect(body.totals, by).toMatchObject({ requests: 2, before: { requests: 1, failed: 0, charged: '0.000009' } })
      expect(Date.parse(body.before_from), by).toBe(Date.parse(hour(-5)))
      expect(body.rows, by).toMatchObject([
        {
          parts: [{ id: 'big' }, {}].slice(0, by === 'model' ? 1 : 2),
          requests: 2,
          before: { requests: 0, charged: '0' },
        },
        { requests: 0, charged: '0', before: { requests: 1, charged: '0.000009' }, total_ms: null },
      ])
      expect(body.rows[1].parts[0].id, by).toBe('old')
    }
  })

  test('have the times of those that ended well, half of them and 95 % not slower', async () => {
    const { body } = await explored('by=upstream')
    expect(body.totals).toMatchObject({ total_ms: { p50: 500, p95: 900 }, first_byte_ms: { p50: 100, p95: 300 } })
    expect(body.rows.slice(0, 2)).toMatchObject([
      { parts: [{ id: 'spare' }], total_ms: { p50: 900, p95: 900 }, first_byte_ms: null },
      { parts: [{ id: 'main' }], total_ms: { p50: 400, p95: 500 }, first_byte_ms: { p50: 100, p95: 300 } },
    ])
    expect(body.timed_since).toBeNull()
  })

  test('are as many of the newest as are asked for, half of which are timed, and say since when', async () => {
    const { body } = await explored(`by=client&account=${bob}&newest=1`)
    expect(body).toMatchObject({ totals: { requests: 1 } })
    expect([body.since, body.timed_since].every((at) => Date.parse(at) < control.clock.now())).toBe(true)
    expect((await explored(`by=client&account=${bob}&newest=2`)).body).toMatchObject({
      since: null,
      totals: { requests: 2, charged: '0.000003' },
    })
    for (const wrong of ['0', '200001', 'all']) {
      expect((await explored(`by=client&newest=${wrong}`)).status, wrong).toBe(422)
    }
  })
})
