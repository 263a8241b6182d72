import { Readable } from 'node:stream'
import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHAT_WIRES } from '../../src/core/wire.ts'
import type { NeutralRequest, Turn } from '../../src/protocols/hub/neutral-request.ts'
import { RequestSettings } from '../../src/protocols/hub/request-settings.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { runsInSuite } from '../support/run/suite.ts'
import { answerFrom, bodyUnder, callOf, streamOf, translationOf } from './translation-by-hand.ts'
import { answers, partsOf, requests, USAGE } from './translation-values.ts'

/** AWS' own SDK as the judge of what is written for Converse: a field that it does not know it would leave out. */

const MODELS = [
  'us.amazon.nova-2-lite-v1:0',
  'amazon.nova-pro-v1:0',
  'us.meta.llama4-maverick-17b-instruct-v1:0',
  'mistral.mistral-large-2407-v1:0',
  'mistral.mixtral-8x7b-instruct-v0:1',
  'us.deepseek.r1-v1:0',
  'cohere.command-r-plus-v1:0',
  'qwen.qwen3-235b-a22b-2507-v1:0',
  'openai.gpt-oss-120b-1:0',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/a1b2c3',
]
/** Some thousand of them are taken by both the client's wire and the model. */
const REQUESTS = runsInSuite(4_000)
const FRAMES = 'application/vnd.amazon.eventstream'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
)
let arrived: { path: string; body: string } | null = null
let reply: { type: string; bytes: Uint8Array } = { type: 'application/json', bytes: Buffer.from('{}') }

/** Takes what the SDK sends, and answers with `reply`. */
const client = new BedrockRuntimeClient({
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  maxAttempts: 1,
  requestHandler: {
    handle({ path, body }: { path: string; body: Uint8Array | string }) {
      arrived = { path, body: Buffer.from(body as Uint8Array).toString() }
      const headers = { 'content-type': reply.type }
      return Promise.resolve({ response: { statusCode: 200, headers, body: Readable.from([reply.bytes]) } })
    },
  } as never,
})

/** A request with more of what Converse has than every wire can carry. */
const richRequests = fc
  .record({
    request: requests,
    stop: fc.option(fc.array(fc.stringMatching(/^[A-Z]{2,6}$/), { minLength: 1, maxLength: 3 }), { nil: null }),
    effort: fc.constantFrom(null, 'low', 'high', 'none'),
    topK: fc.option(fc.integer({ min: 1, max: 100 }), { nil: null }),
    file: fc.option(fc.constantFrom('a.pdf', 'Résumé (final).pdf', 'notes  2.pdf', null), { nil: undefined }),
    isCached: fc.boolean(),
  })
  .map(({ request, stop, effort, topK, file, isCached }): NeutralRequest => {
    const settings = new RequestSettings()
    for (const name of request.settings.names) settings.say(name, request.settings.get(name), name)
    settings.say('stop', stop, 'stop')
    settings.say('reasoning', effort === null ? null : { effort, budgetTokens: null, isShown: null }, 'reasoning')
    settings.say('topK', topK, 'topK')
    return { ...request, settings, turns: [...withMark(request.turns, isCached), ...documentTurn(file)] }
  })

function withMark(turns: readonly Turn[], isCached: boolean): readonly Turn[] {
  if (!isCached) return turns
  return turns.map((turn) => {
    const [first, ...rest] = turn.parts
    if (turn.role !== 'user' || first?.kind !== 'text') return turn
    return { ...turn, parts: [{ ...first, cache: { ttl: null } }, ...(rest as typeof turn.parts)] }
  })
}

function documentTurn(name: string | null | undefined): readonly Turn[] {
  if (name === undefined) return []
  const source = { kind: 'data', mediaType: 'application/pdf', base64: 'JVBERi0xLjQK' } as const
  return [{ role: 'user', parts: [{ kind: 'file', source, name, at: '' }], at: '' }]
}

/** The input of the SDK that means a body: bytes are bytes there. */
function inputOf(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(inputOf)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isBytes = (name === 'bytes' || name === 'redactedContent') && typeof value === 'string'
      // What belongs to models and tools is a document, which the SDK takes as it is.
      if (name === 'json' || name === 'input' || name === 'additionalModelRequestFields') return [name, value]
      return [name, isBytes ? Buffer.from(value, 'base64') : inputOf(value)]
    }),
  )
}

async function sentBySdk(modelId: string, body: object, isStream: boolean): Promise<{ path: string; body: unknown }> {
  arrived = null
  reply = isStream
    ? { type: FRAMES, bytes: framed('event: messageStop\ndata: {"stopReason":"end_turn"}\n\n') }
    : { type: 'application/json', bytes: Buffer.from('{"output":{},"usage":{},"stopReason":"end_turn"}') }
  const input = { ...(inputOf(body) as object), modelId } as ConverseCommandInput
  const command = isStream ? new ConverseStreamCommand(input) : new ConverseCommand(input)
  await client.send(command as ConverseCommand)
  if (arrived === null) throw new Error('nothing was sent')
  const { path, body: bytes } = arrived as { path: string; body: string }
  return { path, body: JSON.parse(bytes) as unknown }
}

