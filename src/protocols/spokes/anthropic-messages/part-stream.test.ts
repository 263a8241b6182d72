import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import { NO_TOKENS } from '../../../core/tokens.ts'
import { anthropicMessages } from '../../anthropic-messages.ts'
import type { Stop, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, ProviderSignature } from '../../hub/neutral-request.ts'
import { RequestSettings } from '../../hub/request-settings.ts'
import type { ClientCall, PartWriter, StreamUsage } from '../../hub/spoke.ts'
import { endOfEvent, readServerEvent } from '../../reading/server-event.ts'
import { anthropicMessagesSpoke } from '../anthropic-messages.ts'
import { readAnswer } from './read-answer.ts'

const CALL: ClientCall = {
  requestId: 'req_1',
  model: 'm',
  nowMs: 0,
  includeUsage: false,
  asked: {},
  request: { turns: [], tools: [], toolChoice: null, settings: new RequestSettings() },
}
const USED: StreamUsage = {
  reported: { ...NO_TOKENS, input: 5, cacheRead: 3, cacheWrite: 2, cacheWrite1h: 1, output: 7, reasoning: 4 },
  estimatedOutputTokens: 99,
}
const STOP: Stop = { reason: 'end', sequence: null }
const THOUGHT: ProviderSignature = { vendor: 'anthropic', data: 'EqQB+/==' }

function writer(): PartWriter {
  return anthropicMessagesSpoke.openWriter(CALL)
}

/** A block as parts, its text in these pieces. */
function partsOf(block: number, of: AnswerBlock, cut = 3): StreamPart[] {
  const { kind } = of
  const text = kind === 'tool_call' ? of.input : of.text
  const parts: StreamPart[] = [
    kind === 'tool_call'
      ? { kind: 'begin', block, choice: 0, of: { kind, id: of.id, name: of.name, isCustom: false } }
      : { kind: 'begin', block, choice: 0, of: { kind } },
  ]
  for (let i = 0; i < text.length; i += cut) parts.push({ kind: 'delta', block, text: text.slice(i, i + cut) })
  if (kind === 'reasoning' && of.opaque !== null) parts.push({ kind: 'opaque', block, opaque: of.opaque })
  return [...parts, { kind: 'end', block }]
}

function streamOf(blocks: readonly AnswerBlock[], stop: Stop, cut?: number): string {
  const parts = blocks.flatMap((block, i) => partsOf(i, block, cut))
  const to = writer()
  return [...parts, { kind: 'stop', choice: 0, stop } as const].map((part) => to.write(part)).join('') + to.end(USED)
}

/** The parts of a stream, its texts whole. */
function readBack(stream: string): readonly StreamPart[] {
  const bytes = Buffer.from(stream)
  const reader = anthropicMessagesSpoke.openReader()
  const parts: StreamPart[] = []
  for (let start = 0; start < bytes.length;) {
    const end = endOfEvent(bytes.toString('latin1'), start)
    for (const part of reader.read(readServerEvent(bytes.subarray(start, end)))) {
      const last = parts.at(-1)
      if (part.kind === 'delta' && last?.kind === 'delta')
        parts[parts.length - 1] = { ...last, text: last.text + part.text }
      else parts.push(part)
    }
    start = end
  }
  return [...parts, ...reader.end()]
}

/** What Anthropic's own client makes of a stream. */
async function readBySdk(stream: string): Promise<Anthropic.Message> {
  const fetch = (): Promise<Response> => {
    return Promise.resolve(new Response(stream, { headers: { 'content-type': 'text/event-stream' } }))
  }
  const client = new Anthropic({ apiKey: 'k', fetch, maxRetries: 0 })
  return client.messages
    .stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
    .finalMessage()
}

const ANSWER: readonly AnswerBlock[] = [
  { kind: 'reasoning', text: 'Let me think.', opaque: THOUGHT },
  { kind: 'text', text: 'I look.\nNow "é".' },
  { kind: 'tool_call', id: 'call_1', name: 'f', input: '{"x":[1,"é"]}', isCustom: false },
  { kind: 'tool_call', id: 'call_2', name: 'g', input: '{}', isCustom: false },
]

