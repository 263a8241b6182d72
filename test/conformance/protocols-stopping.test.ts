import { expect, test } from 'vitest'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { asksToThink } from '../../src/protocols/asked-thinking.ts'
import { openaiChat } from '../../src/protocols/openai-chat.ts'
import type { StreamReader } from '../../src/protocols/protocol.ts'
import { HUB_WIRES, type HubWire } from '../../src/core/wire.ts'

/** Events of each wire: one in the middle of an answer, one of thinking, and the last before the usage. */
const EVENTS: Readonly<Record<HubWire, { text: string; thought: string; last: string }>> = {
  'openai-chat': {
    text: `data: {"choices":[{"index":0,"delta":{"content":"say \\"reasoning\\":\\"x\\""},"finish_reason":null}]}`,
    thought: `data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":null}]}`,
    last: `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
  },
  'openai-responses': {
    text: `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"a"}`,
    thought: `event: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1"}}`,
    last: `event: response.output_text.done\ndata: {"type":"response.output_text.done","text":"a"}`,
  },
  'anthropic-messages': {
    text: `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`,
    thought: `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a"}}`,
    last: `event: content_block_stop\ndata: {"type":"content_block_stop","index":0}`,
  },
  gemini: {
    text: `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
    thought: `data: {"candidates":[{"content":{"parts":[{"text":"a","thought":true}]}}]}`,
    last: `data: {"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
  },
  'bedrock-converse': {
    text: `event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"text":"a"}}`,
    thought: `event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"a"}}}`,
    last: `event: contentBlockStop\ndata: {"contentBlockIndex":0}`,
  },
}

function opened(wire: HubWire, ...events: readonly string[]): StreamReader {
  const protocol = protocolOf(wire)
  if (!protocol.streams) throw new Error(`${wire} has no streams`)
  const reader = protocol.openStream({ dropUsageChunk: false })
  for (const event of events) reader.push(Buffer.from(`${event}\n\n`))
  return reader
}

test.for(HUB_WIRES)('%s: a stream says when its usage is near, and not before', (wire) => {
  const { text, thought, last } = EVENTS[wire]
  expect(opened(wire).isStopping).toBe(false)
  expect(opened(wire, text).isStopping).toBe(false)
  expect(opened(wire, thought, text).isStopping).toBe(false)
  const reader = opened(wire, text, last)
  expect(reader.isStopping).toBe(true)
  expect(reader.usageIsFinal).toBe(false)
})

/** The events of two choices of one chat completion, each with its own end. */
const ENDS = [0, 1].map((index) => `data: {"choices":[{"index":${index},"delta":{},"finish_reason":"stop"}]}`)

test.for([
  { wire: 'openai-chat', last: EVENTS['openai-chat'].last },
  {
    wire: 'anthropic-messages',
    last: 'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}',
  },
  { wire: 'gemini', last: EVENTS.gemini.last },
  { wire: 'bedrock-converse', last: 'event: messageStop\ndata: {"stopReason":"end_turn"}' },
] as const)('$wire: an answer is whole once the model said why it ended, and not before', ({ wire, last }) => {
  const { text, thought } = EVENTS[wire]
  expect(opened(wire).isFinished).toBe(false)
  expect(opened(wire, thought, text).isFinished).toBe(false)
  const reader = opened(wire, text, last)
  expect(reader.isFinished).toBe(true)
  expect(reader.ended).toBe(false)
})

test('of several answers each has to say why it ended, also one that has not begun', () => {
  const reader = openaiChat.openStream({ dropUsageChunk: false, choices: 2 })
  const finished = ENDS.map((event) => {
    reader.push(Buffer.from(`${event}\n\n`))
    return reader.isFinished
  })
  expect(finished).toEqual([false, true])
})

test.for(HUB_WIRES)('%s: a stream says whether its model was seen to think', (wire) => {
  const { text, thought, last } = EVENTS[wire]
  expect(opened(wire, text, text, last).hasThought).toBe(false)
  expect(opened(wire, thought).hasThought).toBe(true)
  expect(opened(wire, thought, text, last).hasThought).toBe(true)
})

test.for([
  '{"reasoning_effort":"high"}',
  '{"reasoning":{"effort":"low"}}',
  '{"reasoning":{"max_tokens":2000}}',
  '{"thinking":{"type":"adaptive"}}',
  '{"thinking":{"type":"enabled","budget_tokens":1024}}',
  '{"enable_thinking":true}',
  '{"generationConfig":{"thinkingConfig":{"thinkingBudget":-1}}}',
  '{"generation_config":{"thinking_config":{"thinking_level":"high"}}}',
])('%s asks a model to think', (body) => {
  expect(asksToThink(Buffer.from(body))).toBe(true)
})

test.for([
  '{"reasoning_effort":"none"}',
  '{"reasoning":{"effort":null,"summary":null}}',
  '{"thinking":{"type":"disabled"}}',
  '{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}}',
  '{"messages":[{"thinking":{"type":"enabled"}}]}',
  'not JSON',
])('%s does not', (body) => {
  expect(asksToThink(Buffer.from(body))).toBe(false)
})
