import type { IncomingHttpHeaders } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Wire } from '../../../core/wire.ts'
import type { RequestPurpose } from '../../upstream-client.ts'
import { vertex } from './vertex.ts'

interface Answer {
  readonly wire?: Wire
  readonly form?: RequestPurpose['form']
  readonly status?: number
  readonly type?: string
  readonly chunks: readonly Buffer[]
}

/** What the gateway hears of an answer. */
function heard({
  wire = 'anthropic-messages',
  form = 'stream',
  status = 200,
  type = 'text/event-stream',
  chunks,
}: Answer) {
  const pieces: Buffer[] = []
  let head: { status: number; headers: IncomingHttpHeaders } | null = null
  let ends = 0
  const baseUrl = 'https://aiplatform.googleapis.com/v1/projects/p/locations/global'
  const dialect = vertex({ protocol: 'anthropic', baseUrl, region: null, apiVersion: null })
  const asks = { wire, model: 'm', form }
  const handler = dialect.inbound(
    { method: 'POST', path: '/', headers: {}, body: [], asks },
    {
      onHead: (given, headers) => void (head = { status: given, headers }),
      onData: (chunk) => void pieces.push(chunk),
      onEnd: () => void (ends += 1),
      onFailure: () => expect.unreachable('nothing failed'),
    },
  )
  handler.onHead(status, { 'content-type': type, 'content-length': '9' })
  for (const chunk of chunks) handler.onData(chunk)
  handler.onEnd()
  expect(ends).toBe(1)
  return { head, text: Buffer.concat(pieces).toString() }
}

const START = 'event: message_start\ndata: {"type":"message_start"}\n\n'
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","text":"é vertex_event"}\n\n'
// vercel/ai issue 11309 and opencode issue 13914: clients end at the first of these.
const OWN = 'event: vertex_event\ndata: {"type":"vertex_event","usage":{"input_tokens":9}}\n\n'

test('a stream of Claude’s is what Anthropic would send, however it is cut', () => {
  const whole = Buffer.from(
    OWN + START + OWN + DELTA.replaceAll('\n', '\r\n') + DELTA + OWN.replace('event: vertex_event\n', ''),
  )
  const wanted = START + DELTA.replaceAll('\n', '\r\n') + DELTA
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: whole.length - 1 })), (places) => {
      const cuts = [0, ...places.toSorted((one, other) => one - other), whole.length]
      const chunks = cuts.slice(1).map((end, index) => whole.subarray(cuts[index], end))
      expect(heard({ chunks }).text).toBe(wanted)
    }),
  )
})

const QUOTA = { error: { code: 429, message: 'Quota exceeded for base model: m.', status: 'RESOURCE_EXHAUSTED' } }

test.for([
  [
    'anthropic-messages',
    { type: 'error', error: { type: 'rate_limit_error', message: QUOTA.error.message, code: 'RESOURCE_EXHAUSTED' } },
  ],
  [
    'openai-chat',
    { error: { message: QUOTA.error.message, type: 'RESOURCE_EXHAUSTED', param: null, code: 'RESOURCE_EXHAUSTED' } },
  ],
  ['gemini', QUOTA],
] as const)('Google’s own error is one of %s, alone or in a list', ([wire, wanted]) => {
  for (const body of [QUOTA, [QUOTA]]) {
    const chunks = [Buffer.from(JSON.stringify(body, null, 2))]
    const { head, text } = heard({ wire, status: 429, type: 'application/json', chunks })
    expect(JSON.parse(text)).toEqual(wanted)
    expect(head).toEqual({ status: 429, headers: { 'content-type': 'application/json' } })
  }
})

test('an error of Claude’s own, and what is none, passes as it is', () => {
  for (const body of [
    '{"type":"error","error":{"type":"invalid_request_error","message":"m"},"request_id":"req_vrtx_1"}',
    '<html>',
    '',
  ]) {
    expect(heard({ status: 400, chunks: [Buffer.from(body)] }).text).toBe(body)
  }
})

test('an error of Google’s in a stream of Claude’s is an event of Anthropic’s', () => {
  const { text } = heard({ chunks: [Buffer.from(`${START}data: ${JSON.stringify([QUOTA])}\n\n`)] })
  expect(text).toBe(
    `${START}event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"Quota exceeded for base model: m.","code":"RESOURCE_EXHAUSTED"}}\n\n`,
  )
})

// maximhq/bifrost issue 6589: the message alone says nothing of what was wrong.
test('the reason and the fields at fault are in what is said', () => {
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'BILLING_DISABLED' },
    { fieldViolations: [{ field: 'generation_config.seed', description: 'Must be an int32.' }] },
  ]
  const error = { code: 400, message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT', details }
  const chunks = [Buffer.from(JSON.stringify({ error }))]
  expect(JSON.parse(heard({ status: 400, chunks }).text)).toMatchObject({
    error: {
      type: 'invalid_request_error',
      code: 'BILLING_DISABLED',
      message: 'Request contains an invalid argument. (generation_config.seed: Must be an int32.)',
    },
  })
  expect(JSON.parse(heard({ wire: 'gemini', status: 400, chunks }).text)).toMatchObject({ error: { details } })
})