test('Anthropic’s SDK reads the answer, and the gateway meters it', async () => {
  const stream = streamOf(ANSWER, { reason: 'tool_calls', sequence: null })
  const usage = {
    input_tokens: 5,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 3,
    output_tokens: 7,
    output_tokens_details: { thinking_tokens: 4 },
  }
  expect(await readBySdk(stream)).toMatchObject({
    id: 'msg_1',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'thinking', thinking: 'Let me think.', signature: 'EqQB+/==' },
      { type: 'text', text: 'I look.\nNow "é".' },
      { type: 'tool_use', id: 'call_1', name: 'f', input: { x: [1, 'é'] } },
      { type: 'tool_use', id: 'call_2', name: 'g', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage,
  })
  const metered = anthropicMessages.openStream({ dropUsageChunk: false })
  metered.push(Buffer.from(stream))
  expect(metered.finish().kind).toBe('complete')
  expect(metered.usage).toMatchObject({ input: 5, output: 7 })
})

test('events come in the one order that clients take, each block open alone', () => {
  const stream = streamOf(ANSWER.slice(0, 3), { reason: 'tool_calls', sequence: null }, 100)
  expect(
    [...stream.matchAll(/^event: (.*)\ndata: \{"type":"(.*?)"(?:,"index":(\d))?/gm)].map(([, name, , i]) => [name, i]),
  ).toEqual([
    ['message_start', undefined],
    ['content_block_start', '0'],
    ['content_block_delta', '0'],
    ['content_block_delta', '0'],
    ['content_block_stop', '0'],
    ['content_block_start', '1'],
    ['content_block_delta', '1'],
    ['content_block_stop', '1'],
    ['content_block_start', '2'],
    ['content_block_delta', '2'],
    ['content_block_stop', '2'],
    ['message_delta', undefined],
    ['message_stop', undefined],
  ])
})

const someBlocks = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('text' as const), text: fc.string({ minLength: 1, unit: 'grapheme' }) }),
    fc.record({
      kind: fc.constant('reasoning' as const),
      text: fc.string(),
      opaque: fc.record({ vendor: fc.constant('anthropic' as const), data: fc.base64String({ minLength: 4 }) }),
    }),
    fc.record({
      kind: fc.constant('tool_call' as const),
      id: fc.stringMatching(/^[a-z_]{1,9}$/),
      name: fc.constantFrom('f', 'g'),
      input: fc
        .dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
        .map((input) => JSON.stringify(input)),
      isCustom: fc.constant(false),
    }),
  ),
  { maxLength: 4 },
)

test('what is written is read back as the same parts, however the text is cut', () => {
  fc.assert(
    fc.property(someBlocks, fc.integer({ min: 1, max: 20 }), (answer, cut) => {
      const hasCalls = answer.some(({ kind }) => kind === 'tool_call')
      const stop = { reason: hasCalls ? 'tool_calls' : 'end', sequence: null } as const
      const whole = answer.flatMap((block, i) => partsOf(i, block, Number.MAX_SAFE_INTEGER))
      expect(readBack(streamOf(answer, stop, cut))).toEqual([...whole, { kind: 'stop', choice: 0, stop }])
    }),
    { numRuns: 200 },
  )
})

test('random bytes in events are passed over', () => {
  const types = fc.constantFrom('content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta')
  const data = fc.oneof(
    fc.json(),
    fc.tuple(types, fc.jsonValue()).map(([type, a]) => JSON.stringify({ type, index: 0, delta: a, content_block: a })),
  )
  fc.assert(
    fc.property(fc.array(data), (events) => {
      const reader = anthropicMessagesSpoke.openReader()
      for (const event of events) reader.read({ name: null, data: Buffer.from(event) })
      reader.end()
    }),
    { numRuns: 500 },
  )
})

