import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialectOfUpstream } from '../../src/app/server/cloud-clients.ts'
import { credentialPlace } from '../../src/core/upstream-dialect.ts'
import { CHAT_WIRES, type ChatWire, type HubWire, WIRES } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import type { NeutralAnswer } from '../../src/protocols/hub/neutral-answer.ts'
import type { NeutralRequest } from '../../src/protocols/hub/neutral-request.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { CloudUpstream } from '../../src/upstreams/cloud-upstream.ts'
import { HttpUpstream } from '../../src/upstreams/http-upstream.ts'
import type { UpstreamClient, UpstreamRequest } from '../../src/upstreams/upstream-client.ts'
import { SIGNED_HERE } from '../../tools/fake-upstream/clouds/vertex-models.ts'
import { CLOUD_WAYS, type CloudWay } from '../support/cloud-ways.ts'
import { CLOUD_KEY, type Clouds, startClouds } from '../support/clouds-under-test.ts'
import { runsInSuite } from '../support/run/suite.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { playStream } from './protocols-fixtures.ts'
import {
  answerFrom,
  bodyOf,
  callOf,
  ANY_MODEL,
  MODELS,
  read,
  readStream,
  streamOf,
  translatedHello,
  translationOf,
} from './translation-by-hand.ts'
import { meaningOf, meaningOfAnswer } from './translation-meaning.ts'
import { answers, partsOf, requests, USAGE } from './translation-values.ts'

/**
 * The laws of `translation-laws.test.ts` by way of each cloud: a request goes through its dialect to a fake that judges it as the
 * cloud does, what the model's maker gets of it means the same, and so does the answer that comes back in the cloud's own frames.
 */

/** What the model's maker answers with, and what it was asked last. */
let reply: { readonly type: string; readonly bytes: string | Buffer } = { type: '', bytes: '' }
let asked = ''
let maker: ScriptedUpstream
let clouds: Clouds

beforeAll(async () => {
  maker = await scriptedUpstream(async (request, response) => {
    asked = await text(request)
    response.writeHead(200, { 'content-type': reply.type }).end(reply.bytes)
  })
  clouds = await startClouds(maker.url)
})
afterAll(async () => {
  await clouds.close()
  maker.close()
})

const WIRE_OF = {
  'openai-chat': 'openai-chat',
  openai: 'openai-responses',
  anthropic: 'anthropic-messages',
  gemini: 'gemini',
  converse: 'bedrock-converse',
} as const satisfies Record<CloudWay['protocol'], HubWire>

const CASES = CLOUD_WAYS.flatMap((way) =>
  CHAT_WIRES.flatMap((client) => [false, true].map((isStream) => ({ way, client, isStream }))),
)

/** An upstream of this way, opened as the gateway opens one. */
function opened(way: CloudWay): UpstreamClient {
  const { header, prefix } = credentialPlace(way.protocol, way.passage.dialect)
  const baseUrl = clouds.baseUrlOf(way)
  const headers = { [header]: prefix + CLOUD_KEY }
  const client = new HttpUpstream({ baseUrl, headers, connectTimeoutMs: 10_000, maxConcurrency: null })
  return new CloudUpstream(client, dialectOfUpstream({ ...way, baseUrl }), null)
}

interface Heard {
  readonly status: number
  readonly body: Buffer
}

function send(upstream: UpstreamClient, request: UpstreamRequest): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>()
  const pieces: Buffer[] = []
  let status = 0
  upstream.send(request, {
    onHead: (received) => void (status = received),
    onData: (chunk) => void pieces.push(Buffer.from(chunk)),
    onEnd: () => resolve({ status, body: Buffer.concat(pieces) }),
    onFailure: reject,
  })
  return promise
}

