import { describe, expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import type { KeyWithOwner } from '../../access/api-key.ts'
import {
  BODIES_UNDER_WAY_LIMIT_BYTES,
  BODY_GRACE_MS,
  BODY_LOWEST_BYTES,
  BODY_PERIOD_MS,
  SMALL_BODY_BYTES,
} from '../../core/limits.ts'
import { BodiesUnderWay, type BodyUnderWay } from './bodies-under-way.ts'

const MB = 1024 * 1024
const LARGE = 32 * MB - 1

function callerOf(keyId: string, accountId: string, concurrency: number | null = null): KeyWithOwner {
  const rateLimit = concurrency === null ? null : { concurrency, requestsPerMinute: null, tokensPerMinute: null }
  return { key: { id: keyId, rateLimit }, account: { id: accountId } } as unknown as KeyWithOwner
}

const SELDOM = { elapsed: 0, onSlow: () => {} }

/** Begins bodies of this size until one is refused; returns them, and why the last one is. */
function fill(bodies: BodiesUnderWay, sender: { key: string; account: string; address: string }, size: number) {
  const begun: BodyUnderWay[] = []
  for (let i = 0; i < 50_000; i++) {
    try {
      const caller = callerOf(sender.key, sender.account)
      const body = bodies.begin({ caller, address: sender.address }, SELDOM)
      const fault = body.add(size)
      if (fault === null) begun.push(body)
      else {
        body.end()
        return { begun, message: fault.message }
      }
    } catch (error) {
      return { begun, message: String(error) }
    }
  }
  throw new Error('none was refused')
}

test('what ended counts no more, whichever way it came', () => {
  const bodies = new BodiesUnderWay()
  const { begun } = fill(bodies, { key: 'key_1', account: 'acc_1', address: '192.0.2.1' }, LARGE)
  expect(bodies.bytes).toBeGreaterThan(90 * MB)
  for (const body of begun) body.end()
  expect(bodies.bytes).toBe(0)
  expect(fill(bodies, { key: 'key_1', account: 'acc_1', address: '192.0.2.1' }, LARGE).begun).toHaveLength(begun.length)
})

describe('however many bodies are half sent', () => {
  test.for([
    ['one key', { key: 'key_1', account: 'acc_1', address: '192.0.2.1' }, 'this API key'],
    ['one account with many keys', { key: '', account: 'acc_1', address: '' }, 'this account'],
    ['one address with many accounts', { key: '', account: '', address: '192.0.2.1' }, 'this address'],
    ['one connection with many IPv6 addresses', { key: '', account: '', address: '2001:db8::' }, 'this address'],
  ] as const)('by %s, another has room for large ones and small ones', ([, who, stopped]) => {
    const bodies = new BodiesUnderWay()
    for (const size of [LARGE, SMALL_BODY_BYTES, 0]) {
      let messages = ''
      for (let i = 0; i < 40; i++) {
        const sender = {
          key: who.key === '' ? `key_${i}` : who.key,
          account: who.account === '' ? `acc_${i}` : who.account,
          address:
            who.address === '' ? `198.51.100.${i}` : who.address === '2001:db8::' ? `2001:db8::${i}` : who.address,
        }
        messages = fill(bodies, sender, size).message
      }
      expect(messages).toContain(stopped)
    }
    expect(bodies.bytes).toBeLessThan(BODIES_UNDER_WAY_LIMIT_BYTES * 0.6)
    const other = { key: 'key_other', account: 'acc_other', address: '203.0.113.1' }
    expect(fill(bodies, other, 3 * MB).begun.length).toBeGreaterThan(10)
    expect(fill(bodies, other, 300).begun.length).toBeGreaterThan(100)
  })

  test('by all together, small ones are still taken', () => {
    const bodies = new BodiesUnderWay()
    for (let i = 0; i < 20; i++) {
      fill(bodies, { key: `key_${i}`, account: `acc_${i}`, address: `198.51.100.${i}` }, LARGE)
    }
    const other = { key: 'key_other', account: 'acc_other', address: '203.0.113.1' }
    const { begun, message } = fill(bodies, other, 3 * MB)
    expect(begun).toEqual([])
    expect(message).toContain('as it can hold')
    expect(fill(bodies, other, SMALL_BODY_BYTES).begun.length).toBeGreaterThan(100)
  })
})

test('a key has as many requests on their way as may run at once', () => {
  const bodies = new BodiesUnderWay()
  const sender = { caller: callerOf('key_1', 'acc_1', 2), address: '192.0.2.1' }
  const first = bodies.begin(sender, SELDOM)
  bodies.begin(sender, SELDOM)
  expect(() => bodies.begin(sender, SELDOM)).toThrow(/2 requests running at once/)
  first.end()
  bodies.begin(sender, SELDOM)
})

describe('a body that comes slowly', () => {
  function slowly(bytesInPeriod: number, atFirst = 0): number | null {
    const slowAt: number[] = []
    const bodies = new BodiesUnderWay()
    const body = bodies.begin(
      { caller: callerOf('key_1', 'acc_1'), address: '192.0.2.1' },
      { elapsed: 0, onSlow: () => void slowAt.push(elapsed) },
    )
    let elapsed = 0
    body.add(atFirst)
    for (; elapsed <= 120_000 && slowAt.length === 0; elapsed += 100) {
      bodies.look(elapsed)
      if (elapsed % BODY_PERIOD_MS === 0) body.add(bytesInPeriod)
    }
    return slowAt[0] ?? null
  }

  test('has its first seconds, and is then given up', () => {
    expect(slowly(0)).toBe(BODY_GRACE_MS)
    expect(slowly(100)).toBe(BODY_GRACE_MS)
    expect(slowly(100, 60_000)).toBe(BODY_GRACE_MS + BODY_PERIOD_MS)
  })

  test('is read to its end where it comes as over the slowest lines', () => {
    expect(slowly(BODY_LOWEST_BYTES)).toBeNull()
    expect(slowly(200_000, 2 * MB)).toBeNull()
  })

  test('must come the faster the more of it is held', () => {
    expect(slowly(BODY_LOWEST_BYTES, 31 * MB)).toBe(BODY_GRACE_MS + BODY_PERIOD_MS)
  })
})

test('large bodies that are being read take their room until they have been', () => {
  const bodies = new BodiesUnderWay()
  const sender = { caller: callerOf('key_1', 'acc_1'), address: '192.0.2.1' }
  const other = { caller: callerOf('key_2', 'acc_2'), address: '192.0.2.2' }
  const kept: (() => void)[] = []
  // A key has a quarter of the room, and another one still has its own.
  expect(() => {
    for (let at = 0; at < 100; at++) kept.push(bodies.keep(sender, 32 * MB))
  }).toThrow(Fault)
  expect(kept).toHaveLength(3)
  bodies.keep(other, 32 * MB)()
  kept.pop()?.()
  kept.push(bodies.keep(sender, 32 * MB))
  for (const giveBack of kept) giveBack()
  expect(bodies.bytes).toBe(0)
})