describe('what a writer makes of', () => {
  const ends = { reason: 'end', sequence: null } as const

  function contentOf(...answer: readonly AnswerBlock[]): Promise<unknown> {
    return readBySdk(streamOf(answer, ends)).then(({ content }) => content)
  }

  test('no answer at all, and of one that is cut in a block', async () => {
    expect(await readBySdk(writer().end(USED))).toMatchObject({ content: [], stop_reason: 'end_turn' })
    const to = writer()
    const text = partsOf(0, { kind: 'text', text: 'half' })
      .slice(0, -1)
      .map((part) => to.write(part))
    const cut =
      text.join('') + to.write({ kind: 'stop', choice: 0, stop: { reason: 'length', sequence: null } }) + to.end(USED)
    expect(cut).toContain('event: content_block_stop\n')
    expect(await readBySdk(cut)).toMatchObject({ content: [{ text: 'half' }], stop_reason: 'max_tokens' })
  })

  test('a block that begins before the last one ended: one after the other', () => {
    const to = writer()
    const [one, other] = [0, 1].map((block) =>
      partsOf(block, { kind: 'tool_call', id: 'c', name: 'f', input: '{}', isCustom: false }),
    )
    const events = [...(one ?? []).slice(0, -1), ...(other ?? [])].map((part) => to.write(part)).join('')
    const blocks = [...events.matchAll(/^event: content_block_(start|stop)/gm)].map(([, kind]) => kind)
    expect(blocks).toEqual(['start', 'stop', 'start', 'stop'])
  })

  test('blocks without a word: nothing', async () => {
    const nothing = { kind: 'reasoning', text: '', opaque: null } as const
    expect(await contentOf({ kind: 'text', text: '' }, nothing, { kind: 'text', text: 'a' })).toMatchObject([
      { text: 'a' },
    ])
  })

  test('a signature of others behind the last text: nothing, since clients take what ends in thinking for empty', async () => {
    const opaque: ProviderSignature = { vendor: 'google', data: 'Ck4B' }
    const signed = { kind: 'reasoning', text: '', opaque } as const
    expect(await contentOf({ kind: 'text', text: 'a' }, signed)).toMatchObject([{ type: 'text', text: 'a' }])
    const call = { kind: 'tool_call', id: 'c1', name: 't', input: '{}', isCustom: false } as const
    const content = await contentOf({ kind: 'text', text: 'a' }, signed, signed, call)
    expect(content).toMatchObject(['text', 'thinking', 'thinking', 'tool_use'].map((type) => ({ type })))
    const choices = [{ blocks: [{ kind: 'text', text: 'a' } as const, signed], stop: STOP }]
    expect(anthropicMessagesSpoke.writeAnswer({ choices }, CALL, NO_TOKENS)['content']).toHaveLength(1)
  })

  test('reasoning of others: a signature that comes back as theirs, also where there is none and where there is no text', async () => {
    const opaque: ProviderSignature = { vendor: 'google', data: 'Ck4B' }
    const content = await contentOf(
      { kind: 'reasoning', text: '', opaque },
      { kind: 'reasoning', text: 'r', opaque: null },
    )
    const signature = expect.stringContaining('~tollgate.reasoning.') as string
    expect(content).toEqual([
      { type: 'thinking', thinking: '', signature },
      { type: 'thinking', thinking: 'r', signature },
    ])
    const messages = [{ role: 'assistant', content }]
    const body = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages }))
    const sent = anthropicMessages.rewriteRequest(body, anthropicMessages.readRequest(body), {
      model: 'm',
      askForUsage: false,
    })
    expect(JSON.parse(Buffer.concat(sent).toString())).toMatchObject({ messages: [] })
  })

  test('thinking that is hidden', async () => {
    const opaque: ProviderSignature = { vendor: 'anthropic', data: 'Eo0B', isRedacted: true }
    expect(await contentOf({ kind: 'reasoning', text: '', opaque })).toEqual([
      { type: 'redacted_thinking', data: 'Eo0B' },
    ])
  })

  test('a refusal: its words, and the reason', async () => {
    const message = await readBySdk(streamOf([{ kind: 'refusal', text: 'No.' }], ends))
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'No.' }], stop_reason: 'refusal' })
  })

  test('output without a reported count: the estimate', async () => {
    const to = writer()
    expect(await readBySdk(to.end({ reported: NO_TOKENS, estimatedOutputTokens: 99 }))).toMatchObject({
      usage: { input_tokens: 0, output_tokens: 99 },
    })
  })

  test('keep-alives and faults', () => {
    expect(writer().keepAlive()).toBe('event: ping\ndata: {"type":"ping"}\n\n')
    const fault = new Fault('upstream_overloaded', 'Busy.')
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Busy.' }, request_id: 'req_1' }
    expect(writer().writeFault(fault)).toBe(`event: error\ndata: ${JSON.stringify(error)}\n\n`)
  })
})

