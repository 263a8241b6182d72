import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { ConnectionError } from '../../upstreams/connection-error.ts'
import { begin, settle, STREAM } from '../../../test/support/exchange-by-hand.ts'

const PARTIAL = 'data: {"type":"image_generation.partial_image","b64_json":"aGk="}\n\n'

test('a stream of images that is left is charged what was expected, since its upstream draws on', async () => {
  const { attempt, exchange, settled } = begin({ wire: 'openai-images' })
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(PARTIAL))
  exchange.clientGone()
  await settle()
  expect(settled[0]?.record).toMatchObject({
    outcome: 'aborted',
    usageSource: 'estimated',
    tokens: { output: 6_540, units: { images: 1, requests: 1 } },
  })
})

test.for([
  ['openai-speech', { input: 'Say it.', voice: 'alloy' }, { characters: 7 }],
  ['rerank', { query: 'cat', documents: ['one', 'two'] }, { requests: 1 }],
] as const)('%s that is left before its answer costs what was sent, which is known', async ([wire, fields, units]) => {
  const { exchange, settled } = begin({ wire, stream: false, fields })
  exchange.clientGone()
  await settle()
  expect(settled[0]?.record).toMatchObject({ outcome: 'aborted', usageNotes: ['left_unanswered'], tokens: { units } })
})

test.for([
  ['whole', false],
  ['streamed', true],
] as const)('images that are left before anything came cost what was asked for: %s', async ([, stream]) => {
  const { exchange, settled } = begin({ wire: 'openai-images', stream, fields: { prompt: 'a cat', n: 3 } })
  exchange.clientGone()
  await settle()
  expect(settled[0]?.record).toMatchObject({
    outcome: 'aborted',
    usageNotes: ['left_unanswered'],
    usageSource: 'estimated',
    tokens: { output: 3 * 6_540, units: { images: 3, requests: 1 } },
  })
})

test('and nothing where the setting says so', async () => {
  const { exchange, settled } = begin({ wire: 'openai-images', chargesUnanswered: false })
  exchange.clientGone()
  await settle()
  expect(settled[0]?.record).toMatchObject({ outcome: 'aborted', cost: 0n })
})

const LAST =
  'data: {"type":"image_generation.completed","b64_json":"aGk=","usage":{"input_tokens":1,"output_tokens":2}}\n\n'

test('its last event comes with the books, and says what is charged', async () => {
  const { attempt, response, settled } = begin({ wire: 'openai-images' })
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(PARTIAL + LAST))
  await settle()
  expect(settled[0]?.record).toMatchObject({ outcome: 'completed', tokens: { input: 1, output: 2 } })
  expect(response.written).toContain(LAST)
})

test('its last event does not come before the books are written', async () => {
  const { attempt, response, trouble } = begin({ wire: 'openai-images' })
  trouble.isDown = true
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(PARTIAL + LAST))
  await settle()
  expect(response.written).toContain('partial_image')
  expect(response.written).not.toContain('completed')
})

const JSON_TYPE = { 'content-type': 'application/json' }

test.for([
  ['is never made', 'UPSTREAM_CONNECT_TIMEOUT', false, 2],
  ['is lost once it was sent', 'UPSTREAM_CLOSED', true, 1],
] as const)(
  'where its connection %s a request for images goes on only if none can be drawn',
  ([, code, isSent, asked]) => {
    const { attempts, attempt } = begin({ wire: 'openai-images', stream: false, fields: { prompt: 'a cat' } })
    attempt(0).isSent = isSent
    attempt(0).handler.onFailure(
      new Fault('upstream_unavailable', 'Gone.', { cause: new ConnectionError(code, 'gone') }),
    )
    expect(attempts).toHaveLength(asked)
  },
)

test.for([
  [429, 'once more', 2],
  [503, 'once more', 2],
  [500, 'no more', 1],
  [504, 'no more', 1],
] as const)('behind an answer with %i a request for images is sent %s', async ([status, , asked]) => {
  const { attempts, attempt } = begin({ wire: 'openai-images', stream: false, fields: { prompt: 'a cat' } })
  attempt(0).handler.onHead(status, JSON_TYPE)
  attempt(0).handler.onData(Buffer.from('{"error":{"message":"No."}}'))
  attempt(0).handler.onEnd()
  await settle()
  expect(attempts).toHaveLength(asked)
})
