import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import { readAnswer } from './read-answer.ts'
import { blocksIn, partsIn } from '../../../../test/support/responses-stream.ts'

const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [
    { type: 'summary_text', text: 'One.' },
    { type: 'summary_text', text: 'Two.' },
  ],
  encrypted_content: 'gAAA==',
}
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
}
const CALL = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"a":1}' }
const CUSTOM = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '***' }
const OUTPUT = [REASONING, MESSAGE, CALL, CUSTOM]

const BLOCKS = [
  { kind: 'reasoning', text: 'One.\n\nTwo.', opaque: { vendor: 'openai', data: 'gAAA==', id: 'rs_1' } },
  { kind: 'text', text: 'Hello' },
  { kind: 'tool_call', id: 'call_1', name: 'read', input: '{"a":1}', isCustom: false },
  { kind: 'tool_call', id: 'call_2', name: 'patch', input: '***', isCustom: true },
]

const COMPLETED = { type: 'response.completed', response: { status: 'completed', output: OUTPUT } }

const ADDED = [
  { type: 'response.created', response: {} },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'early' },
  },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'One.' },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'Two.' },
  { type: 'response.output_item.added', output_index: 1, item: { ...MESSAGE, content: [] } },
  { type: 'response.content_part.added', output_index: 1, content_index: 0, part: { type: 'output_text', text: '' } },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Hel' },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'lo' },
  { type: 'response.output_item.added', output_index: 2, item: { ...CALL, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"a":1}' },
  { type: 'response.output_item.added', output_index: 3, item: { ...CUSTOM, input: '' } },
  { type: 'response.custom_tool_call_input.delta', output_index: 3, delta: '***' },
]
const DONE = OUTPUT.map((item, i) => ({ type: 'response.output_item.done', output_index: i, item }))
const PART_DONE = { type: 'response.content_part.done', output_index: 1, content_index: 0, part: MESSAGE.content[0] }

describe('an answer comes once', () => {
  test.for([
    ['piece by piece, and whole again twice', [...ADDED, PART_DONE, ...DONE, COMPLETED]],
    ['piece by piece, and whole at the end alone', [...ADDED, COMPLETED]],
    ['in whole items', [...DONE, COMPLETED]],
    ['in whole items, without a whole at the end', [...DONE, { type: 'response.completed', response: {} }]],
    ['whole at the end alone', [COMPLETED]],
    ['with other ids in each event', [...withOtherIds(ADDED, 'a'), ...withOtherIds(DONE, 'b').slice(1), COMPLETED]],
    [
      'without half of its deltas',
      [...ADDED.filter(({ delta }) => delta !== 'lo' && delta !== 'Two.'), ...DONE, COMPLETED],
    ],
    [
      'without a word about items',
      [...ADDED.filter(({ type, output_index }) => output_index !== 1 || type.endsWith('.delta')), COMPLETED],
    ],
  ] as const)('%s', ([, events]) => {
    const parts = partsOf(events)
    const byFirstWord = [...blocksIn(parts)].sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
    expect(byFirstWord).toMatchObject(
      BLOCKS.map((block) => (block.kind === 'reasoning' ? { ...block, opaque: { data: 'gAAA==' } } : block)),
    )
    expect(parts.at(-1)).toEqual({ kind: 'stop', choice: 0, stop: { reason: 'tool_calls', sequence: null } })
  })

  test('each item at the end is known by its names before it is known by its place', () => {
    const second = { ...MESSAGE, id: 'msg_2', content: [{ type: 'output_text', text: 'Second' }] }
    const events = [
      { type: 'response.output_item.done', output_index: 1, item: second },
      { type: 'response.completed', response: { output: [MESSAGE, second] } },
    ]
    expect(blocksIn(partsOf(events)).map((block) => block.kind === 'text' && block.text)).toEqual(['Second', 'Hello'])
  })

  test('and the same as one that is not streamed', () => {
    expect(blocksIn(partsOf([...ADDED, ...DONE, COMPLETED]))).toEqual(BLOCKS)
    expect(readAnswer({ status: 'completed', output: OUTPUT }).choices[0]?.blocks).toEqual(BLOCKS)
  })
})

