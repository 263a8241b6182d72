import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import {
  DRAIN_BYTES,
  DRAIN_FOR_INPUT_MS,
  DRAIN_MS,
  DRAINED_REQUESTS,
  DRAINED_REQUESTS_OF_ACCOUNT,
} from '../../core/limits.ts'
import { begin, settle, START, STOP, STREAM, TEXT } from '../../../test/support/exchange-by-hand.ts'

const BLOCK_STOP = 'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n'
const THOUGHT =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}\n\n'

type Begun = ReturnType<typeof begin>

function streamed(events: string, options: Parameters<typeof begin>[0] = {}): Begun {
  const begun = begin(options)
  begun.attempt(0).handler.onHead(200, STREAM)
  begun.attempt(0).handler.onData(Buffer.from(events))
  return begun
}

function recordsOf({ settled }: Begun) {
  return settled.map(({ record }) => ({
    outcome: record.outcome,
    input: record.tokens.input,
    output: record.tokens.output,
    source: record.usageSource,
    notes: record.usageNotes,
  }))
}

const REPORTED = { outcome: 'aborted', input: 5, output: 3, source: 'reported', notes: [] }
const COUNTED = { outcome: 'aborted', input: 5, output: 4, source: 'estimated', notes: [] }

test('a client that hangs up behind the last word pays what the usage says, for which the upstream is read on', async () => {
  const begun = streamed(START + TEXT + BLOCK_STOP)
  begun.exchange.clientGone()
  expect(begun.attempt(0).isAborted).toBe(false)
  expect(begun.running.size).toBe(1)
  begun.attempt(0).handler.onData(Buffer.from(STOP))
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
  expect(begun.attempt(0).isAborted).toBe(true)
  expect(begun.running.size).toBe(0)
  expect(begun.reservation.isOpen).toBe(false)
})

test('a client that leaves gives its place among those that run at once back, also where its upstream is read on', async () => {
  const heard: string[] = []
  const undo = () => {
    heard.push('undone')
    return null
  }
  const use = { leave: () => heard.push('left'), end: () => heard.push('ended'), undo }
  const begun = streamed(START + TEXT + BLOCK_STOP, { use })
  begun.exchange.clientGone()
  expect(heard).toEqual(['left'])
  begun.attempt(0).handler.onData(Buffer.from(STOP))
  await settle()
  expect(heard).toEqual(['left', 'ended'])
})

test.for([
  ['was seen to think', START + THOUGHT + TEXT, {}],
  ['was asked to think', START + TEXT, { fields: { thinking: { type: 'enabled', budget_tokens: 9 } } }],
] as const)('a model that %s is read on wherever its client leaves it', async ([, events, options]) => {
  const begun = streamed(events, options)
  begun.exchange.clientGone()
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.attempt(0).handler.onData(Buffer.from(STOP))
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
})

test('a model that thought in its last answers is read on, and its thinking charged where no usage comes', async () => {
  const begun = begin({ fields: { max_tokens: 1_000 } })
  for (const tokens of [0, 40, 60, 20]) begun.hiddenOutput.note('m', tokens)
  begun.attempt(0).handler.onHead(200, STREAM)
  begun.attempt(0).handler.onData(Buffer.from(START + TEXT))
  begun.exchange.clientGone()
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.attempt(0).handler.onEnd()
  await settle()
  // The mean of the upper half of the last answers, beside the four characters that came.
  expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: 4 + 50, notes: ['hidden_output'] }])
})

const LIMITS: readonly { limit: string; events: string; options: Parameters<typeof begin>[0]; most: number }[] = [
  { limit: 'its own', events: START + TEXT, options: {}, most: 10 },
  { limit: 'its own, and some was shown', events: START + THOUGHT + TEXT, options: {}, most: 10 },
  {
    limit: 'a lowered one',
    events: START + TEXT,
    options: { fields: { max_tokens: 1_000 }, hold: { tokens: 7, input: 0, limit: 7, trustsLimit: true } },
    most: 7,
  },
]

test.for(LIMITS)(
  'what a model may have thought for a client that left is never charged beyond the limit that went upstream ($limit)',
  async ({ events, options, most }) => {
    const begun = begin(options)
    begun.hiddenOutput.note('m', 20_000)
    begun.attempt(0).handler.onHead(200, STREAM)
    begun.attempt(0).handler.onData(Buffer.from(events))
    begun.exchange.clientGone()
    begun.attempt(0).handler.onEnd()
    await settle()
    expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: most, notes: ['hidden_output'] }])
  },
)

