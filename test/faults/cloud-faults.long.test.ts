import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { Candidate } from '../../src/routing/candidate.ts'
import { RetryBudget } from '../../src/routing/retry-budget.ts'
import { cloudSettings } from '../support/cloud-settings.ts'
import { CLOUD_WAYS, type CloudWay } from '../support/cloud-ways.ts'
import { type Clouds, startClouds } from '../support/clouds-under-test.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putTargetsOf, putUpstreamOf } from '../support/put-model.ts'

// What fails behind a cloud fails as it does at the maker's own API: for the client, in the record and in what is charged.

const AILMENTS = [
  'fake/echo',
  'fake/cut-mid-stream',
  'fake/end-mid-stream',
  'fake/no-usage',
  'fake/zero-usage',
  'fake/overloaded',
  'fake/rate-limited?retry_after=2',
  'fake/stalls-mid-stream?hold_ms=300',
  'fake/never-answers?hold_ms=300',
  'fake/malformed-json',
  'fake/html-error',
  'fake/absurd-usage',
  'fake/usage-twice',
  'fake/context-too-long',
  'fake/bad-request',
  'fake/unauthorized',
  'fake/error-event',
  'fake/no-done',
  'fake/closes-keepalive',
  'fake/echo?chunks=40&split=7',
  'fake/echo?chunks=40&burst=1',
  'fake/no-such-model',
]

interface Case {
  readonly way: CloudWay
  readonly ailment: string
  /** What the fake upstream is asked for; behind `plain` and `cloud`, the names of the gateway's two models. */
  readonly model: string
}

const CASES: readonly Case[] = CLOUD_WAYS.flatMap((way) =>
  AILMENTS.map((ailment) => ({ way, ailment, model: modelFor(ailment, way.name) })),
)

/** Counts that are derived from the body would be others where the body is another. */
function modelFor(ailment: string, tag: string): string {
  const counts = /usage/.test(ailment) ? '' : 'input=30&output=8&'
  return `${ailment}${ailment.includes('?') ? '&' : '?'}${counts}tag=${tag}`
}

let gateway: GatewayUnderTest
let clouds: Clouds
let secret: string
/** The classes of the failures that the routing has heard of, since a request began. */
let learned: string[] = []

beforeAll(async () => {
  // Each answer is judged by itself, as of a target that is well so far and was asked little.
  vi.spyOn(Candidate.prototype, 'failed').mockImplementation((_times, { failure }) => void learned.push(failure))
  vi.spyOn(RetryBudget.prototype, 'hasRoom').mockReturnValue(true)
  gateway = await gatewayUnderTest()
  clouds = await startClouds(gateway.fake.url)
  secret = (await gateway.key(await gateway.account({ balance: '1000' }))).secret
  for (const way of CLOUD_WAYS) await putUp(way)
  const last = encodeURIComponent(`cloud ${CASES.at(-1)?.model}`)
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${last}`, { headers })).ok
  await vi.waitUntil(isKnown, { timeout: PATIENCE_MS })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await gateway.close()
  await clouds.close()
})

/** All models at the maker's own API, and at the cloud. Converse has no maker: the fake upstream writes its events without frames. */
async function putUp(way: CloudWay): Promise<void> {
  const { protocol, passage } = way
  const { url } = gateway.fake
  const version = protocol === 'gemini' ? '/v1beta' : '/v1'
  const own = protocol === 'converse' ? { baseUrl: url, passage } : { baseUrl: url + version }
  const places = [
    { place: 'plain', settings: own, targetOf: (model: string) => model },
    { place: 'cloud', settings: cloudSettings(clouds, way), targetOf: (model: string) => clouds.targetFor(way, model) },
  ]
  for (const { place, settings, targetOf } of places) {
    const upstreamId = await putUpstreamOf(gateway.store, `${place} ${way.name}`, { port: 1, protocol, settings })
    for (const { model } of CASES.filter((each) => each.way === way)) {
      const targets = [{ upstreamId, model: targetOf(model), priority: 0, weight: 1 }]
      await putTargetsOf(gateway.store, { name: `${place} ${model}`, targets })
    }
  }
}

test.each(CASES)('$ailment is the same in both places, by $way.name', async ({ model }) => {
  for (const stream of [false, true]) {
    const [cloud, plain] = [await outcome(`cloud ${model}`, stream), await outcome(`plain ${model}`, stream)]
    expect(cloud, stream ? 'streamed' : 'whole').toEqual(plain)
  }
})

/** What a client of messages gets, and what is noted of it. */
async function outcome(model: string, stream: boolean): Promise<unknown> {
  learned = []
  const response = await fetch(`${gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 200, stream, messages: [{ role: 'user', content: 'Say it back.' }] }),
  })
  const text = await response.text().catch(() => 'broken off')
  const { tokens, usageSource, outcome: ended, fault, cost, attempts } = await recordOf(response)
  return {
    status: response.status,
    fault: response.headers.get('x-tollgate-fault'),
    text: said(text),
    learned,
    record: {
      usageSource,
      ended,
      fault,
      // AWS has no 529 for an overload.
      failures: attempts.map(({ fault: failed, status }) => [failed, status === 529 ? 503 : status]),
      ...(/usage/.test(model) ? {} : { tokens, cost }),
    },
  }
}

async function recordOf(response: Response): Promise<UsageRecord> {
  const find = () => gateway.store.usage.record(response.headers.get('x-request-id') ?? '')
  await expect.poll(find, { timeout: PATIENCE_MS }).not.toBeNull()
  const record = await find()
  if (record === null) throw new Error('the record is there')
  return record
}

/** What an answer says: texts, why it ended, and its error. */
function said(text: string): readonly string[] {
  return text.match(/"(?:text|stop_reason|message)":"(?:[^"\\]|\\.)*"/g)?.map(withoutNames) ?? []
}

/** Words without what names the model or the request, and without AWS' own before those of the model's maker. */
function withoutNames(words: string): string {
  return words
    .replace('The model returned the following errors: ', '')
    .replaceAll(/(?:plain|cloud) fake[^"`]*/g, 'MODEL')
    .replaceAll(/req_\w+/g, 'REQUEST')
}
