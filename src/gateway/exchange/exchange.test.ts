import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { nanoUsd } from '../../core/money.ts'
import { ConnectionError } from '../../upstreams/connection-error.ts'
import { begin, settle, STREAM, START, TEXT, STOP } from '../../../test/support/exchange-by-hand.ts'

test('a silent upstream is given up after its time, and the next target is tried', async () => {
  const { attempts, attempt, response, pass } = begin()
  pass(600_000)
  expect(attempts).toHaveLength(1)
  pass(200)
  expect(attempt(0).isAborted).toBe(true)
  expect(attempts).toHaveLength(2)
  attempt(1).handler.onHead(200, STREAM)
  attempt(1).handler.onData(Buffer.from(START))
  await settle()
  expect(response.written).toContain('message_start')
})

test('the head of an answer is not its first byte: an upstream that sends no more is given up after its time', async () => {
  const { attempts, attempt, pass } = begin({ firstByteTimeoutMs: 20_000 })
  attempt(0).handler.onHead(200, STREAM)
  pass(20_200)
  expect(attempt(0).isAborted).toBe(true)
  expect(attempts).toHaveLength(2)
})

test('a lone target is asked again when its connection was lost before anything came, and not after that', () => {
  const lost = new Fault('upstream_unavailable', 'Gone.', { cause: new ConnectionError('UPSTREAM_CLOSED', 'gone') })
  const before = begin({ targets: ['ups_1'] })
  before.attempt(0).handler.onFailure(lost)
  expect(before.attempts).toHaveLength(2)
  const after = begin({ targets: ['ups_1'] })
  after.attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  after.attempt(0).handler.onData(Buffer.from('{"id":'))
  after.attempt(0).handler.onFailure(lost)
  expect(after.attempts).toHaveLength(1)
})

test('a client that waits is kept waiting with pings, from 45 s on without having heard from the upstream', async () => {
  const { attempt, response, pass } = begin()
  pass(44_000)
  expect(response.headersSent).toBe(false)
  pass(2_000)
  await settle()
  expect(response.status).toBe(200)
  expect(response.written.match(/event: ping/g)).toHaveLength(1)
  pass(45_000)
  await settle()
  expect(response.written.match(/event: ping/g)).toHaveLength(4)
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  await settle()
  expect(response.written.match(/message_start"/g)).toHaveLength(1)
})

test('after the headers went out early a failure still goes to the next target, and at last into the stream', async () => {
  const { attempts, attempt, response, pass } = begin()
  pass(46_000)
  attempt(0).handler.onFailure(unavailable())
  expect(attempts).toHaveLength(2)
  attempt(1).handler.onFailure(unavailable())
  await settle()
  expect(response.written).toContain('event: error')
  expect(response.destroyed).toBe(true)
})

test('an upstream that stops in the middle is cut off after its idle time, with an error event and no bill', async () => {
  const { attempt, response, settled, pass } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  pass(301_000)
  await settle()
  expect(attempt(0).isAborted).toBe(true)
  expect(response.written).toContain('event: error')
  expect(response.destroyed).toBe(true)
  expect(settled.map(({ record }) => [record.outcome, record.cost])).toEqual([['failed', 0n]])
})

test('a client that reads slowly makes the upstream wait, and that silence is not held against it', async () => {
  const { attempt, response, pass } = begin()
  response.isSlow = true
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  await settle()
  expect(attempt(0).isPaused).toBe(true)
  pass(400_000)
  expect(attempt(0).isAborted).toBe(false)
  response.drain()
  expect(attempt(0).isPaused).toBe(false)
})

test('a client that let the upstream wait until it broke off pays for what it got', async () => {
  const { attempt, response, settled, pass } = begin()
  response.isSlow = true
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  await settle()
  pass(3_000)
  response.drain()
  attempt(0).handler.onFailure(new Fault('upstream_unavailable', 'reset'))
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.fault, record.tokens.output])).toEqual([
    ['aborted', 'upstream_unavailable', 4],
  ])
  expect(response.written).toContain('event: error')
  expect(response.destroyed).toBe(true)
})

