import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../core/faults.ts'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { NeutralAnswer, StreamPart } from '../../hub/neutral-answer.ts'
import type { AnswerBlock, Tool } from '../../hub/neutral-request.ts'
import { RequestSettings } from '../../hub/request-settings.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { ResponsesPartWriter, writeAnswer } from './write-answer.ts'
import { blocksIn, clientCall, dataOf, partsIn } from '../../../../test/support/responses-stream.ts'

const USAGE = { ...NO_TOKENS, input: 10, cacheRead: 5, cacheWrite: 2, output: 7, reasoning: 3 }

describe('a stream of the responses wire', () => {
  test('has every event, numbered, in the order that clients need', () => {
    const events = dataOf(written(ANSWER))
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, i) => i))
  })

  test('ends with the whole output, which is the same as of an answer that is not streamed', () => {
    const call = clientCall()
    const last = dataOf(written(ANSWER, call)).at(-1)?.['response']
    const whole = writeAnswer(
      { choices: [{ blocks: ANSWER, stop: { reason: 'tool_calls', sequence: null } }] },
      call,
      USAGE,
    )
    expect(last).toEqual({ ...whole, completed_at: null })
    expect(last).toMatchObject({
      id: 'resp_abc',
      status: 'completed',
      output: [
        {
          id: 'rs_abc_0',
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Hm.' }],
          encrypted_content: 'gAAA==',
        },
        {
          id: 'msg_abc_1',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
        { id: 'fc_abc_2', type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"a":1}' },
        { id: 'ctc_abc_3', type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '***' },
      ],
      usage: {
        input_tokens: 17,
        input_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 24,
      },
    })
  })

  test('calls go to the client by the names that it gave: in their namespace, in the clear, or as a search', () => {
    const within = (name: string): { namespace: string; name: string } => ({ namespace: 'functions', name })
    const secret = { type: 'object', properties: { message: { type: 'string', encrypted: true } } }
    const tools: Tool[] = [
      {
        kind: 'custom',
        name: 'functions__exec',
        description: null,
        grammar: null,
        inNamespace: within('exec'),
        at: '',
      },
      {
        kind: 'function',
        name: 'functions__send',
        description: null,
        schema: secret,
        isStrict: null,
        inNamespace: within('send'),
        at: '',
      },
      { kind: 'function', name: 'tool_search', description: null, schema: null, isStrict: null, at: '' },
    ]
    const call = clientCall({
      asked: { tools: [{ type: 'tool_search', execution: 'client' }] },
      request: { turns: [], tools, toolChoice: null, settings: new RequestSettings() },
    })
    const blocks: AnswerBlock[] = [
      { kind: 'tool_call', id: 'c1', name: 'functions__exec', input: 'ls', isCustom: true },
      { kind: 'tool_call', id: 'c2', name: 'functions__send', input: '{"message":"m"}', isCustom: false },
      { kind: 'tool_call', id: 'c3', name: 'tool_search', input: '{"query":"mail"}', isCustom: false },
    ]
    const events = dataOf(written(blocks, call))
    expect(events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toEqual([
      {
        id: 'ctc_abc_0',
        type: 'custom_tool_call',
        status: 'completed',
        call_id: 'c1',
        name: 'exec',
        namespace: 'functions',
        input: 'ls',
      },
      {
        id: 'fc_abc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'c2',
        name: 'send',
        namespace: 'functions',
        arguments: '{"message":"m"}',
        encrypted_function_args: [],
      },
      {
        id: 'tsc_abc_2',
        type: 'tool_search_call',
        status: 'completed',
        call_id: 'c3',
        execution: 'client',
        arguments: { query: 'mail' },
      },
    ])
  })

  test('reasoning of another vendor is wrapped, and comes back byte for byte', () => {
    const opaque = { vendor: 'anthropic', data: 'c2ln==', isRedacted: true } as const
    const blocks: AnswerBlock[] = [{ kind: 'reasoning', text: '', opaque }]
    expect(blocksIn(partsIn(written(blocks)))).toEqual(blocks)
    expect(written(blocks)).not.toContain('"c2ln=="')
  })

  test('an answer without a word is a message without a word', () => {
    const writer = new ResponsesPartWriter(clientCall())
    const events = dataOf(writer.end({ reported: NO_TOKENS, estimatedOutputTokens: 4 }))
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        output: [{ type: 'message', content: [{ text: '' }] }],
        usage: { input_tokens: 0, output_tokens: 4 },
      },
    })
  })

  test('an answer that is cut closes what is open, and says why', () => {
    const writer = new ResponsesPartWriter(clientCall())
    const parts: StreamPart[] = [
      { kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } },
      { kind: 'delta', block: 0, text: 'Hal' },
      { kind: 'stop', choice: 0, stop: { reason: 'length', sequence: null } },
    ]
    const stream =
      parts.map((part) => writer.write(part)).join('') + writer.end({ reported: USAGE, estimatedOutputTokens: 0 })
    expect(dataOf(stream).slice(-2)).toMatchObject([
      { type: 'response.output_item.done', item: { status: 'incomplete', content: [{ text: 'Hal' }] } },
      {
        type: 'response.incomplete',
        response: {
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: [{ content: [{ text: 'Hal' }] }],
        },
      },
    ])
  })

  test('waiting and faults are sent in a form that OpenAI’s libraries accept', () => {
    const fault = new Fault('upstream_unavailable', 'The model cannot be reached.')
    const before = new ResponsesPartWriter(clientCall())
    expect(before.keepAlive()).toBe(': keep-alive\n\n')
    expect(dataOf(before.writeFault(fault))).toEqual([
      {
        type: 'error',
        sequence_number: 0,
        code: 'upstream_unavailable',
        message: 'The model cannot be reached.',
        param: null,
      },
    ])
    const within = new ResponsesPartWriter(clientCall())
    within.write({ kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } })
    expect(within.keepAlive()).toBe('event: keepalive\ndata: {"type":"keepalive","sequence_number":3}\n\n')
    expect(dataOf(within.writeFault(fault))).toMatchObject([
      {
        type: 'response.failed',
        sequence_number: 4,
        response: { id: 'resp_abc', status: 'failed', error: { code: 'upstream_unavailable' } },
      },
    ])
  })

  test('probabilities go with the text that they belong to, and once more at its end', () => {
    const settings = new RequestSettings()
    settings.say('logprobs', 1, 'top_logprobs')
    const call = clientCall({ request: { turns: [], tools: [], toolChoice: null, settings } })
    const [one, two] = [
      { token: 'A', logprob: -1, bytes: [65], top: [] },
      { token: 'B', logprob: -2, bytes: null, top: [] },
    ]
    const writer = new ResponsesPartWriter(call)
    const parts: StreamPart[] = [
      { kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } },
      { kind: 'delta', block: 0, text: 'A' },
      { kind: 'logprobs', block: 0, logprobs: [one] },
      { kind: 'logprobs', block: 0, logprobs: [two] },
      { kind: 'delta', block: 0, text: 'B' },
      { kind: 'delta', block: 0, text: 'C' },
      { kind: 'end', block: 0 },
    ]
    const events = dataOf(parts.map((part) => writer.write(part)).join(''))
    const [a, b] = [
      { token: 'A', logprob: -1, bytes: [65], top_logprobs: [] },
      { token: 'B', logprob: -2, bytes: [66], top_logprobs: [] },
    ]
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta')
    expect(deltas).toMatchObject([
      { delta: 'A', logprobs: [a] },
      { delta: 'B', logprobs: [b] },
      { delta: 'C', logprobs: [] },
    ])
    expect(events.at(-1)).toMatchObject({ item: { content: [{ text: 'ABC', logprobs: [a, b] }] } })
  })
})

