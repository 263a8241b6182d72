import { expect, test } from 'vitest'
import { auditLimits } from './audit-limits.ts'
import type { Evidence } from './evidence.ts'
import type { LoadKey } from './orders.ts'
import type { Sighting } from './watching-client.ts'
import type { WrittenRecord } from './written-books.ts'

/** The machine's clock when the clients' began. */
const APART = 1_790_000_000_000
const KEY = { id: 'key_1', limits: { concurrency: 1 } } as LoadKey

function seen(tag: string, about: Partial<Sighting>): Sighting {
  return {
    order: { tag, key: KEY },
    beganAt: 0,
    endedAt: 0,
    status: null,
    fault: null,
    hungUpAt: null,
    ...about,
  } as Sighting
}

function refused(tag: string, at: number, limit = 'concurrency'): WrittenRecord {
  const created_at = BigInt(APART + at)
  const fault_facts = JSON.stringify({ limit })
  return {
    client: tag,
    created_at,
    total_ms: 1n,
    attempts_json: '[]',
    outcome: 'refused',
    fault_facts,
  } as WrittenRecord
}

function audited(sightings: readonly Sighting[], records: readonly WrittenRecord[], threads = 1): string[] {
  const about = { sightings, keys: [KEY], lives: [], troubles: [], threads, books: { records } }
  return auditLimits(about as unknown as Evidence)
}

const REFUSED = seen('two', { beganAt: 300, endedAt: 310, status: 429, fault: 'rate_limited' })

test('a request that is refused while none is there is found', () => {
  expect(audited([REFUSED], [refused('two', 300)])).toEqual([
    'key key_1 in life 0: one was refused while 0 of 1 were there',
  ])
})

test('a body that was never whole is there until its client is seen to be gone', () => {
  const halfSent = seen('one', { beganAt: 100, endedAt: 120, hungUp: true, hungUpAt: 120 })
  expect(audited([halfSent, REFUSED], [refused('two', 300)])).toEqual([])
})

test('a request that another limit of its key refuses says nothing about how many run', () => {
  expect(audited([REFUSED], [refused('two', 300, 'spend')])).toEqual([])
})

test.for([
  [1, 3, []],
  [1, 4, ['key key_1 in life 0: one was refused while 0 of 1 were there, and the last before it was gone for 4 ms']],
  [4, 250, []],
  [
    4,
    251,
    ['key key_1 in life 0: one was refused while 0 of 1 were there, and the last before it was gone for 251 ms'],
  ],
] as const)(
  'with %i threads a request may be refused %i ms behind the end of another, or not',
  ([threads, ms, found]) => {
    const before = seen('one', { beganAt: 10, endedAt: 20, status: 200 })
    const record = { ...refused('one', 300 - ms - 1), outcome: 'completed', fault_facts: null } as WrittenRecord
    expect(audited([before, REFUSED], [record, refused('two', 300)], threads)).toEqual(found)
  },
)