test('the terminal event is held back until the books are written', async () => {
  const { attempt, response, settled, reservation } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT + STOP))
  expect(settled).toHaveLength(0)
  expect(response.written).not.toContain('event: message_stop')
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.tokens.input, record.tokens.output])).toEqual([
    ['completed', 5, 3],
  ])
  expect(reservation.isOpen).toBe(false)
  expect(response.written).toContain('event: message_stop')
  expect(response.writableEnded).toBe(true)
})

test('an answer that is refused because the books cannot be written costs nothing, also once they can', async () => {
  const { attempt, response, settled, pass, trouble } = begin({ stream: false })
  trouble.isDown = true
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  const answer = { type: 'message', content: [], usage: { input_tokens: 5, output_tokens: 3 } }
  attempt(0).handler.onData(Buffer.from(JSON.stringify(answer)))
  attempt(0).handler.onEnd()
  await settle()
  pass(6_000)
  await expect.poll(() => response.status).toBe(503)
  expect(response.written).toContain('You are not charged, unless the database recorded it without confirming')
  trouble.isDown = false
  await expect.poll(() => settled.length).toBe(1)
  expect(settled[0]?.record).toMatchObject({ outcome: 'failed', fault: 'store_unavailable', httpStatus: 503, cost: 0n })
  expect(settled[0]?.charges).toEqual([])
})

test('a client that hangs up pays for the input and for what had come, and the upstream is cancelled', async () => {
  const { exchange, attempt, settled, running } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  exchange.clientGone()
  expect(attempt(0).isAborted).toBe(true)
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.tokens.input, record.tokens.output])).toEqual([
    ['aborted', 5, 4],
  ])
  expect(running.size).toBe(0)
})

test('a report above what a model can be is charged at the bound, and reported to admins', async () => {
  const { attempt, settled, implausible } = begin()
  attempt(0).handler.onHead(200, STREAM)
  const report = '"usage":{"input_tokens":30000000,"output_tokens":3}'
  attempt(0).handler.onData(Buffer.from(START + TEXT + STOP.replace('"usage":{"output_tokens":3}', report)))
  await settle()
  expect(settled[0]?.record).toMatchObject({
    tokens: { input: 2_000_000, output: 3 },
    isCapped: true,
    usageNotes: ['input_above_limit'],
    usageSource: 'reported',
  })
  expect(implausible).toEqual([{ requestId: 'req_1', upstreamName: 'ups_1', notes: ['input_above_limit'] }])
})

test('whatever comes after the end changes nothing', async () => {
  const { exchange, attempt, settled, pass } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + STOP))
  attempt(0).handler.onData(Buffer.from(TEXT))
  attempt(0).handler.onEnd()
  exchange.clientGone()
  await settle()
  exchange.clientGone()
  pass(1_000_000)
  expect(settled).toHaveLength(1)
})

test('a lone target gets a second try only when its connection was lost', async () => {
  const lost = begin({ targets: ['ups_1'] })
  lost
    .attempt(0)
    .handler.onFailure(unavailable(Object.assign(new Error('other side closed'), { code: 'UPSTREAM_CLOSED' })))
  expect(lost.attempts).toHaveLength(2)
  const refused = begin({ targets: ['ups_1'] })
  refused.attempt(0).handler.onFailure(unavailable(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
  expect(refused.attempts).toHaveLength(1)
  expect(refused.response.status).toBe(502)
})

test('an answer that is not streamed goes out when its books are written', async () => {
  const { attempt, response } = begin({ stream: false })
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  attempt(0).handler.onData(Buffer.from('{"usage":{"input_tokens":1,"output_tokens":1}}'))
  attempt(0).handler.onEnd()
  expect(response.headersSent).toBe(false)
  await settle()
  expect(response.status).toBe(200)
})

function unavailable(cause?: Error): Fault {
  return new Fault('upstream_unavailable', 'gone', { cause })
}

test('a whole answer that comes after the head of a stream went out is written as the stream that was asked for', async () => {
  const { attempt, response, settled, pass } = begin()
  pass(46_000)
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  attempt(0).handler.onData(Buffer.from('{"usage":{"input_tokens":1,"output_tokens":1}}'))
  attempt(0).handler.onEnd()
  await settle()
  expect(response.written.match(/(?<=event: ).*/g)).toEqual(['ping', 'message_start', 'message_delta', 'message_stop'])
  expect(settled.map(({ record }) => [record.outcome, record.tokens.output])).toEqual([['completed', 1]])
})

test('what came before our own time limit is paid for', async () => {
  const { attempt, response, settled, pass } = begin({ timeoutMs: 3_000 })
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START + TEXT))
  pass(3_200)
  await settle()
  expect(response.written).toContain('event: error')
  expect(settled.map(({ record }) => [record.outcome, record.fault, record.tokens.output])).toEqual([
    ['aborted', 'upstream_timeout', 4],
  ])
})

