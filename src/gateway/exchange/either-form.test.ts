import { expect, test } from 'vitest'
import { begin, settle, START, STOP, STREAM, TEXT } from '../../../test/support/exchange-by-hand.ts'

// A stream was asked for and JSON comes, or the other way round: when it counts as begun, who wins, and what is paid.

const JSON_TYPE = { 'content-type': 'application/json' }
const ANSWER =
  '{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text","text":"four"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":3}}'
const ERROR = '{"type":"error","error":{"type":"api_error","message":"It broke."}}'
const REPORTED = { outcome: 'completed', usageSource: 'reported', tokens: { input: 5, output: 3 } }

type Begun = ReturnType<typeof begin>

function comes(begun: Begun, index: number, { body, headers = JSON_TYPE }: { body: string; headers?: object }): void {
  const { handler } = begun.attempt(index)
  handler.onHead(200, { ...headers })
  handler.onData(Buffer.from(body))
}

test('a whole answer is written as a stream when it is whole, is paid as reported, and has a time of its first byte', async () => {
  const begun = begin()
  comes(begun, 0, { body: ANSWER.slice(0, 40) })
  begun.pass(2_000)
  expect(begun.response.headersSent).toBe(false)
  begun.attempt(0).handler.onData(Buffer.from(ANSWER.slice(40)))
  begun.attempt(0).handler.onEnd()
  expect(begun.response.written).toBe('')
  await settle()
  expect(begun.response.written).toContain('event: content_block_delta')
  expect(begun.response.written).toMatch(/event: message_stop\ndata: .*\n\n$/)
  expect(begun.settled.map(({ record }) => record)).toMatchObject([{ ...REPORTED, firstByteMs: 2_000 }])
})

test('events where a whole answer was asked for are one, and are paid as reported', async () => {
  const begun = begin({ stream: false })
  comes(begun, 0, { body: START + TEXT.replace('block_delta', 'block_start') + STOP, headers: STREAM })
  expect(begun.response.headersSent).toBe(false)
  begun.attempt(0).handler.onEnd()
  await settle()
  expect(JSON.parse(begun.response.written)).toMatchObject({ type: 'message', stop_reason: 'end_turn' })
  expect(begun.settled.map(({ record }) => record)).toMatchObject([REPORTED])
})

test('events that stop before their end are not an answer, and the next target is asked', async () => {
  const begun = begin({ stream: false })
  comes(begun, 0, { body: START + TEXT, headers: STREAM })
  begun.attempt(0).handler.onEnd()
  expect(begun.attempts).toHaveLength(2)
  comes(begun, 1, { body: ANSWER })
  begun.attempt(1).handler.onEnd()
  await settle()
  expect(begun.response.written).toBe(ANSWER)
})

test('a failure that comes as JSON in place of a stream is known before anything went out, and the next target answers', async () => {
  const begun = begin()
  comes(begun, 0, { body: ERROR, headers: STREAM })
  begun.attempt(0).handler.onEnd()
  expect(begun.attempts).toHaveLength(2)
  comes(begun, 1, { body: START + TEXT + STOP, headers: {} })
  begun.attempt(1).handler.onEnd()
  await settle()
  expect(begun.response.written).toBe(START + TEXT + STOP)
  expect(begun.settled.map(({ record }) => record)).toMatchObject([REPORTED])
})

test('a credential that is held is released by a whole answer in place of a stream, and not by its beginning or an error', async () => {
  for (const [body, isHeld] of [
    [ANSWER, false],
    [ERROR, true],
  ] as const) {
    const begun = begin({ targets: ['ups_1'] })
    begun.credentialOf('ups_1')?.refused({ beganAt: 0, now: 0 }, 'credential')
    comes(begun, 0, { body })
    expect(begun.credentialOf('ups_1')?.held).not.toBeNull()
    begun.attempt(0).handler.onEnd()
    await settle()
    expect(begun.credentialOf('ups_1')?.held === null, body).toBe(!isHeld)
  }
})

test('a client that hangs up while a whole answer comes pays what it reports, for which it is read on', async () => {
  const begun = begin()
  comes(begun, 0, { body: ANSWER.slice(0, 40) })
  begun.exchange.clientGone()
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.attempt(0).handler.onData(Buffer.from(ANSWER.slice(40)))
  begun.attempt(0).handler.onEnd()
  await settle()
  expect(begun.settled.map(({ record }) => record)).toMatchObject([{ ...REPORTED, outcome: 'aborted' }])
})

test('one that never becomes whole is paid for by its input, when its time is over', async () => {
  const begun = begin()
  comes(begun, 0, { body: ANSWER.slice(0, 40) })
  begun.exchange.clientGone()
  begun.pass(6_000)
  await settle()
  expect(begun.settled.map(({ record }) => [record.outcome, record.usageNotes])).toEqual([
    ['aborted', ['left_unanswered']],
  ])
})
