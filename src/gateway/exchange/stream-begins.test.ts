import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { begin, settle, STREAM } from '../../../test/support/exchange-by-hand.ts'

// What goes to the client of a stream before its first event, on each wire, and what becomes of a failure behind that.

/** The sign of life of each wire, and what a failure looks like after it. */
const WIRES = [
  ['openai-chat', /^data: \{.*"choices":\[\{"index":0,"delta":\{\}.*\}\n\n$/, /\n\ndata: \{"error":/],
  ['anthropic-messages', /^event: ping\ndata: \{"type":"ping"\}\n\n$/, /event: error\ndata: \{"type":"error"/],
  ['openai-responses', /^: keep-alive\n\n$/, /event: error\ndata: \{"type":"error"/],
] as const

/** What a request of the wire has beside the fields of all. */
const FIELDS = {
  'openai-chat': {},
  'anthropic-messages': {},
  'openai-responses': { input: 'hi', messages: undefined, max_tokens: undefined },
}

const failed = () => new Fault('upstream_unavailable', 'gone')

// from: QuantumNous/new-api#971, looplj/axonhub#2146, openclaw/openclaw#70739, chenyme/grok2api#1050
test.for(WIRES)(
  'a silent stream of %s begins before those in front cut it off, and goes on to say that it lives',
  async ([wire, sign]) => {
    const { response, pass } = begin({ wire, fields: FIELDS[wire] })
    pass(44_900)
    expect([response.headersSent, response.written]).toEqual([false, ''])
    pass(200)
    await settle()
    expect([response.status, signsIn(response.written)]).toEqual([200, [expect.stringMatching(sign)]])
    // Never silent for so long as those in front allow.
    for (let more = 2; more < 6; more++) {
      pass(15_100)
      await settle()
      expect(signsIn(response.written)).toHaveLength(more)
    }
  },
)

test.for(WIRES)(
  'behind a sign of life on %s another target is still asked, and the last failure is the wire’s own event',
  async ([wire, , fault]) => {
    const { attempts, attempt, response, pass, settled } = begin({
      wire,
      fields: FIELDS[wire],
      openai: ['ups_1', 'ups_2'],
    })
    pass(46_000)
    attempt(0).handler.onFailure(failed())
    expect(attempts).toHaveLength(2)
    attempt(1).handler.onFailure(failed())
    await settle()
    expect(response.status).toBe(200)
    expect(response.written).toMatch(fault)
    // Cut off behind it: what ends cleanly is taken for a whole answer.
    expect(response.destroyed).toBe(true)
    expect(settled.map(({ record }) => [record.outcome, record.cost])).toEqual([['failed', 0n]])
  },
)

test('without a sign of life a failure keeps its status', async () => {
  const { attempt, response, pass } = begin()
  pass(40_000)
  attempt(0).handler.onFailure(failed())
  attempt(1).handler.onFailure(failed())
  await settle()
  expect([response.status, response.written.includes('event:')]).toEqual([502, false])
})

test('what the request waited before counts: for money, or for a target', async () => {
  const { response, pass } = begin({ waitedMs: 30_000 })
  pass(14_900)
  expect(response.headersSent).toBe(false)
  pass(200)
  await settle()
  expect(response.status).toBe(200)
})

test.for([
  [0, 100],
  [5_000, 5_100],
  [110_000, 110_100],
] as const)('the time is the admin’s to set: %i ms', async ([streamBeginsWithinMs, then]) => {
  const { response, pass } = begin({ streamBeginsWithinMs })
  pass(then - 200)
  expect(response.headersSent).toBe(false)
  pass(300)
  await settle()
  expect(response.headersSent).toBe(true)
})

test('an answer that is not streamed keeps its status for as long as it takes', async () => {
  const { response, pass } = begin({ stream: false })
  pass(500_000)
  expect(response.headersSent).toBe(false)
})

test('comments of the upstream do not count as its first event, and nothing of them goes out before one', async () => {
  const { attempt, response, pass } = begin({
    wire: 'openai-responses',
    fields: FIELDS['openai-responses'],
    openai: ['ups_1', 'ups_2'],
  })
  attempt(0).handler.onHead(200, STREAM)
  attempt(0).handler.onData(Buffer.from(': processing\n\n'))
  pass(46_000)
  await settle()
  expect(response.written).toContain(': keep-alive\n\n')
  expect(response.written).not.toContain('processing')
})

test('a stream of pictures begins later: where its upstream answers whole, that is what the client gets', async () => {
  const whole =
    '{"created":1,"data":[{"b64_json":"AAAA"}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}'
  const { attempt, response, pass } = begin({
    wire: 'openai-images',
    fields: { prompt: 'a cat', messages: undefined, max_tokens: undefined },
    openai: ['ups_1', 'ups_2'],
  })
  pass(90_000)
  expect(response.headersSent).toBe(false)
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  attempt(0).handler.onData(Buffer.from(whole))
  attempt(0).handler.onEnd()
  await settle()
  expect([response.status, response.written]).toEqual([200, whole])
})

test('an answer that came whole is not begun as a stream while it is being written into the books', async () => {
  const { attempt, response, pass, trouble } = begin()
  trouble.isDown = true
  pass(44_000)
  attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  attempt(0).handler.onData(Buffer.from('{"usage":{"input_tokens":1,"output_tokens":1}}'))
  attempt(0).handler.onEnd()
  pass(3_000)
  expect(response.headersSent).toBe(false)
})

/** Each sign of life ends as an event does. */
function signsIn(written: string): readonly string[] {
  return written.split(/(?<=\n\n)/).filter((sign) => sign !== '')
}
