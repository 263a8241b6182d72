import { randomUUID } from 'node:crypto'
import { createClient } from '@redis/client'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NO_COUNTS } from '../../core/counted-limits.ts'
import type { CountedUse } from '../../metering/limits/counted-use.ts'
import { KeyLimits } from '../../metering/limits/key-limits.ts'
import { SharedUses, sharedUsesMemory } from '../../metering/limits/shared-uses.ts'
import { startRedisServer } from '../../../test/support/redis-server.ts'
import { testRedis } from '../../../test/support/test-servers.ts'
import { RedisCounts } from './redis-counts.ts'

const QUIET = { info: () => {}, warn: () => {} }
const LONG_MS = 30_000
const NO_TOKENS = { input: 0, output: 0 }

let url: string
beforeAll(async () => {
  ;({ url } = await testRedis())
})
const opened: RedisCounts[] = []
afterEach(() => {
  for (const counts of opened.splice(0)) counts.close()
})

interface Time {
  elapsed: number
}

async function node(at: { url?: string; time?: Time; waits?: boolean } = {}): Promise<RedisCounts> {
  const { time } = at
  const clock = { now: () => Date.now(), elapsed: () => time?.elapsed ?? performance.now() }
  const counts = new RedisCounts({
    url: at.url ?? url,
    clock,
    log: QUIET,
    ...(time === undefined ? {} : { serverTime: () => time.elapsed }),
  })
  opened.push(counts)
  if (at.waits !== false) await counts.untilReachable(LONG_MS)
  return counts
}

const limit = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null })
const limits = fc.record({
  concurrency: limit,
  requestsPerMinute: limit,
  tokensPerMinute: fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }),
})
const steps = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 40_000 }),
    node: fc.integer({ min: 0, max: 2 }),
    input: fc.integer({ min: 1, max: 60 }),
    output: fc.integer({ min: 0, max: 300 }),
    percent: fc.integer({ min: 0, max: 130 }),
    /** How many steps later it ends. */
    ends: fc.integer({ min: 1, max: 4 }),
    how: fc.constantFrom('end', 'end', 'end', 'undo', 'leave'),
  }),
  { maxLength: 14 },
)

function endAs(how: string, { uses, used }: { uses: readonly (CountedUse | null)[]; used: number }): void {
  for (const use of uses) {
    if (how === 'leave') use?.leave()
    if (how === 'undo') void use?.undo()
    else use?.end(used)
  }
}

test('three nodes count as the threads of one process do, for a key and its account at once', async () => {
  // A node goes on to count for 20 s of the server's time without being renewed, and this time is not the real one.
  const quick = steps.map((sequence) => sequence.map((step) => ({ ...step, afterMs: Math.floor(step.afterMs / 40) })))
  await fc.assert(
    fc.asyncProperty(fc.oneof(steps, quick), limits, limits, async (sequence, ofKey, ofAccount) => {
      const time = { elapsed: 1_000_000 }
      const nodes = await Promise.all([0, 1, 2].map(() => node({ time })))
      const clock = { now: () => time.elapsed, elapsed: () => time.elapsed }
      const model = new KeyLimits({
        clock,
        share: () => ({ index: 0, count: 1 }),
        uses: new SharedUses(sharedUsesMemory(), 0),
      })
      const key = { id: `key_${randomUUID()}`, rateLimit: ofKey }
      const account = { id: `acc_${randomUUID()}`, rateLimit: ofAccount }
      const asked = [key, account].map(({ id, rateLimit }) => ({ id, limits: rateLimit, judgedBy: rateLimit }))
      let running: { left: number; how: string; used: number; uses: readonly (CountedUse | null)[] }[] = []
      for (const step of sequence) {
        const { input, output } = step
        // A node whose requests still run renews them in time.
        const lease = running.length > 0 ? Math.min(step.afterMs, 4_000) : step.afterMs
        time.elapsed += lease
        const counts = nodes[step.node] ?? expect.unreachable()
        const refusal = model.refusal(key, { input, output }) ?? model.refusal(account, { input, output })
        const answer = await counts.count(asked, { input, output })
        expect(answer).toMatchObject(
          refusal === null
            ? { kind: 'counted' }
            : { kind: 'refused', refusal: { ...refusal, part: refusal.max, used: Math.ceil(refusal.used) } },
        )
        if (answer.kind === 'counted') {
          const uses = [model.begin(key, { input, output }), model.begin(account, { input, output }), answer.use]
          running.push({
            left: step.ends,
            how: step.how,
            used: Math.floor(((input + output) * step.percent) / 100),
            uses,
          })
        }
        for (const each of running) each.left -= 1
        for (const { how, used, uses } of running.filter(({ left }) => left <= 0)) {
          endAs(how, { uses, used })
        }
        running = running.filter(({ left }) => left > 0)
        for (const { id, rateLimit } of [key, account]) {
          // Asked by the node that changed it last, whose calls are answered in order.
          await Promise.all(nodes.map((each) => each.states(id, rateLimit)))
          expect(await counts.states(id, rateLimit)).toEqual(model.states({ id, rateLimit }))
          expect(counts.lastStates(id, rateLimit)).toEqual(model.states({ id, rateLimit }))
        }
      }
      for (const each of nodes) each.close()
    }),
    { numRuns: 150 },
  )
})

