import { expect, test } from 'vitest'
import { STORE_FAILURES } from '../../core/store-failures.ts'
import { clocksOff, failingStore, fullDisks, nodesBehind, oidcClockOff, redisDown } from './machine-items.ts'

const GIB = 2 ** 30
const disk = { of: 'data', bytes: 100 * GIB, growthPerDay: null } as const

test('a disk is named from nine tenths on, with what is left and when it is full at its growth', () => {
  expect(fullDisks([{ ...disk, freeBytes: 10 * GIB + 1 }])).toEqual([])
  expect(fullDisks([{ ...disk, freeBytes: 10 * GIB }])).toMatchObject([
    { kind: 'disk_full', disk: { of: 'data', free_bytes: 10 * GIB, full_in_days: null } },
  ])
  const [item] = fullDisks([{ ...disk, freeBytes: 5 * GIB, growthPerDay: 2 * GIB }])
  expect(item?.disk?.full_in_days).toBe(2)
  expect(item?.detail).toMatch(/95 % full, with 5120 MiB left; at its growth it is full in 2 days/)
})

test('a clock is named beyond two seconds, once for each host, by the largest difference', () => {
  const node = (host: string, database: number | null, providers: number | null) => ({
    host,
    standing: { version: '1', in_flight: 0, busy: 0, clock: { database, providers } },
  })
  expect(clocksOff([node('one', 2_000, -2_000), { host: 'new', standing: null }, node('two', null, null)])).toEqual([])
  expect(clocksOff([node('one', 2_500, null), node('one', 2_100, -9_400), node('two', 3_000, 0)])).toMatchObject([
    { clock: { host: 'one', ahead_ms: -9_400, of: 'providers' }, detail: expect.stringContaining('9 s behind') },
    { clock: { host: 'two', ahead_ms: 3_000, of: 'database' } },
  ])
})

test('the clock of the host that answers is named beside the OIDC provider’s', () => {
  const nodes = [
    { host: 'other', here: false },
    { host: 'one', here: true },
  ]
  expect([oidcClockOff(nodes, null), oidcClockOff(nodes, -2_000), oidcClockOff([], 9_000)]).toEqual([[], [], []])
  expect(oidcClockOff(nodes, -90_000)).toMatchObject([
    {
      kind: 'clock_off',
      clock: { host: 'one', of: 'oidc' },
      detail: expect.stringContaining('90 s behind the OIDC provider’s'),
    },
  ])
})

test('a node that is far behind is named, and one that is a few changes behind is not', () => {
  const node = (behind: number) => ({ host: 'one', process_id: 7, behind })
  expect(nodesBehind([node(0), node(49)])).toEqual([])
  expect(nodesBehind([node(50)])).toMatchObject([{ kind: 'node_behind', node: { host: 'one (7)', behind: 50 } }])
})

test('Redis is named where it is used and does not answer', () => {
  expect([redisDown(null), redisDown(true)]).toEqual([[], []])
  expect(redisDown(false)).toMatchObject([{ kind: 'redis_down' }])
})

test.for(STORE_FAILURES)('a database that cannot be used is one item, and says what to do: %s', (failure) => {
  expect(failingStore(null)).toEqual([])
  const [item, ...more] = failingStore(failure)
  expect([item?.kind, item?.store, more]).toEqual(['store_failing', failure, []])
  expect(item?.detail).toMatch(/ every call is refused with store_unavailable\. .+\.$/)
})
