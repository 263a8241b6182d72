import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRedisServer } from '../support/redis-server.ts'
import { restartUnderLoad } from './restarts-under-load.ts'

let redis: Awaited<ReturnType<typeof startRedisServer>>
beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(() => redis.stop())

// from: caddyserver/caddy#5454 and #6259, haproxy/haproxy#2330, kubernetes/ingress-nginx#3639, BerriAI/litellm#14334.
test.for([
  ['nginx', 'postgres', {}],
  ['caddy', 'postgres', {}],
  ['haproxy', 'postgres', {}],
  ['nginx', 'postgres', { TOLLGATE_WORKERS: '2' }],
  ['haproxy', 'sqlite', { TOLLGATE_WORKERS: '2' }],
] as const)(
  'of a thousand requests none is refused or asked twice while both nodes behind %s on %s are restarted: %o',
  async ([balancer, engine, more]) => {
    const { short, shortCount, streams, streamCount, askedTwice, ledger } = await restartUnderLoad(balancer, {
      engine,
      environment: {
        // As it is shipped.
        TOLLGATE_SHUTDOWN_DELAY_MS: '',
        ...(engine === 'postgres' ? { REDIS_URL: redis.url } : {}),
        ...more,
      },
      restarts: 2,
      requests: 1_000,
    })
    expect(shortCount).toBeGreaterThanOrEqual(1_000)
    expect(short).toEqual({ 200: shortCount })
    expect(streams).toEqual({ whole: streamCount })
    expect(askedTwice).toEqual([])
    expect(ledger).toMatch(new RegExp(`^ok: .* ${shortCount + streamCount} usage records`, 'm'))
  },
)
