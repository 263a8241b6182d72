import { describe, expect, test } from 'vitest'
import { nanoUsd, parseMultiplier } from '../../src/core/money.ts'
import type { NanoUsd } from '../../src/core/money.ts'
import { modelCreate } from '../../src/contract/models.ts'
import { readPrices } from '../../src/control/models/model-settings.ts'
import type { ModelPrices } from '../../src/core/price-rules.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import { NO_TOKENS, type TokenCounts } from '../../src/core/tokens.ts'
import { unitPrices } from '../../src/core/units.ts'
import { type Wire, WIRES } from '../../src/core/wire.ts'
import { usedBy, usedByAnswer, withCost } from '../../src/gateway/exchange/request-cost.ts'
import type { UsedSoFar } from '../../src/metering/usage/final-usage.ts'
import { costOf } from '../../src/metering/prices/cost.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { AnswerAbout, StreamingProtocol } from '../../src/protocols/protocol.ts'
import { otherCountsJson, otherCountsOf } from '../../src/store/books/other-counts-json.ts'
import { CHAT_ROWS } from './usage-golden/chat-rows.ts'
import { CONVERSE_ROWS } from './usage-golden/converse-rows.ts'
import { COMPLETIONS_ROWS } from './usage-golden/completions-rows.ts'
import { CHAT_STREAM_ROWS } from './usage-golden/chat-stream-rows.ts'
import { DOUBTFUL_CHAT_ROWS } from './usage-golden/doubtful-chat-rows.ts'
import { EMBEDDINGS_ROWS } from './usage-golden/embeddings-rows.ts'
import { GEMINI_ROWS } from './usage-golden/gemini-rows.ts'
import { IMAGES_ROWS } from './usage-golden/images-rows.ts'
import * as golden from './usage-golden/golden-row.ts'
import type { GoldenRow, PriceName } from './usage-golden/golden-row.ts'
import { MESSAGES_ROWS } from './usage-golden/messages-rows.ts'
import { MESSAGES_STREAM_ROWS } from './usage-golden/messages-stream-rows.ts'
import { MODERATIONS_ROWS, RERANK_ROWS } from './usage-golden/rerank-rows.ts'
import { RULED_CHAT_ROWS, RULED_RESPONSES_ROWS } from './usage-golden/ruled-openai-rows.ts'
import { RULED_GEMINI_ROWS, RULED_MESSAGES_ROWS } from './usage-golden/ruled-other-rows.ts'
import { RESPONSES_ROWS } from './usage-golden/responses-rows.ts'
import { SPEECH_ROWS, TRANSCRIPTIONS_ROWS } from './usage-golden/sound-rows.ts'
import {
  TOOL_CHAT_ROWS,
  TOOL_GEMINI_ROWS,
  TOOL_MESSAGES_ROWS,
  TOOL_RESPONSES_ROWS,
} from './usage-golden/tool-calls-rows.ts'
import type { ChosenModel } from '../../src/gateway/request/prepared.ts'

const ROWS: Readonly<Record<Wire, readonly GoldenRow[]>> = {
  'openai-chat': [...CHAT_ROWS, ...DOUBTFUL_CHAT_ROWS, ...CHAT_STREAM_ROWS, ...RULED_CHAT_ROWS, ...TOOL_CHAT_ROWS],
  'openai-responses': [...RESPONSES_ROWS, ...RULED_RESPONSES_ROWS, ...TOOL_RESPONSES_ROWS],
  'openai-embeddings': EMBEDDINGS_ROWS,
  'openai-completions': COMPLETIONS_ROWS,
  'openai-moderations': MODERATIONS_ROWS,
  'openai-images': IMAGES_ROWS,
  'openai-speech': SPEECH_ROWS,
  'openai-transcriptions': TRANSCRIPTIONS_ROWS,
  rerank: RERANK_ROWS,
  'anthropic-messages': [...MESSAGES_ROWS, ...MESSAGES_STREAM_ROWS, ...RULED_MESSAGES_ROWS, ...TOOL_MESSAGES_ROWS],
  gemini: [...GEMINI_ROWS, ...RULED_GEMINI_ROWS, ...TOOL_GEMINI_ROWS],
  'bedrock-converse': CONVERSE_ROWS,
}

