import { CHAT_WIRES, type ChatWire } from '../../../src/core/wire.ts'
import type { StreamReader } from '../../../src/protocols/protocol.ts'
import { protocolOf } from '../../../src/protocols/protocol-of.ts'
import { type RequestToTranslate, Translation } from '../../../src/protocols/translation.ts'
import { composeAnswer } from '../../../tools/fake-upstream/answer.ts'
import { chatWire } from '../../../tools/fake-upstream/chat-wire.ts'
import { geminiWire } from '../../../tools/fake-upstream/gemini-wire.ts'
import { messagesWire } from '../../../tools/fake-upstream/messages-wire.ts'
import { readModelName } from '../../../tools/fake-upstream/model-name.ts'
import { responsesWire } from '../../../tools/fake-upstream/responses-wire.ts'
import type { Wire as FakeWire } from '../../../tools/fake-upstream/wire.ts'
import { best, row } from './best.ts'
import { agentBody, smallBody } from './bodies.ts'

const CHUNKS = 1_000
/** What many events make when they arrive together. */
const BUNDLE_BYTES = 16_384

/** Prints what each pair of wires costs: microseconds for a request, and for a chunk of a stream. */
export function measureTranslation(): void {
  row(['request, client to upstream', 'small µs', 'agent µs', 'its parse µs', 'µs per KB'])
  const small = bodiesOf('openai-chat', smallBody())
  const agent = bodiesOf('anthropic-messages', agentBody())
  for (const [client, upstream] of pairs()) {
    const large = agent[client]
    const translating = requestCost(client, upstream, large)
    const parsing = best(1, () => JSON.parse(large.toString()) as unknown)
    const cells = [
      requestCost(client, upstream, small[client]),
      translating,
      parsing,
      translating / (large.length / 1000),
    ]
    row([`${client} to ${upstream}`, ...cells.map((cell) => cell.toFixed(1))])
  }
  console.log()
  row(['stream, client from upstream', 'passed µs', 'translated µs', 'bundled µs', 'times'])
  for (const [client, upstream] of pairs()) {
    const translated = translationOf(client, small[client]).to(upstream, UPSTREAM)
    const passed = chunkCost(client, () => protocolOf(client).openStream({ dropUsageChunk: false }))
    const alone = chunkCost(upstream, () => translated.openStream())
    const bundled = chunkCost(upstream, () => translated.openStream(), BUNDLE_BYTES)
    row([`${client} from ${upstream}`, ...[passed, alone, bundled, alone / passed].map((cell) => cell.toFixed(2))])
  }
}

const UPSTREAM = { model: 'other', maxOutputTokens: 64_000 }

function pairs(): readonly (readonly [client: ChatWire, upstream: ChatWire])[] {
  return CHAT_WIRES.flatMap((client) =>
    CHAT_WIRES.filter((upstream) => upstream !== client).map((upstream) => [client, upstream] as const),
  )
}

/** The same request in every wire. */
function bodiesOf(wire: ChatWire, body: Buffer): Readonly<Record<ChatWire, Buffer>> {
  const inWire = (other: ChatWire): Buffer =>
    other === wire ? body : translationOf(wire, body).to(other, UPSTREAM).body
  return {
    'openai-chat': inWire('openai-chat'),
    'openai-responses': inWire('openai-responses'),
    'anthropic-messages': inWire('anthropic-messages'),
    gemini: inWire('gemini'),
  }
}

/** A request as it is before anything was read for translating it. */
function translationOf(client: ChatWire, body: Buffer): Translation {
  return new Translation(askedOf(client, body))
}

function askedOf(wire: ChatWire, body: Buffer): RequestToTranslate {
  const about = wire === 'gemini' ? { fromPath: { model: 'gemini-3-pro', isStream: true } } : undefined
  const head = protocolOf(wire).readRequest(body, about)
  return { wire, body, head, requestId: 'req_0000000000aaaaaaaaaaaaaaaa', nowMs: 1_780_000_000_000 }
}

/** Microseconds for a request, its head not counted: that is read of every request. */
function requestCost(client: ChatWire, upstream: ChatWire, body: Buffer): number {
  const asked = askedOf(client, body)
  return best(Math.ceil(100_000 / body.length), () => new Translation(asked).to(upstream, UPSTREAM))
}

/** Microseconds for a chunk of a whole stream: one event in each push, or bundles of `bundleBytes`. */
function chunkCost(wire: ChatWire, open: () => StreamReader, bundleBytes: number | null = null): number {
  const events = streamOf(wire)
  const pushes = bundleBytes === null ? events : cut(Buffer.concat(events), bundleBytes)
  const run = (): void => {
    const stream = open()
    for (const bytes of pushes) stream.push(bytes)
    if (stream.finish().kind !== 'complete') throw new Error(`a stream of ${wire} came to no end`)
  }
  return best(1, run) / CHUNKS
}

function cut(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}

const FAKE_WIRES: Readonly<Record<ChatWire, FakeWire>> = {
  'openai-chat': chatWire,
  'openai-responses': responsesWire,
  'anthropic-messages': messagesWire,
  gemini: geminiWire,
}

/** A whole stream of text as the fake upstream sends it, event by event. */
function streamOf(wire: ChatWire): readonly Buffer[] {
  const model = `fake/fixed?chunks=${CHUNKS}`
  const script = readModelName(model)
  if (!('sentinel' in script)) throw new Error('the fake upstream has no such model')
  const ask = { stream: true, includeUsage: true, lastText: '', lastIsToolResult: false, tool: null, outputLimit: null }
  const answer = composeAnswer({ model, script, ask, body: Buffer.from(model), request: {} })
  return FAKE_WIRES[wire].writeStream(answer).map(({ text }) => Buffer.from(text))
}
