import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../core/log.ts'
import { startModelChecks } from './scheduled-work.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

test('a look that an upstream lets wait does not keep the gateway from its end', async () => {
  const asked = Promise.withResolvers<void>()
  const store = {
    settings: {
      read: () => {
        asked.resolve()
        return new Promise<never>(() => {})
      },
    },
  }
  const checks = startModelChecks({
    store: store as unknown as Parameters<typeof startModelChecks>[0]['store'],
    snapshots: { current: { upstreamsById: new Map() } },
    clock: { now: () => 0, elapsed: () => 0 },
    log: createLogger('silent'),
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await asked.promise
  let hasStopped = false
  const stopped = checks.stop().then(() => (hasStopped = true))
  await vi.advanceTimersByTimeAsync(1_999)
  expect(hasStopped).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stopped
})