describe('any answer', () => {
  test('is read as it was written, and OpenAI’s own library follows it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { maxLength: 6 }), async (drafts) => {
        const blocks = drafts.map((block, i) => (block.kind === 'tool_call' ? { ...block, id: `call_${i}` } : block))
        const call = clientCall()
        const stream = written(blocks, call)
        expect(blocksIn(partsIn(stream))).toEqual(blocks)
        const final = await finalResponse(stream)
        expect(final.output).toEqual(totalOutput(blocks, call))
      }),
      { numRuns: 200 },
    )
  })
})

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const anyBlock: fc.Arbitrary<AnswerBlock> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: anyText }),
  fc.record({ kind: fc.constant('refusal' as const), text: anyText }),
  fc.record({
    kind: fc.constant('reasoning' as const),
    text: anyText,
    opaque: fc.option(fc.record({ vendor: fc.constantFrom('anthropic' as const, 'google' as const), data: anyText })),
  }),
  fc.record({
    kind: fc.constant('tool_call' as const),
    id: fc.constant(''),
    name: fc.constantFrom('read', 'patch'),
    input: anyText,
    isCustom: fc.boolean(),
  }),
)

const ANSWER: readonly AnswerBlock[] = [
  { kind: 'reasoning', text: 'Hm.', opaque: { vendor: 'openai', data: 'gAAA==' } },
  { kind: 'text', text: 'Hi' },
  { kind: 'tool_call', id: 'call_1', name: 'read', input: '{"a":1}', isCustom: false },
  { kind: 'tool_call', id: 'call_2', name: 'patch', input: '***', isCustom: true },
]

