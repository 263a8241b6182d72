import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NODE_BEAT_MS } from '../../src/core/limits.ts'
import { parseUsd } from '../../src/core/money.ts'
import { type DeviceCalls, deviceCalls, type ShownHead } from '../support/device-calls.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const QUOTA = { quotaLimit: parseUsd('1'), quotaReset: 'monthly' } as const

/** How a cap stands, as Claude Code shows it: in the heads of answers, and where it asks for it. */
describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  let at: DeviceCalls
  beforeAll(async () => {
    at = await deviceCalls(engine, 1)
  })
  afterAll(() => at.close())

  test('the head of each answer has it, whole or streamed, until the cap is used up', async () => {
    const device = await at.device(QUOTA)
    const standing = async () => {
      const { limits } = await at.usage(device)
      const { percent, resets_at } = limits[0] ?? { percent: NaN, resets_at: '' }
      return { share: String(Math.min(0.99, percent / 100)), reset: String(Date.parse(resets_at) / 1000) }
    }
    const heads: (readonly [string | undefined, string | undefined, string | undefined])[] = []
    for (const { cents, isStream } of [
      { cents: 50, isStream: false },
      { cents: 25, isStream: true },
      { cents: 1, isStream: false },
      { cents: 19, isStream: true },
      { cents: 1, isStream: true },
      { cents: 0, isStream: false },
      { cents: 90, isStream: false },
    ]) {
      const before = await standing()
      const { status, unified } = await at.call(device, { cents, isStream })
      // A stream's head is gone before its cost is known; a whole answer's cost is in it.
      const { share, reset } = isStream ? before : await standing()
      expect([status, unified['overage-utilization'], unified['reset']]).toEqual([200, share, reset])
      expect(unified['overage-reset']).toBe(reset)
      expect(unified['representative-claim']).toBe('overage')
      expect(unified['overage-status']).toBe(unified['status'])
      heads.push([share, unified['status'], unified['overage-surpassed-threshold']])
    }
    expect(heads).toEqual([
      ['0.5', 'allowed', undefined],
      ['0.5', 'allowed', undefined],
      ['0.76', 'allowed_warning', '0.75'],
      ['0.76', 'allowed_warning', '0.75'],
      ['0.95', 'allowed_warning', '0.75'],
      ['0.96', 'allowed_warning', '0.95'],
      // Nearly all that was left: the answer was given, so its cap is not said to refuse.
      ['0.99', 'allowed_warning', '0.95'],
    ])
    const { status, unified } = await at.call(device, { cents: 1, isStream: true })
    expect([status, unified['status'], unified['representative-claim']]).toEqual([429, 'rejected', undefined])
    expect(await at.usage(device)).toMatchObject({ limits: [{ percent: 99, severity: 'critical' }] })
  })

  test('of several caps it is the fullest, and a window resets when the read-out says', async () => {
    const spend = [{ window: '5h' as const, usd: parseUsd('0.5') }]
    const device = await at.device({ ...QUOTA, rateLimit: { ...at.noCounts, spend } })
    await at.call(device, { cents: 10 })
    const { unified } = await at.call(device, { cents: 10 })
    const { limits } = await at.usage(device)
    const fullest = limits.find((each) => each.is_active)
    expect([fullest?.group, fullest?.percent, unified['overage-utilization']]).toEqual(['5h', 40, '0.4'])
    expect(unified['reset']).toBe(String(Date.parse(fullest?.resets_at ?? '') / 1000))
  })

  test('nothing is said of a cap to a personal API key, to a device without one, and on other protocols', async () => {
    const capped = await at.device(QUOTA)
    const heads: ShownHead[] = [
      await at.call(await at.key(QUOTA), { cents: 1 }),
      await at.call(await at.device({}), { cents: 1 }),
      await at.call(await at.device({ ...QUOTA, quotaReset: 'never' }), { cents: 1 }),
      await at.call(capped, { cents: 1, path: '/v1/chat/completions' }),
      await at.call(capped, { cents: 1, path: '/v1/messages/count_tokens' }),
    ]
    for (const { status, unified } of heads) expect([status, unified]).toEqual([200, {}])
  })

  test('what came to nothing is in no figure', async () => {
    const device = await at.device(QUOTA)
    await at.call(device, { cents: 10 })
    expect((await at.call(device, { cents: 0, model: 'fake/overloaded?tag=caps' })).status).toBeGreaterThan(500)
    expect((await at.call(device, { cents: 0, model: 'fake/bad-request?tag=caps' })).status).toBe(400)
    const { unified } = await at.call(device, { cents: 1, isStream: true })
    expect(unified['overage-utilization']).toBe('0.1')
  })
})

/** Two nodes that spend from one cap. A node hears of the other's spending with each grant, and with each of its beats. */
describe('on two nodes of PostgreSQL', () => {
  let at: DeviceCalls
  beforeAll(async () => {
    at = await deviceCalls('postgres', 2)
  })
  afterAll(() => at.close())

  test(
    'each shows what both spent, by the beat after it at the latest, and never more',
    { timeout: 60_000 },
    async () => {
      const device = await at.device({ quotaLimit: parseUsd('10'), quotaReset: 'monthly' })
      for (const node of [0, 1]) await at.call(device, { cents: 10, isStream: true, node })
      for (let i = 0; i < 5; i++) await at.call(device, { cents: 90, isStream: true, node: 0 })
      const shareAt = async (node: number) => {
        const { unified } = await at.call(device, { cents: 0, isStream: true, node })
        return Number(unified['overage-utilization'])
      }
      // What a node spent itself it knows at once.
      for (const [node, own] of [0.46, 0.01].entries()) {
        const share = await shareAt(node)
        expect(share).toBeGreaterThanOrEqual(own)
        expect(share).toBeLessThanOrEqual(0.47)
      }
      const timeout = 2 * NODE_BEAT_MS + PATIENCE_MS
      for (const node of [0, 1]) await expect.poll(() => shareAt(node), { timeout, interval: 500 }).toBe(0.47)
      expect((await at.usage(device)).limits[0]?.percent).toBe(47)
    },
  )

  test('a quota that is changed at one node is what the other’s next answer is measured by', async () => {
    const device = await at.device(QUOTA)
    await at.call(device, { cents: 50, node: 1 })
    await at.changeQuota(device, parseUsd('2'))
    const { unified } = await at.call(device, { cents: 0, node: 1 })
    expect(unified['overage-utilization']).toBe('0.25')
  })
})
