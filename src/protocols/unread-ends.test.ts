import { describe, expect, test } from 'vitest'
import type { Wire } from '../core/wire.ts'
import { protocolOf } from './protocol-of.ts'
import type { StreamingProtocol, StreamReader } from './protocol.ts'

const DEEP = `${'['.repeat(3_000)}${']'.repeat(3_000)}`
const MANY = `{${Array.from({ length: 1_500 }, (_, i) => `"k${i}":0`).join(',')}}`

/** What an upstream may do to its report, and clients read all the same. */
const USAGES: Readonly<Record<string, string>> = {
  'nested 3,000 deep': `{"detail":${DEEP}}`,
  'of 1,500 names': MANY,
  'that is text': '"none"',
}
const NO_JSON = '{"detail":[1,}'

interface Frames {
  readonly wire: Wire
  readonly before: readonly string[]
  readonly last: (usage: string) => string
  /** What comes behind it. */
  readonly end: string
}

const WIRES: readonly Frames[] = [
  {
    wire: 'openai-responses',
    before: [
      'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1","created_at":1,"model":"m"}}',
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Hello"}',
    ],
    last: (usage) =>
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","status":"completed","usage":${usage}}}`,
    end: '',
  },
  {
    wire: 'openai-responses',
    before: [
      'data: {"type":"response.created","response":{"id":"r"}}',
      'data: {"type":"response.output_text.delta","delta":"Hello"}',
    ],
    last: (usage) => `data: {"type":"response.completed","response":{"status":"completed","usage":${usage}}}`,
    end: '',
  },
  {
    wire: 'openai-chat',
    before: ['data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}'],
    last: (usage) => `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":${usage}}`,
    end: '',
  },
  {
    wire: 'openai-chat',
    before: ['data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}'],
    last: (usage) => `data: {"id":"c","choices":[],"usage":{"prompt_tokens":3,"x":${usage}}}`,
    end: 'data: [DONE]\n\n',
  },
  {
    wire: 'openai-completions',
    before: ['data: {"id":"c","choices":[{"index":0,"text":"Hello","finish_reason":null}]}'],
    last: (usage) => `data: {"id":"c","choices":[{"index":0,"text":"","finish_reason":"stop"}],"usage":${usage}}`,
    end: '',
  },
  {
    wire: 'anthropic-messages',
    before: [
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","content":[]}}',
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}',
    ],
    last: (usage) =>
      `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":${usage}}`,
    end: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  },
  {
    wire: 'gemini',
    before: ['data: {"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0}]}'],
    last: (usage) =>
      `data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":${usage}}`,
    end: '',
  },
]

function opened({ wire }: Frames): StreamReader {
  return (protocolOf(wire) as StreamingProtocol).openStream({ dropUsageChunk: false })
}

describe('a stream whose report cannot be read has come to its end, and what came is left to be counted', () => {
  const cases = WIRES.flatMap((frames, index) =>
    Object.entries(USAGES).map(([what, usage]) => ({ frames, index, what, usage })),
  )
  test.for(cases)('$frames.wire ($index): a usage $what', ({ frames, usage }) => {
    const { before, last, end } = frames
    const reader = opened(frames)
    for (const event of [...before, last(usage)]) reader.push(Buffer.from(`${event}\n\n`))
    if (end !== '') reader.push(Buffer.from(end))
    expect(reader.finish()).toMatchObject({ kind: 'complete' })
    expect(reader.usage.output).toBeNull()
    expect(reader.producedText()).toBe('Hello')
  })
})

test.for(WIRES)('$wire: of a report that is not JSON the end is what clients take for it', ({ end, ...frames }) => {
  const reader = opened({ end, ...frames })
  for (const event of [...frames.before, frames.last(NO_JSON)]) reader.push(Buffer.from(`${event}\n\n`))
  if (end !== '') reader.push(Buffer.from(end))
  expect(reader.finish()).toMatchObject({ kind: end === '' ? 'cut' : 'complete' })
  expect(reader.usage.output).toBeNull()
  expect(reader.producedText()).toBe('Hello')
})

test('the sound and the pictures of a stream whose report cannot be read are counted as they came', () => {
  for (const [wire, name] of [
    ['openai-images', 'image_generation.completed'],
    ['openai-speech', 'speech.audio.done'],
    ['openai-transcriptions', 'transcript.text.done'],
  ] as const) {
    for (const usage of Object.values(USAGES)) {
      const reader = (protocolOf(wire) as StreamingProtocol).openStream({ dropUsageChunk: false })
      reader.push(Buffer.from(`event: ${name}\ndata: {"type":"${name}","usage":${usage}}\n\n`))
      expect(reader.finish()).toMatchObject({ kind: 'complete' })
    }
  }
})

test.for(WIRES.filter(({ end }) => end === ''))(
  '$wire: a stream that breaks off in its last event is cut all the same',
  (frames) => {
    const reader = opened(frames)
    for (const event of frames.before) reader.push(Buffer.from(`${event}\n\n`))
    reader.push(Buffer.from(frames.last('{"detail":1').slice(0, -2)))
    expect(reader.finish()).toMatchObject({ kind: 'cut' })
  },
)

test('what an upstream writes into a call deeper than JavaScript writes it is counted by its words', () => {
  const args = `${'{"word":'.repeat(20_000)}"end"${'}'.repeat(20_000)}`
  const item = `{"type":"function_call","name":"f","arguments":${args}}`
  const reader = protocolOf('openai-responses').openStream({ dropUsageChunk: false })
  reader.push(Buffer.from('data: {"type":"response.created","response":{"id":"r"}}\n\n'))
  reader.push(
    Buffer.from(`data: {"type":"response.completed","response":{"status":"completed","output":[${item}]}}\n\n`),
  )
  expect(reader.finish()).toMatchObject({ kind: 'complete' })
  expect(reader.producedText().match(/word/g)).toHaveLength(20_000)
})