test('of many requests at once at several nodes exactly as many are let in as the limit allows', async () => {
  const nodes = await Promise.all([node(), node(), node()])
  const id = `key_${randomUUID()}`
  const rateLimit = { ...NO_COUNTS, requestsPerMinute: 17, concurrency: 12 }
  const ask = (at: number) =>
    nodes[at % 3]?.count([{ id, limits: rateLimit, judgedBy: rateLimit }], NO_TOKENS) ?? expect.unreachable()
  const first = await Promise.all(Array.from({ length: 60 }, (_, at) => ask(at)))
  expect(first.filter(({ kind }) => kind === 'counted')).toHaveLength(12)
  for (const answer of first) if (answer.kind === 'counted') answer.use.end(0)
  await Promise.all(nodes.map((each) => each.states(id, rateLimit)))
  const second = await Promise.all(Array.from({ length: 60 }, (_, at) => ask(at)))
  expect(second.filter(({ kind }) => kind === 'counted')).toHaveLength(5)
  const refused = second.flatMap((answer) => (answer.kind === 'refused' ? [answer.refusal] : []))
  expect(refused[0]).toMatchObject({ limit: 'requests', max: 17, used: 17, part: 17, nodes: 1 })
  expect(refused[0]?.waitMs).toBeGreaterThan(50_000)
})

test('what a node has running that died counts for as long as its lease, and what it counted for its minute', async () => {
  const time = { elapsed: 1_000_000 }
  const [dying, other] = await Promise.all([node({ time }), node({ time })])
  const id = `key_${randomUUID()}`
  const rateLimit = { ...NO_COUNTS, concurrency: 1, requestsPerMinute: 10 }
  const asked = [{ id, limits: rateLimit, judgedBy: rateLimit }]
  expect((await dying.count(asked, NO_TOKENS)).kind).toBe('counted')
  dying.close()
  time.elapsed += 19_999
  expect(await other.count(asked, NO_TOKENS)).toMatchObject({ kind: 'refused', refusal: { limit: 'concurrency' } })
  time.elapsed += 1
  expect((await other.count(asked, NO_TOKENS)).kind).toBe('counted')
  expect(await other.states(id, rateLimit)).toMatchObject([{ limit: 'requests', used: 2 }, { used: 1 }])
})

test('a server that goes away is done without, and what runs is known to the one that comes back', async () => {
  const first = await startRedisServer()
  const counts = await node({ url: first.url })
  const id = `key_${randomUUID()}`
  const rateLimit = { ...NO_COUNTS, concurrency: 5 }
  const asked = [{ id, limits: rateLimit, judgedBy: rateLimit }]
  const before = await counts.count(asked, NO_TOKENS)
  expect(before.kind).toBe('counted')
  await first.stop()
  await expect.poll(() => counts.isReachable).toBe(false)
  expect(await counts.count(asked, NO_TOKENS)).toEqual({ kind: 'unreachable' })
  expect(await counts.states(id, rateLimit)).toBeNull()
  const meanwhile = counts.runs(id, NO_TOKENS)
  const again = await startRedisServer(first.at)
  afterThis.push(() => again.stop())
  await expect.poll(() => counts.isReachable).toBe(true)
  expect(await counts.states(id, rateLimit)).toMatchObject([{ limit: 'concurrency', used: 2 }])
  meanwhile.end(0)
  if (before.kind === 'counted') before.use.end(0)
  expect(await counts.states(id, rateLimit)).toMatchObject([{ limit: 'concurrency', used: 0 }])
})

test('a server that takes calls and answers none is waited for once', async () => {
  const server = await startRedisServer()
  afterThis.push(() => server.stop())
  const counts = await node({ url: server.url })
  const id = `key_${randomUUID()}`
  const asked = [{ id, limits: { ...NO_COUNTS, concurrency: 5 }, judgedBy: { ...NO_COUNTS, concurrency: 5 } }]
  await command(server.url, ['CLIENT', 'PAUSE', '5000', 'ALL'])
  expect(await counts.count(asked, NO_TOKENS)).toEqual({ kind: 'unreachable' })
  expect(counts.isReachable).toBe(false)
  expect(await counts.count(asked, NO_TOKENS)).toEqual({ kind: 'unreachable' })
  await expect.poll(() => counts.isReachable).toBe(true)
})

test('a server that has forgotten the script hears it again, and one that cannot be written to is not asked', async () => {
  const server = await startRedisServer()
  afterThis.push(() => server.stop())
  const counts = await node({ url: server.url })
  const id = `key_${randomUUID()}`
  const asked = [{ id, limits: { ...NO_COUNTS, concurrency: 5 }, judgedBy: { ...NO_COUNTS, concurrency: 5 } }]
  await command(server.url, ['SCRIPT', 'FLUSH'])
  expect((await counts.count(asked, NO_TOKENS)).kind).toBe('counted')
  await command(server.url, ['REPLICAOF', '127.0.0.1', '1'])
  expect(await counts.count(asked, NO_TOKENS)).toEqual({ kind: 'unreachable' })
  const late = await node({ url: server.url, waits: false })
  await late.untilReachable(1_000)
  expect([counts.isReachable, late.isReachable]).toEqual([false, false])
  await command(server.url, ['REPLICAOF', 'NO', 'ONE'])
  await expect.poll(() => [counts.isReachable, late.isReachable]).toEqual([true, true])
})

async function command(at: string, words: string[]): Promise<void> {
  const client = createClient({ url: at })
  await client.connect()
  await client.sendCommand(words)
  client.destroy()
}

const afterThis: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of afterThis.splice(0)) await stop()
})
