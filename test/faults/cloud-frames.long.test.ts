import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { FaultCode } from '../../src/core/faults.ts'
import { Candidate } from '../../src/routing/candidate.ts'
import type { FailureClass } from '../../src/routing/failure-class.ts'
import { RetryBudget } from '../../src/routing/retry-budget.ts'
import type { BedrockMishap } from '../../tools/fake-upstream/clouds/bedrock-framing.ts'
import { cloudSettings } from '../support/cloud-settings.ts'
import { CLOUD_WAYS, type CloudWay } from '../support/cloud-ways.ts'
import { type Clouds, startClouds } from '../support/clouds-under-test.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { putModelOf } from '../support/put-model.ts'
import { ask } from './matrix/cells.ts'

// What goes wrong with the binary frames of Amazon Bedrock, before anything was heard and in the middle: for clients of its own
// wire and of another, with a second target behind.

/** The longest silence, at the start and in the middle. */
const SILENCE_MS = 1_500
const WAYS = CLOUD_WAYS.filter(({ name }) => name === 'bedrock-claude' || name === 'bedrock-converse')
const CLIENTS = ['anthropic-messages', 'openai-chat'] as const

interface Ailment {
  readonly name: string
  readonly of: (after: number) => BedrockMishap
  readonly fault: FaultCode
  readonly failure: FailureClass
}

const exception = (type: string) => (after: number) =>
  ({ kind: 'exception', after, type, message: 'Broken off.' }) as const

const AILMENTS: readonly Ailment[] = [
  {
    name: 'a payload that is damaged',
    of: (after) => ({ kind: 'damage', after }),
    fault: 'upstream_malformed',
    failure: 'malformed',
  },
  {
    name: 'a checksum that is damaged',
    of: (after) => ({ kind: 'damage', after, at: 'checksum' }),
    fault: 'upstream_malformed',
    failure: 'malformed',
  },
  {
    name: 'a length that is damaged',
    of: (after) => ({ kind: 'damage', after, at: 'length' }),
    fault: 'upstream_malformed',
    failure: 'malformed',
  },
  {
    name: 'an end in the middle of a frame',
    of: (after) => ({ kind: 'cut', after }),
    fault: 'upstream_unavailable',
    failure: 'broken_off',
  },
  {
    name: 'silence in the middle of a frame',
    of: (after) => ({ kind: 'hang', after }),
    fault: 'upstream_timeout',
    failure: 'timed_out',
  },
  {
    name: 'modelStreamErrorException',
    of: exception('modelStreamErrorException'),
    fault: 'upstream_unavailable',
    failure: 'failed',
  },
  {
    name: 'internalServerException',
    of: exception('internalServerException'),
    fault: 'upstream_unavailable',
    failure: 'failed',
  },
  {
    name: 'throttlingException',
    of: exception('throttlingException'),
    fault: 'upstream_rate_limited',
    failure: 'rate_limited',
  },
  {
    name: 'serviceUnavailableException',
    of: exception('serviceUnavailableException'),
    fault: 'upstream_overloaded',
    failure: 'overloaded',
  },
  {
    name: 'modelTimeoutException',
    of: exception('modelTimeoutException'),
    fault: 'upstream_timeout',
    failure: 'timed_out',
  },
]

let gateway: GatewayUnderTest
let clouds: Clouds
let secret: string
let learned: string[] = []

beforeAll(async () => {
  vi.spyOn(Candidate.prototype, 'failed').mockImplementation((_times, { failure }) => void learned.push(failure))
  vi.spyOn(RetryBudget.prototype, 'hasRoom').mockReturnValue(true)
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_IDLE_TIMEOUT_MS: String(SILENCE_MS) } })
  clouds = await startClouds(gateway.fake.url)
  secret = (await gateway.key(await gateway.account({ balance: '1000' }))).secret
  for (const way of WAYS) await putUp(way)
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${WAYS.at(-1)?.name}`, { headers })).ok
  await vi.waitUntil(isKnown, { timeout: PATIENCE_MS })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await gateway.close()
  await clouds.close()
})

async function putUp(way: CloudWay): Promise<void> {
  const port = Number(new URL(gateway.fake.url).port)
  const settings = { ...cloudSettings(clouds, way), firstByteTimeoutMs: SILENCE_MS }
  const model = clouds.targetFor(way, 'fake/slow-chunks?chunks=8&delay_ms=60&input=30&output=8')
  const spare = { port, model: SPARE, protocol: 'anthropic', priority: 1 } as const
  await putModelOf(gateway.store, {
    name: way.name,
    targets: [{ port, model, protocol: way.protocol, settings }, spare],
  })
}

const SPARE = 'fake/fixed?chunks=8&input=30&output=8'

const CASES = WAYS.flatMap((way) =>
  AILMENTS.flatMap((ailment) => CLIENTS.map((client) => ({ way, client, ...ailment }))),
)

async function asked(client: (typeof CLIENTS)[number], way: CloudWay, mishap: BedrockMishap) {
  learned = []
  clouds.bedrock.mishap = mishap
  const received = await ask({ origin: gateway.origin, secret }, { client, isStream: true }, way.name)
  const record = await vi.waitUntil(() => gateway.store.usage.record(received.requestId), { timeout: PATIENCE_MS })
  return { received, record }
}

test.each(CASES)(
  '$name at once: $way.name is left for the next target, client of $client',
  async ({ way, client, of, fault, failure }) => {
    const { received, record } = await asked(client, way, of(0))
    expect(received).toMatchObject({ status: 200, isWhole: true })
    expect(record).toMatchObject({ outcome: 'completed', attempts: [{ fault }, { model: SPARE, fault: null }] })
    expect(learned).toEqual([failure])
  },
)

test.each(CASES)(
  '$name in the middle: $way.name fails and is free, client of $client',
  async ({ way, client, of, fault, failure }) => {
    const { received, record } = await asked(client, way, of(6))
    expect(received).toMatchObject({ status: 200, isWhole: false })
    expect(received.text).not.toMatch(/message_stop|\[DONE\]|"finish_reason":"stop"/)
    expect(received.text).toMatch(/"error":/)
    expect(record).toMatchObject({ outcome: 'failed', fault, cost: 0n, attempts: [{ fault }] })
    expect(learned).toEqual([failure])
  },
)