/** A usage object as each wire has it: in a whole answer, and in a stream (null: it has none). */
const FRAMES: Readonly<Record<Wire, { whole(usage: string): string; stream: ((usage: string) => string[]) | null }>> = {
  'openai-chat': {
    whole: (usage) => `{"id":"c","choices":[{"index":0,"message":{"content":"Hello"}}],"usage":${usage}}`,
    stream: (usage) => [
      `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
      `data: {"id":"c","choices":[],"usage":${usage}}`,
      `data: [DONE]`,
    ],
  },
  'openai-responses': {
    whole: (usage) => `{"id":"r","status":"completed","output":[{"content":[{"text":"Hello"}]}],"usage":${usage}}`,
    stream: (usage) => [
      `event: response.created\ndata: {"type":"response.created","response":{"id":"r","created_at":1,"model":"m"}}`,
      `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Hello"}`,
      `event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","usage":${usage}}}`,
    ],
  },
  'openai-embeddings': { whole: (usage) => `{"object":"list","data":[],"usage":${usage}}`, stream: null },
  'openai-completions': {
    whole: (usage) => `{"id":"c","choices":[{"index":0,"text":"Hello"}],"usage":${usage}}`,
    stream: (usage) => [
      `data: {"id":"c","choices":[{"index":0,"text":"Hello","finish_reason":null}]}`,
      `data: {"id":"c","choices":[{"index":0,"text":"","finish_reason":"stop"}]}`,
      `data: {"id":"c","choices":[],"usage":${usage}}`,
      `data: [DONE]`,
    ],
  },
  'openai-moderations': { whole: (usage) => `{"id":"m","results":[{"flagged":false}],"usage":${usage}}`, stream: null },
  'openai-images': {
    whole: (usage) => `{"created":1,"data":[{"b64_json":"aGk="}],"usage":${usage}}`,
    stream: (usage) => [
      `event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"aGk="}`,
      `event: image_generation.completed\ndata: {"type":"image_generation.completed","b64_json":"aGk=","usage":${usage}}`,
    ],
  },
  'openai-speech': {
    whole: () => 'sound of an unknown format',
    stream: (usage) => [
      `data: {"type":"speech.audio.delta","audio":"aGk="}`,
      `data: {"type":"speech.audio.done","usage":${usage}}`,
    ],
  },
  'openai-transcriptions': {
    whole: (usage) => `{"text":"Hello","usage":${usage}}`,
    stream: (usage) => [
      `data: {"type":"transcript.text.delta","delta":"Hello"}`,
      `data: {"type":"transcript.text.done","text":"Hello","usage":${usage}}`,
    ],
  },
  rerank: { whole: (usage) => `{"results":[{"index":0,"relevance_score":0.9}],"usage":${usage}}`, stream: null },
  'anthropic-messages': {
    whole: (usage) => `{"type":"message","content":[{"type":"text","text":"Hello"}],"usage":${usage}}`,
    stream: (usage) => [
      `event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":${usage}}}`,
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`,
      `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":${usage}}`,
      `event: message_stop\ndata: {"type":"message_stop"}`,
    ],
  },
  gemini: {
    whole: (usage) =>
      `{"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}],"usageMetadata":${usage}}`,
    stream: (usage) => [
      `data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]}}]}`,
      `data: {"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":${usage}}`,
    ],
  },
  'bedrock-converse': {
    whole: (usage) =>
      `{"output":{"message":{"role":"assistant","content":[{"text":"Hello"}]}},"stopReason":"end_turn","usage":${usage}}`,
    stream: (usage) => [
      `event: messageStart\ndata: {"role":"assistant"}`,
      `event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"text":"Hello"}}`,
      `event: contentBlockStop\ndata: {"contentBlockIndex":0}`,
      `event: messageStop\ndata: {"stopReason":"end_turn"}`,
      `event: metadata\ndata: {"usage":${usage},"metrics":{"latencyMs":1}}`,
    ],
  },
}

const CASES = Object.entries(ROWS).flatMap(([wire, rows]) =>
  rows.flatMap((row) => waysOf(wire as Wire, row).map((way) => ({ wire: wire as Wire, row, what: row.what, ...way }))),
)