/** What the gateway sends for a client's request. */
function requestFor(way: CloudWay, client: ChatWire, about: { request: NeutralRequest; isStream: boolean }) {
  const wire = WIRE_OF[way.protocol]
  const { request, isStream } = about
  const written = bodyOf(client, request, isStream)
  const model = clouds.targetFor(way, MODELS[wire])
  const translated =
    client === wire
      ? null
      : translationOf(client, written, isStream).to(wire, { model, takesLike: ANY_MODEL, maxOutputTokens: null })
  const form = isStream && translated?.asksWhole !== true ? 'stream' : 'whole'
  const body =
    translated?.body ?? Buffer.from(JSON.stringify({ ...written, ...(client === 'gemini' ? {} : { model }) }))
  const version = wire === 'anthropic-messages' ? WIRES[wire].headers : {}
  const headers = { 'content-type': 'application/json', ...version }
  const path = protocolOf(wire).pathOf?.(model, form) ?? WIRES[wire].upstreamPath
  const sent: UpstreamRequest = { method: 'POST', path, headers, body: [body], asks: { wire, model, form } }
  return { sent, form }
}

function answered(wire: HubWire, answer: NeutralAnswer, { isStream, size }: { isStream: boolean; size: number }): void {
  reply = isStream
    ? { type: 'text/event-stream', bytes: streamOf(wire, partsOf(answer, size)) }
    : { type: 'application/json', bytes: JSON.stringify(SPOKES[wire].writeAnswer(answer, callOf(wire), USAGE)) }
}

/** What a client reads of the answer that the dialect hands on. */
function readBy(
  client: ChatWire,
  wire: HubWire,
  { body, isStream }: { body: Buffer; isStream: boolean },
): NeutralAnswer {
  if (client === wire) return isStream ? readStream(wire, body) : SPOKES[wire].readAnswer(parsed(body))
  const translated = translatedHello(client, wire, isStream)
  if (!isStream) return SPOKES[client].readAnswer(parsed(translated.answer(body, USAGE)))
  const played = playStream(translated.openStream(), [body])
  expect(played).toMatchObject({ end: 'complete', usageIsFinal: true, usage: { output: USAGE.output } })
  return readStream(client, Buffer.from(played.sent + played.held, 'latin1'))
}

function parsed(body: Buffer): JsonObject {
  return JSON.parse(body.toString()) as JsonObject
}

/** Vertex AI signs as itself. */
function withoutMark(meaning: object): object {
  return JSON.parse(JSON.stringify(meaning).replaceAll(SIGNED_HERE, '')) as object
}

/** Converse has no word for tools that are there and may not be called. */
function canSay(wire: HubWire, { toolChoice }: NeutralRequest): boolean {
  return wire !== 'bedrock-converse' || toolChoice?.kind !== 'none'
}

describe.each(CASES)('$way.name for a client of $client, streamed $isStream', ({ way, client, isStream }) => {
  const wire = WIRE_OF[way.protocol]

  test('a request is good to the cloud, and means the same to the maker; its answer means the same to the client', async () => {
    const upstream = opened(way)
    const sizes = fc.integer({ min: 1, max: 20 })
    await fc.assert(
      fc.asyncProperty(requests, answers, sizes, async (request, some, size) => {
        fc.pre(canSay(wire, request))
        const { sent, form } = requestFor(way, client, { request, isStream })
        const answer = answerFrom(wire, some)
        answered(wire, answer, { isStream: form === 'stream', size })
        const { status, body } = await send(upstream, sent)
        expect({ status, refusal: status === 200 ? '' : body.toString() }).toEqual({ status: 200, refusal: '' })
        const meant = meaningOf(request) as { limits: unknown[] }
        const got = meaningOf(read(wire, JSON.parse(asked) as JsonObject)) as { limits: unknown[] }
        if (meant.limits[0] === null) got.limits[0] = null
        expect(got).toEqual(meant)
        const heard = readBy(client, wire, { body, isStream: form === 'stream' })
        expect(withoutMark(meaningOfAnswer(heard))).toEqual(meaningOfAnswer(answer))
      }),
      { numRuns: runsInSuite(40) },
    )
    await upstream.close()
  })
})