test('a model that was seen to write beyond its limit is charged for all the thinking that is expected of it', async () => {
  const begun = begin()
  begun.parts.ignoredLimits.adopt([{ upstreamId: 'ups_1', model: 'm', verdict: 'ignores' }])
  begun.hiddenOutput.note('m', 200)
  begun.attempt(0).handler.onHead(200, STREAM)
  begun.attempt(0).handler.onData(Buffer.from(START + TEXT))
  begun.exchange.clientGone()
  begun.attempt(0).handler.onEnd()
  await settle()
  expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: 4 + 200, notes: ['hidden_output'] }])
})

test('thinking of which some was shown is not charged on top of it', async () => {
  const begun = begin()
  begun.hiddenOutput.note('m', 5)
  begun.attempt(0).handler.onHead(200, STREAM)
  begun.attempt(0).handler.onData(Buffer.from(START + THOUGHT + TEXT))
  begun.exchange.clientGone()
  begun.attempt(0).handler.onEnd()
  await settle()
  expect(recordsOf(begun)).toEqual([{ ...COUNTED, output: 6 }])
})

test('an upstream is read on for so long at most, then it is cancelled and what came is counted', async () => {
  const begun = streamed(START + TEXT + BLOCK_STOP)
  begun.exchange.clientGone()
  begun.pass(DRAIN_MS - 100)
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.pass(200)
  expect(begun.attempt(0).isAborted).toBe(true)
  await settle()
  expect(recordsOf(begun)).toEqual([COUNTED])
})

test('an upstream is read on for so many bytes at most', async () => {
  const begun = streamed(START + TEXT + BLOCK_STOP)
  begun.exchange.clientGone()
  begun.attempt(0).handler.onData(Buffer.from(`: ${'x'.repeat(DRAIN_BYTES)}\n\n`))
  expect(begun.attempt(0).isAborted).toBe(true)
  await settle()
  expect(recordsOf(begun)).toEqual([COUNTED])
})

test('no more upstreams are read on at a time than there are slots, and each gives its slot back', async () => {
  const first = streamed(START + TEXT + BLOCK_STOP)
  first.exchange.clientGone()
  first.attempt(0).handler.onData(Buffer.from(STOP))
  await settle()
  const { drainLimit } = first.parts
  for (let taken = 0; taken < DRAINED_REQUESTS; taken++) expect(drainLimit.take(`acc_${taken}`)).toBe(true)
  expect(drainLimit.take('acc_more')).toBe(false)
})

test('a gateway that stops settles what it reads on, and loses none of it', async () => {
  const begun = streamed(START + TEXT + BLOCK_STOP)
  begun.exchange.clientGone()
  expect(await begun.running.idle(0)).toBe(false)
  begun.running.cut(() => new Fault('draining', 'It stops.'))
  await settle()
  expect(recordsOf(begun)).toEqual([COUNTED])
  expect(await begun.running.idle(0)).toBe(true)
})

test('an upstream that breaks while it is read on costs what came', async () => {
  const begun = streamed(START + TEXT + BLOCK_STOP)
  begun.exchange.clientGone()
  begun.attempt(0).handler.onFailure(new Fault('upstream_unavailable', 'reset'))
  await settle()
  expect(recordsOf(begun)).toEqual([COUNTED])
})

test('a model that does not think is cancelled at once in the middle of its words', async () => {
  const begun = streamed(START + TEXT)
  begun.exchange.clientGone()
  expect(begun.attempt(0).isAborted).toBe(true)
  await settle()
  expect(recordsOf(begun)).toEqual([COUNTED])
})

test('a client that hangs up before anything came pays for the input that was sent', async () => {
  const begun = begin()
  begun.exchange.clientGone()
  expect(begun.attempt(0).isAborted).toBe(true)
  await settle()
  expect(recordsOf(begun)).toEqual([
    { outcome: 'aborted', input: 7, output: 0, source: 'estimated', notes: ['left_unanswered'] },
  ])
  expect(begun.reservation.isOpen).toBe(false)
})

const PICTURE = {
  messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://x.test/1' } }] }],
}
const SEARCHES = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
const CALLED =
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}}\n\n'
const LAST =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":900,"output_tokens":3}}\n\n' +
  'event: message_stop\ndata: {"type":"message_stop"}\n\n'

