import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createClient } from '@redis/client'
import { afterEach, expect, test } from 'vitest'
import { type CountedLimits, NO_COUNTS } from '../../core/counted-limits.ts'
import { startRedisServer } from '../../../test/support/redis-server.ts'
import { testRedis } from '../../../test/support/test-servers.ts'
import { RedisCounts } from './redis-counts.ts'

// What may happen on the way to a Redis server, and to the clocks at both ends.

const QUIET = { info: () => {}, warn: () => {} }
const LONG_MS = 30_000
const NO_TOKENS = { input: 0, output: 0 }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function node(at: { url: string; time?: { elapsed: number } }): Promise<RedisCounts> {
  const { url, time } = at
  const clock = { now: () => Date.now(), elapsed: () => time?.elapsed ?? performance.now() }
  const ofServer = time === undefined ? {} : { serverTime: () => time.elapsed }
  const counts = new RedisCounts({ url, clock, log: QUIET, ...ofServer })
  closing.push(() => counts.close())
  await counts.untilReachable(LONG_MS)
  return counts
}

/** A way to the server that is in the test's hand. */
async function wayTo(url: string) {
  const { hostname, port } = new URL(url)
  const clients = new Set<Socket>()
  let heard = ''
  let isHeld = false
  const server = createServer((client) => {
    const there = connect(Number(port), hostname)
    clients.add(client)
    for (const [from, to] of [
      [client, there],
      [there, client],
    ] as const) {
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', (chunk: Buffer) => {
        if (from === client) heard += chunk.toString('latin1')
        if (from === client || !isHeld) to.write(chunk)
      })
    }
    client.on('close', () => clients.delete(client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  const here = new URL(url)
  here.port = String((server.address() as AddressInfo).port)
  return {
    url: here.href,
    /** Says something to the clients, as if the server had. */
    say: (text: string) => {
      for (const client of clients) client.write(text)
    },
    /** Answers come no more. */
    hold: () => {
      heard = ''
      isHeld = true
    },
    /** How many calls of this operation the server has heard since. */
    heard: (operation: string) => heard.split(`\r\n${operation}\r\n`).length - 1,
    cut: () => {
      for (const client of clients) client.destroy()
    },
  }
}

function limited(rateLimit: Partial<CountedLimits>) {
  const limits = { ...NO_COUNTS, ...rateLimit }
  const id = `key_${randomUUID()}`
  return { id, limits, asked: [{ id, limits, judgedBy: limits }] }
}

test('a server that says what cannot be read is connected to anew', async () => {
  const way = await wayTo((await testRedis()).url)
  const counts = await node({ url: way.url })
  way.say('HTTP/1.1 400 Bad Request\r\n\r\n')
  await expect.poll(() => counts.isReachable).toBe(false)
  await expect.poll(() => counts.isReachable).toBe(true)
  expect((await counts.count(limited({ concurrency: 1 }).asked, NO_TOKENS)).kind).toBe('counted')
})

test('a process that stands still for longer than a server may take does not take the server for gone', async () => {
  const counts = await node({ url: (await testRedis()).url })
  const { id, limits, asked } = limited({ requestsPerMinute: 10 })
  const first = counts.count(asked, NO_TOKENS)
  standStill()
  expect((await first).kind).toBe('counted')
  const second = counts.count(asked, NO_TOKENS)
  // What was asked is on its way by now.
  setImmediate(() => setImmediate(standStill))
  expect((await second).kind).toBe('counted')
  expect(await counts.states(id, limits)).toMatchObject([{ used: 2 }])
})

function standStill(): void {
  const until = performance.now() + 1_200
  while (performance.now() < until);
}

test('what runs of many keys is renewed a few at a time, and all of it', async () => {
  const way = await wayTo((await testRedis()).url)
  const counts = await node({ url: way.url })
  const keys = Array.from({ length: 1_000 }, () => limited({ concurrency: 3 }))
  await Promise.all(keys.map(({ asked }) => counts.count(asked, NO_TOKENS)))
  way.cut()
  await expect.poll(() => counts.isReachable).toBe(false)
  // On a new connection all is said anew, and a key that is asked for at once before that.
  await expect.poll(() => counts.isReachable).toBe(true)
  const [first] = keys
  expect((await counts.count(first?.asked ?? [], NO_TOKENS)).kind).toBe('counted')
  for (const { id, limits } of keys.slice(1)) {
    await expect.poll(() => counts.states(id, limits)).toMatchObject([{ used: 1 }])
  }
  expect(await counts.states(first?.id ?? '', NO_COUNTS)).toEqual([])
  expect(await counts.states(first?.id ?? '', { ...NO_COUNTS, concurrency: 3 })).toMatchObject([{ used: 2 }])
  way.hold()
  await expect.poll(() => counts.isReachable).toBe(false)
  expect(way.heard('renew')).toBeGreaterThan(0)
  expect(way.heard('renew')).toBeLessThanOrEqual(4)
})

test('what ended while the server could not hear of it holds no place once it can', async () => {
  const way = await wayTo((await testRedis()).url)
  const counts = await node({ url: way.url })
  const { id, limits, asked } = limited({ concurrency: 3 })
  const answers = [await counts.count(asked, NO_TOKENS), await counts.count(asked, NO_TOKENS)]
  way.cut()
  await expect.poll(() => counts.isReachable).toBe(false)
  for (const answer of answers) if (answer.kind === 'counted') answer.use.end(0)
  await expect.poll(() => counts.isReachable).toBe(true)
  expect((await counts.count(asked, NO_TOKENS)).kind).toBe('counted')
  expect(await counts.states(id, limits)).toMatchObject([{ used: 1 }])
})

test('a server whose clock is put back holds nothing for longer', async () => {
  const time = { elapsed: 10_000_000 }
  const { url } = await testRedis()
  const [dying, other] = [await node({ url, time }), await node({ url, time })]
  const { id, limits, asked } = limited({ concurrency: 2, requestsPerMinute: 2, tokensPerMinute: 100 })
  expect((await dying.count(asked, { input: 40, output: 40 })).kind).toBe('counted')
  dying.close()
  time.elapsed -= 3_600_000
  expect(await other.states(id, limits)).toMatchObject([
    { limit: 'requests', used: 1, resetMs: expect.closeTo(60_000, -3) },
    { limit: 'tokens', used: 80 },
    { limit: 'concurrency', used: 1 },
  ])
  time.elapsed += 20_000
  expect(await other.states(id, limits)).toMatchObject([{ used: 1 }, { used: 80 }, { used: 0 }])
  time.elapsed += 41_000
  expect(await other.states(id, limits)).toMatchObject([{ used: 0 }, { used: 0 }, { used: 0 }])
})

test('a server of a cluster, which cannot count for a key and its account in one step, is not asked', async () => {
  const server = await startRedisServer(undefined, { 'cluster-enabled': 'yes' })
  closing.push(() => void server.stop())
  const client = createClient({ url: server.url })
  await client.connect()
  await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
  await expect.poll(() => client.sendCommand(['CLUSTER', 'INFO'])).toContain('cluster_state:ok')
  client.destroy()
  const said: string[] = []
  const log = { info: () => said.push('answers'), warn: (of: object) => said.push(String(Object.values(of)[0])) }
  const clock = { now: () => Date.now(), elapsed: () => performance.now() }
  const counts = new RedisCounts({ url: server.url, clock, log })
  closing.push(() => counts.close())
  await expect.poll(() => said).toHaveLength(1)
  expect([counts.isReachable, said[0]]).toEqual([false, expect.stringContaining('CROSSSLOT')])
})

test.each([
  ['warns', { maxmemory: '64mb', 'maxmemory-policy': 'volatile-lru' }, ['volatile-lru']],
  ['is silent', { maxmemory: '64mb', 'maxmemory-policy': 'noeviction' }, []],
  ['is silent', { maxmemory: '0', 'maxmemory-policy': 'allkeys-lru' }, []],
] as const)('%s of a server with %o', async (_, settings, policies) => {
  const server = await startRedisServer(undefined, settings)
  closing.push(() => void server.stop())
  const warned: unknown[] = []
  const log = { info: () => {}, warn: (about: object) => void warned.push((about as { policy?: string }).policy) }
  const counts = new RedisCounts({ url: server.url, clock: { now: Date.now, elapsed: () => performance.now() }, log })
  closing.push(() => counts.close())
  await counts.untilReachable(LONG_MS)
  // Answers come in the order of what was asked.
  await counts.count(limited({ concurrency: 1 }).asked, NO_TOKENS)
  expect(warned).toEqual(policies)
})