describe.for(Object.keys(ROWS) as Wire[])('%s', (wire) => {
  test.for(CASES.filter((each) => each.wire === wire))('$how: $what', async ({ row, read }) => {
    const { tokens, cost, usageSource, isCapped, usageNotes, applied } = await settled(wire, row, read())
    expect(tokens).toEqual({ ...NO_TOKENS, ...row.tokens })
    expect({ cost, usageSource, isCapped, usageNotes }).toEqual({
      cost: costBy(row.sum),
      usageSource: row.isEstimated ? 'estimated' : 'reported',
      isCapped: row.isCapped ?? false,
      usageNotes: row.notes ?? [],
    })
    expect(applied?.terms ?? null).toEqual(
      row.terms === undefined ? null : { serviceTier: null, inferenceGeo: null, aboveInputTokens: null, ...row.terms },
    )
  })
})

test('the table is large, and covers streams and whole answers of every wire that has them', () => {
  expect(Object.values(ROWS).flat().length).toBeGreaterThanOrEqual(100)
  expect(new Set(CASES.map(({ wire, how }) => `${wire} ${how}`)).size).toBe(27)
})

test.for(Object.values(ROWS).flat())('the sum is worked out rightly: $what', ({ sum }) => {
  const [terms = '', result] = (sum.split(';')[0] ?? '').split(' = ')
  const worked = terms.split(' + ').map((term) => term.split(' × ').map(BigInt))
  expect(worked.reduce((total, [count = 0n, price = 0n]) => total + count * price, 0n)).toBe(BigInt(result ?? 'none'))
})

test.for(CASES)('the cost can be worked out again from what is stored: $how: $what', async ({ wire, row, read }) => {
  const { tokens, applied } = await settled(wire, row, read())
  const prices = applied?.prices ?? NO_PRICES
  const json = otherCountsJson(tokens, prices, applied?.terms ?? null)
  const hasOther = tokens.other !== null || tokens.units !== null || tokens.calls !== undefined
  expect(json === null).toBe(!hasOther && prices.units === null && applied?.terms === null)
  const stored = otherCountsOf(json === null ? null : JSON.parse(json))
  const again = {
    tokens: { ...plainCounts(tokens), other: stored.tokens, units: stored.units, ...callsIn(stored.calls) },
    prices: { ...plainPrices(prices), other: stored.prices, units: stored.unitPrices, ...callsIn(stored.callPrices) },
  }
  expect(stored.terms).toEqual(applied?.terms ?? null)
  expect(costOf(again.tokens, again.prices, parseMultiplier(row.multiplier ?? '1'))).toBe(costBy(row.sum))
})

const NO_PRICES = {
  input: null,
  output: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  other: null,
  units: null,
}

/** The counts that have columns of their own. */
function plainCounts({ input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning }: TokenCounts) {
  return { input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning }
}

function plainPrices({ input, output, cacheRead, cacheWrite, cacheWrite1h }: TokenPrices) {
  return { input, output, cacheRead, cacheWrite, cacheWrite1h }
}

function callsIn<Calls>(calls: Calls | undefined): { readonly calls?: Calls } {
  return calls === undefined ? {} : { calls }
}

interface Way {
  readonly how: 'whole' | 'stream' | 'broken off'
  readonly read: () => UsedSoFar
}

function waysOf(wire: Wire, row: GoldenRow): readonly Way[] {
  const { usage, answer, events, cut } = row
  const frame = FRAMES[wire]
  const ways: Way[] = []
  if (usage !== undefined) ways.push({ how: 'whole', read: () => readWhole(wire, frame.whole(usage), row) })
  if (answer !== undefined) ways.push({ how: 'whole', read: () => readWhole(wire, answer, row) })
  const whole = events ?? (usage === undefined ? undefined : frame.stream?.(usage))
  if (whole !== undefined) ways.push({ how: 'stream', read: () => readStream(wire, whole, row) })
  if (cut !== undefined) ways.push({ how: 'broken off', read: () => readCut(wire, cut, row) })
  return ways
}

function readWhole(wire: Wire, answer: string, row: GoldenRow): UsedSoFar {
  const read = protocolOf(wire).readAnswer(Buffer.from(answer, 'latin1'), aboutOf(row))
  if (read.kind !== 'answer') throw new Error(`it was read as ${read.kind}`)
  return usedByAnswer(read)
}