test('a request that brings in what its bytes do not show is read on before its first byte, until its input is reported', async () => {
  const begun = begin({ fields: PICTURE })
  begun.exchange.clientGone()
  begun.pass(DRAIN_FOR_INPUT_MS - 200)
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.attempt(0).handler.onHead(200, STREAM)
  begun.attempt(0).handler.onData(Buffer.from(START))
  expect(begun.attempt(0).isAborted).toBe(true)
  await settle()
  expect(recordsOf(begun)).toEqual([{ outcome: 'aborted', input: 5, output: 1, source: 'estimated', notes: [] }])
})

test.for([
  ['no answer comes', () => {}],
  [
    'an answer says nothing of it',
    (begun: Begun) => {
      begun.attempt(0).handler.onHead(200, STREAM)
      begun.attempt(0).handler.onData(Buffer.from(TEXT))
    },
  ],
] as const)(
  'input that its bytes do not show is charged up to all that the model reads where %s',
  async ([, answer]) => {
    const begun = begin({ fields: PICTURE })
    begun.exchange.clientGone()
    answer(begun)
    begun.pass(DRAIN_FOR_INPUT_MS + 100)
    expect(begun.attempt(0).isAborted).toBe(true)
    await settle()
    expect(recordsOf(begun).map(({ input, notes }) => [input, notes.at(-1)])).toEqual([[200_000, 'input_at_bound']])
  },
)

test('an early report is not all that a model reads whose upstream has called tools of its own', async () => {
  const begun = streamed(START + CALLED, { fields: SEARCHES })
  begun.exchange.clientGone()
  begun.pass(DRAIN_MS + 100)
  expect(begun.attempt(0).isAborted).toBe(false)
  begun.attempt(0).handler.onData(Buffer.from(LAST))
  await settle()
  expect(recordsOf(begun)).toEqual([{ ...REPORTED, input: 900, notes: ['calls_unpriced'] }])
})

test('tools that an upstream did not call until its client left cost nothing', async () => {
  const begun = streamed(START + TEXT, { fields: SEARCHES })
  begun.exchange.clientGone()
  begun.pass(DRAIN_MS + 100)
  expect(begun.attempt(0).isAborted).toBe(true)
  await settle()
  expect(recordsOf(begun)).toEqual([COUNTED])
})

test.for([
  ['refuses it', (begun: Begun) => begun.attempt(0).handler.onHead(400, {})],
  ['breaks', (begun: Begun) => begun.attempt(0).handler.onFailure(new Fault('upstream_unavailable', 'reset'))],
] as const)('a request that is read on costs nothing when its upstream %s', async ([, fail]) => {
  const begun = begin({ fields: PICTURE })
  begun.exchange.clientGone()
  fail(begun)
  await settle()
  expect(begun.settled.map(({ record }) => [record.outcome, record.cost])).toEqual([['aborted', 0n]])
  expect(begun.running.size).toBe(0)
})

test('no account has more than its part of the upstreams that are read on', () => {
  const { drainLimit } = begin().parts
  for (let taken = 0; taken < DRAINED_REQUESTS_OF_ACCOUNT; taken++) expect(drainLimit.take('acc_1')).toBe(true)
  expect(drainLimit.take('acc_1')).toBe(false)
  expect(drainLimit.take('acc_2')).toBe(true)
  drainLimit.release('acc_1')
  expect(drainLimit.take('acc_1')).toBe(true)
})

test.for([
  ['where the setting says so', () => begin({ chargesUnanswered: false })],
  [
    'where no connection had taken the request',
    () => {
      const begun = begin()
      begun.attempt(0).isSent = false
      return begun
    },
  ],
  [
    'where the upstream refuses the request',
    () => {
      const begun = begin()
      begun.attempt(0).handler.onHead(400, {})
      return begun
    },
  ],
] as const)('a client that hangs up before anything came pays nothing %s', async ([, make]) => {
  const begun = make()
  begun.exchange.clientGone()
  await settle()
  expect(begun.settled.map(({ record }) => [record.outcome, record.cost])).toEqual([['aborted', 0n]])
})

const WHOLE = JSON.stringify({ type: 'message', content: [], usage: { input_tokens: 5, output_tokens: 3 } })

test('a whole answer that has begun to come is read to its end for a client that left', async () => {
  const begun = begin({ stream: false })
  begun.attempt(0).handler.onHead(200, { 'content-type': 'application/json' })
  begun.attempt(0).handler.onData(Buffer.from(WHOLE.slice(0, 9)))
  begun.exchange.clientGone()
  begun.attempt(0).handler.onData(Buffer.from(WHOLE.slice(9)))
  begun.attempt(0).handler.onEnd()
  await settle()
  expect(recordsOf(begun)).toEqual([REPORTED])
})
