import { expect, onTestFinished, test, vi } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { begin, settle, START, STOP, STREAM, TEXT } from '../../../test/support/exchange-by-hand.ts'

const COMMENT = ': still waiting\n\n'
const ERROR = 'event: error\ndata: {"type":"error","error":{"type":"authentication_error","message":"no credit"}}\n\n'

test('an upstream that sends comments alone is given up after its time for the first event', async () => {
  const { attempts, attempt, response, pass } = begin({ firstByteTimeoutMs: 20_000 })
  attempt(0).handler.onHead(200, STREAM)
  for (let waited = 0; waited < 20_000; waited += 5_000) {
    attempt(0).handler.onData(Buffer.from(COMMENT))
    pass(5_000)
  }
  expect(attempts).toHaveLength(1)
  pass(200)
  expect(attempt(0).isAborted).toBe(true)
  expect(attempts).toHaveLength(2)
  await settle()
  expect(response.written).toBe('')
})

test('one that breaks off behind comments is followed by the next target', () => {
  const { attempts, attempt } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(COMMENT))
  attempt(0).handler.onFailure(new Fault('upstream_unavailable', 'Gone.'))
  expect(attempts).toHaveLength(2)
})

test('comments reach the client with the first event, byte for byte, and at once from then on', async () => {
  const { attempt, response } = begin()
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(COMMENT))
  attempt(0).handler.onData(Buffer.from(COMMENT + START))
  await settle()
  expect(response.written).toBe(COMMENT + COMMENT + START)
  attempt(0).handler.onData(Buffer.from(COMMENT))
  await settle()
  expect(response.written).toBe(COMMENT + COMMENT + START + COMMENT)
})

test('of more comments than are worth it the first are kept', async () => {
  const { attempt, response } = begin()
  attempt(0).handler.onHead(200, STREAM)
  for (let i = 0; i < 2_000; i++) attempt(0).handler.onData(Buffer.from(COMMENT))
  attempt(0).handler.onData(Buffer.from(START))
  await settle()
  expect(response.written.endsWith(START)).toBe(true)
  expect(response.written.length - START.length).toBe(Math.floor(16_384 / COMMENT.length) * COMMENT.length)
})

test('a credential that is held is released by an answer, and not by an error within a good status', async () => {
  const WHOLE = { 'content-type': 'application/json' }
  const body = '{"type":"error","error":{"type":"authentication_error","message":"no credit"}}'
  const answer =
    '{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":5,"output_tokens":1}}'
  for (const [headers, bytes, isHeld] of [
    [STREAM, ERROR, true],
    [STREAM, START + TEXT, false],
    [STREAM, START + TEXT + STOP, false],
    [WHOLE, body, true],
    [WHOLE, answer, false],
  ] as const) {
    const { attempt, credentialOf } = begin({ stream: headers === STREAM })
    credentialOf('ups_1')?.refused({ beganAt: 0, now: 0 }, 'credential')
    const times = credentialOf('ups_1')?.held
    attempt(0).handler.onHead(200, headers)
    attempt(0).handler.onData(Buffer.from(bytes))
    if (headers === WHOLE) attempt(0).handler.onEnd()
    await settle()
    expect(times).not.toBeNull()
    expect(credentialOf('ups_1')?.held === null, bytes).toBe(!isHeld)
  }
})

const WHOLE = { 'content-type': 'application/json' }
const ANSWER =
  '{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":5,"output_tokens":1}}'

test('an upstream that sends blanks alone before a whole answer is given up after its time for the first event', () => {
  const { attempts, attempt, pass } = begin({ stream: false, firstByteTimeoutMs: 20_000 })
  attempt(0).handler.onHead(200, WHOLE)
  for (let waited = 0; waited < 20_000; waited += 5_000) {
    attempt(0).handler.onData(Buffer.from('\n \r\n\t'))
    pass(5_000)
  }
  expect(attempts).toHaveLength(1)
  pass(200)
  expect([attempt(0).isAborted, attempts.length]).toEqual([true, 2])
})

test('blanks before a whole answer go to the client with it, and count as no silence until its time is over', async () => {
  const { attempts, attempt, response, pass } = begin({ stream: false })
  attempt(0).handler.onHead(200, WHOLE)
  // Longer than an upstream may be silent, and shorter than it may take to begin.
  for (let waited = 0; waited < 500_000; waited += 100_000) {
    attempt(0).handler.onData(Buffer.from('\n'))
    pass(100_000)
  }
  attempt(0).handler.onData(Buffer.from(ANSWER))
  attempt(0).handler.onEnd()
  await settle()
  expect([attempts.length, response.status, response.written]).toEqual([1, 200, '\n'.repeat(5) + ANSWER])
})

test('an upstream that sends comments is not silent: it has all of its time for the first event', () => {
  const { attempts, attempt, pass } = begin({ firstByteTimeoutMs: 400_000 })
  attempt(0).handler.onHead(200, STREAM)
  for (let waited = 0; waited < 390_000; waited += 10_000) {
    attempt(0).handler.onData(Buffer.from(COMMENT))
    pass(10_000)
  }
  expect(attempts).toHaveLength(1)
})

test('beyond the retries that the next upstream takes, the failure that asked for one is passed on', async () => {
  const { attempts, attempt, response, settled, upstreamOf } = begin()
  for (let i = 0; i < 13; i++) upstreamOf('ups_2')?.retries.count(0, true)
  attempt(0).handler.onFailure(new Fault('upstream_timeout', 'Slow.'))
  await settle()
  expect([attempts.length, response.status]).toEqual([1, 504])
  expect(settled.map(({ record }) => [record.fault, record.routeTrace])).toEqual([
    ['upstream_timeout', 'ups_1=t;ups_2=r'],
  ])
})

test('while a request waits for a target that rests for a moment, no upstream is late', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { attempts, attempt, credentialOf, pass } = begin({ firstByteTimeoutMs: 1_000 })
  const rests = { failure: 'rate_limited', restMs: 2_000, callerId: 'acc_1' } as const
  credentialOf('ups_2')?.of('m').failed(0, 0, rests)
  pass(800)
  attempt(0).handler.onFailure(new Fault('upstream_unavailable', 'Gone.'))
  pass(1_100)
  expect(attempts).toHaveLength(1)
  expect(attempt(0).isAborted).toBe(false)
  pass(100)
  await vi.advanceTimersByTimeAsync(1_200)
  expect(attempts).toHaveLength(2)
  pass(900)
  expect(attempt(1).isAborted).toBe(false)
  pass(200)
  expect(attempt(1).isAborted).toBe(true)
})