describe('requests', () => {
  test('random ones are written as AWS’ SDK writes the same, at the same path', async () => {
    let at = 0
    let taken = 0
    await fc.assert(
      fc.asyncProperty(richRequests, async (request) => {
        const modelId = MODELS[at % MODELS.length] ?? ''
        const wire = CHAT_WIRES[at % CHAT_WIRES.length] ?? 'openai-chat'
        const isStream = at % 2 === 0
        at += 1
        const body = clientBody(wire, request, isStream)
        if (body === null) return
        const translated = translationOf(wire, body, isStream)
        const ours = refusedOr(() => translated.to('bedrock-converse', { model: modelId, maxOutputTokens: null }))
        if (ours === null) return
        taken += 1
        const form = isStream && !ours.asksWhole ? 'stream' : 'whole'
        const written = JSON.parse(ours.body.toString()) as object
        const sent = await sentBySdk(modelId, written, form === 'stream')
        expect(written).toEqual(sent.body)
        expect(protocolOf('bedrock-converse').pathOf?.(modelId, form)).toBe(sent.path)
      }),
      { numRuns: REQUESTS, seed: 20_261_130 },
    )
    expect(taken).toBeGreaterThan(REQUESTS / 5)
  })
})

/** What a client of the wire sends; null where its wire cannot say it. */
function clientBody(wire: (typeof CHAT_WIRES)[number], request: NeutralRequest, isStream: boolean) {
  return refusedOr(() => bodyUnder({ cache_points: 'taken' }, { wire, request, isStream }))
}

function refusedOr<T>(write: () => T): T | null {
  try {
    return write()
  } catch {
    return null
  }
}

/** What the SDK has of a block, in the words of the answer it was written from. */
function meaningOfBlock(block: ContentBlock): unknown {
  if (block.text !== undefined) return { text: block.text }
  if (block.toolUse !== undefined) {
    return { call: block.toolUse.name, id: block.toolUse.toolUseId, input: plain(textAsJson(block.toolUse.input)) }
  }
  const { text, signature } = block.reasoningContent?.reasoningText ?? {}
  return { thought: text, signature }
}

/** The input of a streamed call comes as text. */
function textAsJson(input: unknown): unknown {
  return typeof input === 'string' ? JSON.parse(input) : input
}

/** The SDK has large numbers as `bigint`. */
function plain(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))
}

function expectedOf(answer: ReturnType<typeof answerFrom>): unknown[] {
  return (answer.choices[0]?.blocks ?? []).map((block) => {
    if (block.kind === 'tool_call') return { call: block.name, id: block.id, input: JSON.parse(block.input) as unknown }
    return block.kind === 'reasoning' ? { thought: block.text, signature: block.opaque?.data } : { text: block.text }
  })
}

const USED = { inputTokens: 90, cacheReadInputTokens: 10, outputTokens: 40, totalTokens: 140 }

describe('answers', () => {
  test('whole ones of our writer are what AWS’ SDK reads', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (some) => {
        const answer = answerFrom('bedrock-converse', some)
        const written = SPOKES['bedrock-converse'].writeAnswer(answer, callOf('bedrock-converse'), USAGE)
        reply = { type: 'application/json', bytes: Buffer.from(JSON.stringify(written)) }
        const read = await client.send(new ConverseCommand({ modelId: 'm', messages: [] }))
        expect((read.output?.message?.content ?? []).map(meaningOfBlock)).toEqual(expectedOf(answer))
        expect(read.usage).toMatchObject(USED)
        expect(['end_turn', 'tool_use', 'max_tokens']).toContain(read.stopReason)
      }),
      { numRuns: runsInSuite(200), seed: 20_261_130 },
    )
  })

  test('streams of our writer are what AWS’ SDK reads, in its own frames', async () => {
    await fc.assert(
      fc.asyncProperty(answers, fc.integer({ min: 1, max: 20 }), async (some, size) => {
        const answer = answerFrom('bedrock-converse', some)
        const events = streamOf('bedrock-converse', partsOf(answer, size)).toString()
        reply = { type: FRAMES, bytes: framed(events) }
        const { stream } = await client.send(new ConverseStreamCommand({ modelId: 'm', messages: [] }))
        const blocks: ContentBlock[] = []
        let usage: unknown = null
        for await (const event of stream ?? []) {
          if (event.contentBlockStart !== undefined) {
            const { toolUse } = event.contentBlockStart.start ?? {}
            blocks[event.contentBlockStart.contentBlockIndex ?? 0] = {
              toolUse: { ...toolUse, input: '' },
            } as ContentBlock
          }
          if (event.contentBlockDelta !== undefined) {
            const { contentBlockIndex: index = 0, delta } = event.contentBlockDelta
            blocks[index] = grown(blocks[index], delta as DeltaFields)
          }
          usage = event.metadata?.usage ?? usage
        }
        expect(blocks.map(meaningOfBlock)).toEqual(expectedOf(answer))
        expect(usage).toMatchObject(USED)
      }),
      { numRuns: runsInSuite(200), seed: 20_261_130 },
    )
  })
})

interface DeltaFields {
  readonly text?: string
  readonly toolUse?: { readonly input?: string }
  readonly reasoningContent?: { readonly text?: string; readonly signature?: string }
}

function grown(block: ContentBlock | undefined, { text, toolUse, reasoningContent }: DeltaFields): ContentBlock {
  if (text !== undefined) return { text: (block?.text ?? '') + text }
  if (toolUse !== undefined) {
    const past = block?.toolUse?.input
    const input = (typeof past === 'string' ? past : '') + (toolUse.input ?? '')
    return { toolUse: { ...block?.toolUse, input } } as ContentBlock
  }
  const before = block?.reasoningContent?.reasoningText
  const reasoningText = {
    text: (before?.text ?? '') + (reasoningContent?.text ?? ''),
    signature: reasoningContent?.signature ?? before?.signature,
  }
  return { reasoningContent: { reasoningText } }
}

/** Events as the frames that Bedrock sends. */
function framed(events: string): Uint8Array {
  const frames = events
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? []
      const text = (value: string) => ({ type: 'string', value }) as const
      const headers = {
        ':message-type': text('event'),
        ':event-type': text(name),
        ':content-type': text('application/json'),
      }
      return codec.encode({ headers, body: Buffer.from(data) })
    })
  return Buffer.concat(frames)
}