describe('parts of a stream', () => {
  test('reasoning that comes in full and in a summary is shown once', () => {
    const item = { ...REASONING, content: [{ type: 'reasoning_text', text: 'In full.' }] }
    const events = [
      { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'In full.' },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'One.' },
      { type: 'response.output_item.done', output_index: 0, item },
    ]
    expect(blocksIn(partsOf(events))).toMatchObject([
      { kind: 'reasoning', text: 'In full.', opaque: { data: 'gAAA==' } },
    ])
  })

  test('what a provider’s tools do, broken JSON and unknown events are passed over', () => {
    const item = { id: 'ws_1', type: 'web_search_call', status: 'completed' }
    const events = [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.output_text.delta', output_index: 0, delta: 'no place of a text' },
      { type: 'response.function_call_arguments.delta', output_index: 5, delta: 'of no item' },
      { type: 'response.unheard_of', output_index: 1 },
      { type: 'response.output_item.done', output_index: 2, item: null },
      { type: 'response.output_item.done', output_index: 'x' },
    ]
    expect(partsOf(events)).toEqual([])
    expect(partsIn('data: {"type":\n\n')).toEqual([])
    expect(partsIn('data: [1]\n\n')).toEqual([])
  })

  test.for([
    ['incomplete', { reason: 'max_output_tokens' }, 'length'],
    ['incomplete', { reason: 'content_filter' }, 'filtered'],
    ['incomplete', null, 'length'],
    ['completed', null, 'end'],
  ] as const)('a response that is %s for %j stopped at its %s', ([status, incomplete_details, reason]) => {
    const response = { status, incomplete_details, output: [MESSAGE] }
    expect(partsOf([{ type: `response.${status}`, response }]).at(-1)).toMatchObject({ kind: 'stop', stop: { reason } })
    expect(readAnswer(response).choices[0]?.stop.reason).toBe(reason)
  })

  test('probabilities come with their text, or with the whole where deltas had none', () => {
    const logprobs = [{ token: 'Hello', logprob: -1, bytes: [72], top_logprobs: [{ token: 'H', logprob: -2 }] }]
    const read = [{ token: 'Hello', logprob: -1, bytes: [72], top: [{ token: 'H', logprob: -2, bytes: null }] }]
    const done = {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...MESSAGE, content: [{ ...MESSAGE.content[0], logprobs }] },
    }
    const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hello' }
    expect(blocksIn(partsOf([{ ...delta, logprobs }, done]))).toEqual([{ kind: 'text', text: 'Hello', logprobs: read }])
    expect(blocksIn(partsOf([delta, done]))).toEqual([{ kind: 'text', text: 'Hello', logprobs: read }])
  })

  test('deltas of several calls at once reassemble, however they are mixed', () => {
    const calls = fc.array(fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 6 }), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat()), (inputs, choices) => {
        const items = inputs.map((deltas, i) => ({
          ...CALL,
          id: `fc_${i}`,
          call_id: `call_${i}`,
          arguments: deltas.join(''),
        }))
        const left = inputs.map((deltas) => [...deltas])
        const events: Event[] = items.map((item, i) => ({
          type: 'response.output_item.added',
          output_index: i,
          item: { ...item, arguments: '' },
        }))
        for (let open = indexesLeft(left); open.length > 0; open = indexesLeft(left)) {
          const index = open[choices.next().value % open.length] ?? 0
          events.push({
            type: 'response.function_call_arguments.delta',
            output_index: index,
            delta: left[index]?.shift(),
          })
        }
        items.forEach((item, i) => events.push({ type: 'response.output_item.done', output_index: i, item }))
        expect(blocksIn(partsOf(events))).toMatchObject(
          items.map((item) => ({ id: item.call_id, input: item.arguments })),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('no event of any shape breaks the reader, and no block is left open', () => {
    const types = fc.constantFrom(...new Set([...ADDED, ...DONE, PART_DONE, COMPLETED].map(({ type }) => type)))
    const item = fc.oneof(fc.constantFrom(...OUTPUT), fc.jsonValue({ maxDepth: 2 }))
    const event = fc.record(
      {
        type: types,
        output_index: fc.nat(3),
        content_index: fc.nat(2),
        delta: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
        item,
        part: item,
        response: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => void blocksIn(partsOf(events))),
      { numRuns: 500 },
    )
  })
})

interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

const ORDER = ['reasoning', 'text', 'tool_call']

function partsOf(events: readonly Event[]): readonly StreamPart[] {
  return partsIn(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
}

function indexesLeft(left: readonly (readonly string[])[]): readonly number[] {
  return left.flatMap((deltas, i) => (deltas.length > 0 ? [i] : []))
}

/** Events as GitHub's Copilot sends them. */
function withOtherIds(events: readonly Event[], mark: string): readonly Event[] {
  return events.map((event, i) => {
    const item = event['item']
    return typeof item === 'object' ? { ...event, item: { ...item, id: `${mark}_${i}` } } : event
  })
}
