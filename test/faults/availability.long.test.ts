import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { PROBE_EVERY_MS } from '../../src/routing/target-health.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf, type ServerTarget } from '../support/put-model.ts'
import { type Script, scriptedUpstream, well } from '../support/scripted-upstream.ts'
import { lengthOfRun } from './chance.ts'
import { watchRests } from './watched-rests.ts'

// Three targets, of which one is dead and one fails half of the time. The long form, with its figures:
//   npm run test:more -- faults --length 20 availability.test

/** The number of requests in the short form; twenty times as many in the long one. */
const REQUESTS = 500 * lengthOfRun(process.env)
const AT_ONCE = 8
/** A port on which nothing listens. */
const NO_PORT = 1

let gateway: GatewayUnderTest
let secret: string
let accountId: string
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  const account = await gateway.account({ balance: '1000' })
  accountId = account.id
  secret = (await gateway.key(account)).secret
})
afterAll(() => gateway.close())

function halfWell(): Script {
  let turn = 0
  return (request, response) => {
    if (turn++ % 2 === 0) return well(request, response)
    request.resume()
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"No."}}')
  }
}

async function put(name: string, scripts: readonly (Script | null)[]): Promise<void> {
  const targets: ServerTarget[] = []
  for (const script of scripts) {
    if (script === null) targets.push({ port: NO_PORT })
    else {
      const upstream = await scriptedUpstream(script)
      onTestFinished(() => upstream.close())
      targets.push({ port: upstream.port })
    }
  }
  await putModelOf(gateway.store, { name, targets })
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${name}`, { headers })).ok
  await expect.poll(isKnown, { timeout: PATIENCE_MS }).toBe(true)
}

interface Load {
  readonly failed: number
  /** The time of each request, in milliseconds. */
  readonly times: readonly number[]
}

/** Sends so many requests to a model, some at a time. */
async function load(model: string, requests: number): Promise<Load> {
  const times: number[] = []
  let left = requests
  let failed = 0
  const client = async () => {
    while (left-- > 0) {
      const begun = performance.now()
      // Each is a conversation of its own, so that they are shared out among all targets.
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: `Question ${left}` }] })
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
      const answer = await fetch(`${gateway.origin}/v1/chat/completions`, { method: 'POST', headers, body })
      await answer.text()
      if (answer.status !== 200) failed += 1
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return { failed, times }
}

/** All requests to each of two models, in five turns, so that the machine is as busy for the one as for the other. */
async function inTurns(one: string, other: string): Promise<readonly [Load, Load]> {
  const loads: [Load, Load] = [NOTHING, NOTHING]
  for (let turn = 0; turn < 5; turn++) {
    loads[0] = joined(loads[0], await load(one, REQUESTS / 5))
    loads[1] = joined(loads[1], await load(other, REQUESTS / 5))
  }
  return loads
}

const NOTHING: Load = { failed: 0, times: [] }

function joined(one: Load, other: Load): Load {
  const times = [...one.times, ...other.times].toSorted((first, second) => first - second)
  return { failed: one.failed + other.failed, times }
}

test('with one of three targets dead and one that fails half of the time, 999 of 1,000 requests succeed', async () => {
  const watched = watchRests()
  await put('all-well', [well, well, well])
  await put('one-well', [null, halfWell(), well])
  // The first requests of a process are slow, which is another matter.
  await load('all-well', REQUESTS / 5)
  const [before, { failed, times }] = await inTurns('all-well', 'one-well')
  const figures = { requests: REQUESTS, failed, p99Ms: at(times, 0.99), p50Ms: at(times, 0.5) }
  const added = { p99Ms: figures.p99Ms - at(before.times, 0.99), p50Ms: figures.p50Ms - at(before.times, 0.5) }

  // A short run is over before the second rest is, and would show nothing of when the target is asked after one.
  const dead = () => watched('unreachable').find(({ restsMs }) => restsMs.length >= 3)
  await vi.waitUntil(async () => (await load('one-well', AT_ONCE)).failed === 0 && dead() !== undefined, {
    timeout: PATIENCE_MS,
  })
  const { asked = 0, early, restsMs = [] } = dead() ?? {}
  console.log(JSON.stringify({ ...figures, added, askedDead: asked, restsMs: restsMs.map(Math.round) }))
  expect(failed).toBeLessThanOrEqual(REQUESTS / 1_000)
  expect(before.failed).toBe(0)
  expect(early).toBe(0)
  expect(asked).toBe(await timesAsked('one-well', 'one-well-0'))
  // Each rest is twice as long as the one before, at most, and a second at least.
  for (const [i, ms] of restsMs.entries()) {
    expect(ms).toBeGreaterThanOrEqual(PROBE_EVERY_MS)
    expect(ms).toBeLessThanOrEqual(Math.min(1_000 * 2 ** i, 60_000))
  }
})

/** How often one of a model's upstreams was asked, by the usage records. */
async function timesAsked(model: string, upstream: string): Promise<number> {
  let asked = 0
  for await (const page of gateway.store.usage.pages({ accountId, model })) {
    for (const { attempts } of page) asked += attempts.filter(({ upstreamName }) => upstreamName === upstream).length
  }
  return asked
}

function at(times: readonly number[], part: number): number {
  return Math.round((times[Math.floor((times.length - 1) * part)] ?? 0) * 100) / 100
}
