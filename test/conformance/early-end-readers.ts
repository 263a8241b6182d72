import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Wire } from '../../src/core/wire.ts'
import { jsonOf, readServerEvent } from '../../src/protocols/reading/server-event.ts'

/** What a client has in its hands at the end: why each answer ended, and what was written in each part of it. */
export interface Received {
  readonly reasons: readonly unknown[]
  readonly texts: readonly string[]
}

export interface EarlyEndReader {
  /** Reads a whole stream as the vendor's own SDK does; throws what that throws. */
  readonly bySdk: (stream: Buffer) => Promise<Received>
  /** What the events of a stream say by themselves, read without any code of ours but the split of their lines. */
  readonly expected: (events: readonly Json[]) => Received
  /** Matches each event that ends a stream. */
  readonly end: RegExp
  /** Set where the SDK makes the whole object of a tool's half JSON that it begins. */
  readonly completesJson?: boolean
}

export interface Json {
  readonly [field: string]: Json
}

export function eventsIn(stream: Buffer): Json[] {
  const events = stream.toString('latin1').split(/(?<=\n\r?\n)/)
  return events
    .map((event) => jsonOf(readServerEvent(Buffer.from(event, 'latin1'))) as Json | undefined)
    .filter((data) => data !== undefined)
}

export const READERS: Partial<Record<Wire, EarlyEndReader>> = {
  'openai-chat': { bySdk: chatBySdk, expected: chatExpected, end: /^data: \[DONE\]$/gm },
  'openai-completions': { bySdk: completionBySdk, expected: completionExpected, end: /^data: \[DONE\]$/gm },
  'openai-responses': {
    bySdk: responseBySdk,
    expected: responseExpected,
    end: /^event: response\.(?:completed|incomplete|failed)$/gm,
  },
  'anthropic-messages': {
    bySdk: messageBySdk,
    expected: messageExpected,
    end: /^event: message_stop$/gm,
    completesJson: true,
  },
  // Only an early end is written in this order and without blanks.
  gemini: { bySdk: geminiByRules, expected: geminiExpected, end: /^data: \{"candidates":\[.*\],"usageMetadata":/gm },
}

function answering(stream: Buffer): { apiKey: string; baseURL: string; maxRetries: number; fetch: typeof fetch } {
  const response = (): Response =>
    new Response(new Uint8Array(stream), { headers: { 'content-type': 'text/event-stream' } })
  return { apiKey: 'x', baseURL: 'http://127.0.0.1/v1', maxRetries: 0, fetch: async () => response() }
}

async function chatBySdk(stream: Buffer): Promise<Received> {
  const client = new OpenAI(answering(stream))
  const final = await client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion()
  return {
    reasons: final.choices.map((choice) => choice.finish_reason),
    texts: final.choices.flatMap(({ message }) => [
      message.content ?? '',
      ...(message.tool_calls ?? []).map((call) => (call.type === 'function' ? call.function.arguments : '')),
    ]),
  }
}

function chatExpected(events: readonly Json[]): Received {
  const reasons: unknown[] = []
  const texts: string[][] = []
  for (const choice of events.flatMap(({ choices }) => list(choices))) {
    const index = Number(choice['index'])
    const said = (texts[index] ??= [''])
    said[0] += text(choice['delta']?.['content'])
    for (const call of list(choice['delta']?.['tool_calls'])) {
      const at = Number(call['index']) + 1
      said[at] = (said[at] ?? '') + text(call['function']?.['arguments'])
    }
    reasons[index] ??= choice['finish_reason'] ?? undefined
  }
  if (texts.length === 0) return { reasons: ['length'], texts: [''] }
  return { reasons: texts.map((_, index) => reasons[index] ?? 'length'), texts: texts.flat() }
}

async function completionBySdk(stream: Buffer): Promise<Received> {
  const client = new OpenAI(answering(stream))
  const chunks = await Array.fromAsync(await client.completions.create({ model: 'm', prompt: 'x', stream: true }))
  return completionOf(chunks.flatMap(({ choices }) => choices))
}

function completionExpected(events: readonly Json[]): Received {
  const { reasons, texts } = completionOf(events.flatMap(({ choices }) => list(choices)) as never)
  if (texts.length === 0) return { reasons: ['length'], texts: [''] }
  return { reasons: texts.map((_, index) => reasons[index] ?? 'length'), texts }
}

function completionOf(choices: readonly OpenAI.CompletionChoice[]): Received {
  const reasons: unknown[] = []
  const texts: string[] = []
  for (const { index, text: said, finish_reason: reason } of choices) {
    texts[index] = (texts[index] ?? '') + said
    reasons[index] ??= reason ?? undefined
  }
  return { reasons, texts }
}

async function responseBySdk(stream: Buffer): Promise<Received> {
  const client = new OpenAI(answering(stream))
  const final = await client.responses.stream({ model: 'm', input: 'x' }).finalResponse()
  return {
    reasons: [final.status, final.incomplete_details?.reason],
    texts: final.output.map((item) => textOfItem(item as unknown as Json)),
  }
}

/** Deltas by item, but for items whose deltas never came. */
function responseExpected(events: readonly Json[]): Received {
  const written: string[] = []
  for (const event of events) {
    const index = Number(event['output_index'])
    if (text(event['type']) === 'response.output_item.added') written[index] = ''
    if (typeof event['delta'] === 'string') written[index] += event['delta']
  }
  return { reasons: ['incomplete', 'max_output_tokens'], texts: written }
}

function textOfItem(item: Json): string {
  const parts = [...list(item['summary']), ...list(item['content'])]
  const inParts = parts.map((part) => text(part['text']) + text(part['refusal'])).join('')
  return inParts + text(item['arguments']) + text(item['input'])
}

async function messageBySdk(stream: Buffer): Promise<Received> {
  const client = new Anthropic(answering(stream))
  const final = await client.messages.stream({ model: 'm', max_tokens: 9, messages: [] }).finalMessage()
  const texts = final.content.map((block) => {
    if (block.type === 'text') return block.text
    if (block.type === 'thinking') return block.thinking
    return block.type === 'tool_use' ? JSON.stringify(block.input) : ''
  })
  return { reasons: [final.stop_reason], texts }
}

function messageExpected(events: readonly Json[]): Received {
  let reason = 'max_tokens'
  const texts: string[] = []
  for (const { type, index, delta } of events) {
    const at = Number(index)
    if (text(type) === 'content_block_start') texts[at] = ''
    if (text(type) === 'content_block_delta') {
      texts[at] += text(delta?.['text']) + text(delta?.['thinking']) + text(delta?.['partial_json'])
    }
    if (text(type) === 'message_delta') reason = text(delta?.['stop_reason'])
  }
  return { reasons: [reason], texts }
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads as @google/genai 1.30 does: it stops for ever at what does not begin with `data: `, and throws an error's code. */
async function geminiByRules(stream: Buffer): Promise<Received> {
  const chunks: Json[] = []
  let rest = stream.toString()
  for (let found = EVENT.exec(rest); found !== null; found = EVENT.exec(rest)) {
    chunks.push(JSON.parse(String(found[1])) as Json)
    rest = rest.slice(found[0].length)
  }
  if (rest.trim() !== '') throw new Error('Incomplete JSON segment at the end')
  if (chunks.some((chunk) => chunk['error'] !== undefined)) throw new Error('an error within the stream')
  const reasons: unknown[] = []
  const texts: string[] = []
  for (const { index, content, finishReason } of chunks.flatMap(({ candidates }) => list(candidates))) {
    const at = Number(index ?? 0)
    for (const part of list(content?.['parts'])) {
      texts[at] = (texts[at] ?? '') + text(part['text']) + text(part['functionCall']?.['name'])
    }
    if (finishReason !== undefined) reasons[at] = finishReason
  }
  return { reasons, texts }
}

const EVENT = /^\s*data: (.*)(?:\n\n|\r\r|\r\n\r\n)/

function geminiExpected(events: readonly Json[]): Received {
  const said = events.map(({ candidates }) => list(candidates)).flat()
  const count = Math.max(1, ...said.map(({ index }) => Number(index ?? 0) + 1))
  const of = (at: number): Json[] => said.filter(({ index }) => Number(index ?? 0) === at)
  const indexes = Array.from({ length: count }, (_, at) => at)
  return {
    reasons: indexes.map(
      (at) => of(at).findLast((each) => each['finishReason'] !== undefined)?.['finishReason'] ?? 'MAX_TOKENS',
    ),
    texts: indexes.map((at) =>
      of(at)
        .flatMap(({ content }) => list(content?.['parts']))
        .map((part) => text(part['text']) + text(part['functionCall']?.['name']))
        .join(''),
    ),
  }
}