function streamingOf(wire: Wire): StreamingProtocol {
  const protocol = protocolOf(wire)
  if (!protocol.streams) throw new Error(`${wire} has no streams`)
  return protocol
}

function readStream(wire: Wire, events: readonly string[], row: GoldenRow): UsedSoFar {
  const reader = streamingOf(wire).openStream({ dropUsageChunk: false, choices: row.choices ?? 1, ...aboutOf(row) })
  for (const event of events) reader.push(Buffer.from(`${event}\n\n`))
  expect(reader.finish().kind).toBe('complete')
  return usedBy(reader)
}

function readCut(wire: Wire, events: readonly string[], row: GoldenRow): UsedSoFar {
  const reader = streamingOf(wire).openStream({ dropUsageChunk: false, ...aboutOf(row) })
  for (const event of events) reader.push(Buffer.from(`${event}\n\n`))
  return { ...usedBy(reader), isFinal: reader.usageIsFinal }
}

function settled(wire: Wire, row: GoldenRow, used: UsedSoFar) {
  const body = requestOf(row)
  const chosen = {
    model: { contextTokens: golden.CONTEXT_TOKENS, maxOutputTokens: golden.MAX_OUTPUT_TOKENS, targets: [] },
    group: { multiplier: parseMultiplier(row.multiplier ?? '1') },
    prices: pricesOf(row),
  } as unknown as ChosenModel
  const counter = {
    countRequest: () => Promise.resolve({ tokens: golden.OWN_INPUT, isExact: true }),
    countText: (text: string) => Promise.resolve({ tokens: text === 'Hello' ? golden.OWN_OUTPUT : -1, isExact: true }),
  }
  const adapters = { mostBytesSent: body.length }
  const request = {
    body,
    head: protocolOf(askedBy(wire)).readRequest(body, { fromPath: { model: 'm', isStream: false } }),
    chosen,
    adapters,
    reservation: null,
    hold: { tokens: 0, input: 0, limit: null, trustsLimit: false },
  }
  return withCost({ outcome: 'completed', fault: null, httpStatus: 200 }, used, {
    request,
    counter,
    heldInputTokens: 200_000,
  })
}

/** The wire of a client whose request goes to an upstream of this one: the same, where clients speak it. */
function askedBy(wire: Wire): Wire {
  return WIRES[wire].kind === 'upstream' ? 'openai-chat' : wire
}

function requestOf({ request = {} }: GoldenRow): Buffer {
  const text = 'x'.repeat(request.bytes ?? 20_000)
  const fields = { model: 'm', max_tokens: request.maxTokens, messages: [{ role: 'user', content: text }] }
  const tools = request.tool === undefined ? [] : [{ type: request.tool, name: 'it' }]
  return Buffer.from(JSON.stringify({ ...fields, input: 'x', contents: [], tools, ...request.fields }))
}

/** What the gateway asks about an answer: by whether the model has fees. */
function aboutOf(row: GoldenRow): AnswerAbout {
  return { countsCalls: pricesOf(row).calls !== undefined }
}

function pricesOf({ prices = golden.PRICES, price: written }: GoldenRow): ModelPrices {
  const read = written == null ? null : readPrices(modelCreate.shape.price.parse(written))
  if (read !== null) return read
  const price = (name: PriceName): NanoUsd | null => {
    const forOne = prices[name]
    return forOne === undefined ? null : nanoUsd(BigInt(forOne) * 1_000_000n)
  }
  return {
    input: price('input'),
    output: price('output'),
    cacheRead: price('cacheRead'),
    cacheWrite: price('cacheWrite'),
    cacheWrite1h: price('cacheWrite1h'),
    other: {
      audioInput: price('audioInput'),
      imageInput: price('imageInput'),
      audioOutput: price('audioOutput'),
    },
    units: unitPrices({
      request: price('request'),
      image: price('image'),
      second: price('second'),
      character: price('character'),
    }),
  }
}

/** The last number of what was worked out by hand. */
function costBy(sum: string): bigint {
  return BigInt(/\d+$/.exec(sum)?.[0] ?? 'none')
}