test('an answer beyond what one event may be ends there, since the last event repeats all of it', () => {
  const writer = new ResponsesPartWriter(clientCall())
  writer.write({ kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } })
  const text = 'a'.repeat(1024 * 1024)
  for (let i = 0; i < 15; i++) writer.write({ kind: 'delta', block: 0, text })
  const beyond = (): unknown => [0, 1].map(() => writer.write({ kind: 'delta', block: 0, text }))
  expect(beyond).toThrow(expect.objectContaining({ code: 'upstream_malformed' }))
})

/** Texts of more than five characters come in two deltas. */
function written(blocks: readonly AnswerBlock[], call: ClientCall = clientCall()): string {
  const writer = new ResponsesPartWriter(call)
  const parts = blocks.flatMap((block, i) => partsOf(block, i))
  const stop: StreamPart = { kind: 'stop', choice: 0, stop: { reason: 'end', sequence: null } }
  const stream = [...parts, stop].map((part) => writer.write(part)).join('')
  return stream + writer.end({ reported: USAGE, estimatedOutputTokens: 0 })
}

function partsOf(block: AnswerBlock, number: number): readonly StreamPart[] {
  const of = block.kind === 'tool_call' ? block : { kind: block.kind }
  const text = block.kind === 'tool_call' ? block.input : block.text
  const texts = text.length > 7 ? [text.slice(0, 5), text.slice(5)] : [text]
  return [
    { kind: 'begin', block: number, choice: 0, of },
    ...texts.filter((each) => each !== '').map((each) => ({ kind: 'delta' as const, block: number, text: each })),
    ...(block.kind === 'reasoning' && block.opaque !== null
      ? [{ kind: 'opaque' as const, block: number, opaque: block.opaque }]
      : []),
    { kind: 'end', block: number },
  ]
}

function totalOutput(blocks: readonly AnswerBlock[], call: ClientCall): unknown {
  const answer: NeutralAnswer = { choices: [{ blocks, stop: { reason: 'end', sequence: null } }] }
  return writeAnswer(answer, call, USAGE)['output']
}

async function finalResponse(stream: string): Promise<{ output: unknown }> {
  const fetch = (): Promise<Response> =>
    Promise.resolve(new Response(stream, { headers: { 'content-type': 'text/event-stream' } }))
  const client = new OpenAI({ apiKey: 'k', baseURL: 'http://127.0.0.1:1/v1', fetch, maxRetries: 0 })
  const { output } = await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse()
  // The helper adds fields of its own to what it parsed.
  return {
    output: JSON.parse(
      JSON.stringify(output, (key, value: unknown) => (key.startsWith('parsed') ? undefined : value)),
    ) as unknown,
  }
}