describe('what a reader makes of', () => {
  function read(...events: readonly object[]): readonly StreamPart[] {
    return readBack(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  }
  const start = (index: number, content_block: object): object => ({
    type: 'content_block_start',
    index,
    content_block,
  })
  const delta = (index: number, of: object): object => ({ type: 'content_block_delta', index, delta: of })

  test('a call whose input came whole, and one that has none', () => {
    const tool = { type: 'tool_use', id: 't', name: 'f' }
    const parts = read(
      start(0, { ...tool, input: { a: 1 } }),
      { type: 'content_block_stop', index: 0 },
      start(1, { ...tool, input: {} }),
      delta(1, { type: 'input_json_delta', partial_json: '' }),
      { type: 'content_block_stop', index: 1 },
    )
    expect(parts.flatMap((part) => (part.kind === 'delta' ? part.text : []))).toEqual(['{"a":1}', '{}'])
  })

  test('steps of tools at the provider: nothing, and the blocks count on', () => {
    const parts = read(
      start(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{}' }),
      start(1, { type: 'text', text: 'a' }),
      delta(1, { type: 'citations_delta', citation: {} }),
      delta(1, { type: 'text_delta', text: 'b' }),
    )
    expect(parts).toEqual([
      { kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } },
      { kind: 'delta', block: 0, text: 'ab' },
      { kind: 'end', block: 0 },
    ])
  })

  test.for([
    ['end_turn', null, { reason: 'end', sequence: null }],
    ['stop_sequence', 'END', { reason: 'stop_sequence', sequence: 'END' }],
    ['max_tokens', null, { reason: 'length', sequence: null }],
    ['model_context_window_exceeded', null, { reason: 'length', sequence: null }],
    ['tool_use', null, { reason: 'tool_calls', sequence: null }],
    ['pause_turn', null, { reason: 'paused', sequence: null }],
    ['refusal', null, { reason: 'filtered', sequence: null }],
    ['something_new', null, { reason: 'length', sequence: null }],
  ] as const)('the stop reason %s', ([stop_reason, stop_sequence, stop]) => {
    const interim = { type: 'message_delta', delta: { stop_reason: null }, usage: {} }
    const final = { type: 'message_delta', delta: { stop_reason, stop_sequence } }
    expect(read(interim, final, final)).toEqual([{ kind: 'stop', choice: 0, stop }])
    expect(readAnswer({ content: [], stop_reason, stop_sequence })).toEqual({ choices: [{ blocks: [], stop }] })
  })

  test('a refusal with words of its own', () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'Not this.' }
    const parts = read(start(0, { type: 'text', text: 'a' }), {
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_details },
    })
    expect(parts.slice(2)).toEqual([
      { kind: 'end', block: 0 },
      { kind: 'begin', block: 1, choice: 0, of: { kind: 'refusal' } },
      { kind: 'delta', block: 1, text: 'Not this.' },
      { kind: 'end', block: 1 },
      { kind: 'stop', choice: 0, stop: { reason: 'filtered', sequence: null } },
    ])
  })
})

describe('whole answers', () => {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'EqQB' },
      { type: 'redacted_thinking', data: 'Eo0B' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: 3,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 4 },
    },
  }

  test('are written as they were read', () => {
    const answer = readAnswer(message)
    expect(JSON.parse(JSON.stringify(anthropicMessagesSpoke.writeAnswer(answer, CALL, USED.reported)))).toEqual(message)
  })

  test('input other than an object becomes one', () => {
    const calls = ['', '[1]', '{"path":"/et'].map(
      (input, i) => ({ kind: 'tool_call', id: `c${i}`, name: 'f', input, isCustom: false }) as const,
    )
    const answer = { choices: [{ blocks: calls, stop: { reason: 'length', sequence: null } as const }] }
    const written = anthropicMessagesSpoke.writeAnswer(answer, CALL, NO_TOKENS)
    expect(written['content']).toMatchObject([{ input: {} }, { input: {} }, { input: {} }])
    expect(written['stop_reason']).toBe('max_tokens')
  })

  test('anything at all is read', () => {
    fc.assert(
      fc.property(fc.object(), fc.jsonValue(), (body, content) => {
        readAnswer({ ...body, content: [content, { type: 'tool_use', input: content }] })
        readAnswer({ ...body, content })
      }),
      { numRuns: 200 },
    )
  })
})
