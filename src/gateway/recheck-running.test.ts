import { expect, test } from 'vitest'
import type { ApiKey, KeyWithOwner } from '../access/api-key.ts'
import { HOUR_MS } from '../core/durations.ts'
import type { Fault } from '../core/faults.ts'
import { recheckRunning } from './recheck-running.ts'
import { RunningRequests } from './running-requests.ts'

/** A key whose secret ends in these characters, and the one before it in `overlap`. */
function keyWith(secretEnd: string, overlap: { secretEnd: string; endsAt: number } | null): ApiKey {
  const key = { id: 'key_1', status: 'active', expiresAt: null, secretStart: 'sk-tg-abcd', secretEnd, overlap }
  return key as unknown as ApiKey
}

async function cutAfter(by: Partial<KeyWithOwner> & { key: ApiKey }, now: ApiKey): Promise<string | null> {
  const account = { id: 'acc_1', status: 'active' }
  let fault: Fault | null = null
  const running = new RunningRequests()
  running.add({ caller: { account, subscriptions: [], ...by }, cut: (with_: Fault) => (fault = with_) } as never)
  const store = { keys: { findById: async () => now }, accounts: { findById: async () => account as never } }
  await recheckRunning('all', { running, store, nowMs: HOUR_MS })
  return (fault as Fault | null)?.message ?? null
}

test('a rotation without an overlap cuts what runs by an earlier secret, and nothing else', async () => {
  const now = keyWith('bbbb', { secretEnd: 'aaaa', endsAt: 0 })
  expect(await cutAfter({ key: keyWith('aaaa', null) }, now)).toContain('ending in aaaa was replaced')
  const byOlder = {
    key: keyWith('aaaa', { secretEnd: 'zzzz', endsAt: 2 * HOUR_MS }),
    isByPreviousSecret: true,
  } as const
  expect(await cutAfter(byOlder, now)).toContain('ending in zzzz was replaced')
  expect(await cutAfter({ key: keyWith('bbbb', null) }, now)).toBeNull()
})

test('a rotation with an overlap cuts nothing, not even when the overlap is over', async () => {
  for (const endsAt of [2 * HOUR_MS, 1]) {
    const now = keyWith('bbbb', { secretEnd: 'aaaa', endsAt })
    expect(await cutAfter({ key: keyWith('aaaa', null) }, now)).toBeNull()
    expect(await cutAfter({ key: now, isByPreviousSecret: true }, now)).toBeNull()
  }
})