test('a request may take an hour in all where neither its model nor its upstream says otherwise', async () => {
  const { attempt, response, settled, pass } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  for (let minutes = 0; minutes < 60; minutes++) {
    pass(60_000)
    attempt(0).handler.onData(Buffer.from(TEXT))
  }
  expect(attempt(0).isAborted).toBe(false)
  pass(100)
  await settle()
  expect(attempt(0).isAborted).toBe(true)
  expect(response.written).toContain('did not finish its answer in the time allowed')
  expect(settled.map(({ record }) => [record.outcome, record.fault])).toEqual([['aborted', 'upstream_timeout']])
})

test('an upstream’s own error event reaches the client in our words, without its address', async () => {
  const { attempt, response } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(START))
  attempt(0).handler.onData(
    Buffer.from(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"up.test is full"}}\n\n',
    ),
  )
  await settle()
  expect(response.written).toContain('… is full')
  expect(response.written).not.toContain('up.test')
})

test('an answer that had come whole when the funds ended is recorded as whole, with what its upstream reports of it', async () => {
  const { attempt, response, settled, parts } = begin()
  const refusal = new Fault('key_quota_exhausted', 'none left')
  Object.assign(parts.admission, { extend: async () => ({ lacking: nanoUsd(1n), fault: refusal }) })
  const [delta = '', stop = ''] = STOP.split(/(?<=\n\n)/)
  attempt(0).handler.onHead(200, STREAM)
  // The upstream takes no notice of the limit of 10 tokens, so its text needs more than is held.
  const text = TEXT.replace('four', 'word '.repeat(500))
  attempt(0).handler.onData(Buffer.from(START + text + delta.replace(',"usage":{"output_tokens":3}', '')))
  await settle()
  expect(response.writableEnded).toBe(false)
  attempt(0).handler.onData(Buffer.from(delta.replace('"end_turn"', 'null').replace(':3', ':501') + stop))
  await settle()
  expect(settled.map(({ record }) => [record.outcome, record.fault, record.tokens.output])).toEqual([
    ['completed', null, 501],
  ])
  expect(response.written).not.toContain('max_tokens')
  expect(response.written).toContain('message_stop')
  expect(response.writableEnded).toBe(true)
})

test('a stream that is expected to begin soon is given up after two minutes of silence, and the next target is tried', () => {
  const { attempts, attempt, pass } = begin({ answeredInMs: 800 })
  pass(120_000)
  expect(attempts).toHaveLength(1)
  pass(200)
  expect(attempt(0).isAborted).toBe(true)
  expect(attempts).toHaveLength(2)
})

test.for<readonly [string, Parameters<typeof begin>[0]]>([
  ['a target that has not answered yet', {}],
  ['a target that is slow to begin', { answeredInMs: 40_000 }],
  ['an answer that comes whole', { stream: false, answeredInMs: 800 }],
  ['a request that asks for thinking', { fields: { thinking: { type: 'enabled' } }, answeredInMs: 800 }],
  ['a model that thought of late', { thought: 700, answeredInMs: 800 }],
  ['an upstream with a time of its own', { firstByteTimeoutMs: 600_000, answeredInMs: 800 }],
])('%s is waited for ten minutes', ([, options]) => {
  const { attempts, pass } = begin(options)
  pass(600_000)
  expect(attempts).toHaveLength(1)
  pass(200)
  expect(attempts).toHaveLength(2)
})
