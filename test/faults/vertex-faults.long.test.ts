import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { type VertexUnderTest, vertexUnderTest } from '../support/vertex-under-test.ts'

// What fails behind Vertex AI fails as it does at the maker's own API: for the client, in the record and in what is charged.

let place: VertexUnderTest
let secret: string

beforeAll(async () => {
  place = await vertexUnderTest()
  secret = await place.secret()
})
afterAll(() => place.close())

const PUBLISHERS = {
  gemini: 'publishers/google/models/',
  anthropic: 'publishers/anthropic/models/',
  'openai-chat': 'x/',
}

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

const PROTOCOLS = ['gemini', 'anthropic', 'openai-chat'] as const
const CASES = AILMENTS.flatMap((ailment) => PROTOCOLS.map((protocol) => ({ ailment, protocol })))

test.each(CASES)('$ailment is the same in both places, by $protocol', async ({ ailment, protocol }) => {
  for (const stream of [false, true]) {
    const name = `${/usage/.test(ailment) ? 'usage-' : ''}${protocol}-${CASES.findIndex((each) => each.ailment === ailment && each.protocol === protocol)}-${stream}`
    // Counts that are derived from the body would be others where the body is another.
    const counts = /usage/.test(ailment) ? '' : 'input=30&output=8&'
    const model = `${ailment}${ailment.includes('?') ? '&' : '?'}${counts}tag=${name}`
    await place.model(`plain-${name}`, { protocol, model, below: null })
    await place.model(`cloud-${name}`, {
      protocol,
      model: protocol === 'openai-chat' ? model : PUBLISHERS[protocol] + model,
    })
    const [plain, cloud] = [await outcome(`plain-${name}`, stream), await outcome(`cloud-${name}`, stream)]
    expect(cloud).toEqual(plain)
  }
})

/** What a client of messages gets, and what is noted of it. */
async function outcome(model: string, stream: boolean): Promise<unknown> {
  const response = await fetch(`${place.gateway.origin}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 200, stream, messages: [{ role: 'user', content: 'Say it back.' }] }),
  })
  const text = await response.text().catch(() => 'broken off')
  const { tokens, usageSource, outcome: ended, fault, cost, attempts }: UsageRecord = await place.record(model)
  return {
    status: response.status,
    fault: response.headers.get('x-tollgate-fault'),
    text: said(text),
    record: {
      usageSource,
      ended,
      fault,
      failures: attempts.map((attempt) => [attempt.fault, attempt.status]),
      ...(/usage/.test(model) ? {} : { tokens, cost }),
    },
  }
}

/** What an answer says: texts, why it ended, and its error. */
function said(text: string): readonly string[] {
  return text.match(/"(?:text|stop_reason|message)":"(?:[^"\\]|\\.)*"/g)?.map(withoutNames) ?? []
}

function withoutNames(words: string): string {
  return words.replaceAll(/(?:plain|cloud)-[\w-]+/g, 'MODEL').replaceAll(/req_\w+/g, 'REQUEST')
}
