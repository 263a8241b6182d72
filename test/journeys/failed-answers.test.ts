import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CHAT_WIRES, type ChatWire, HUB_WIRES, type HubWire } from '../../src/core/wire.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import { Candidate } from '../../src/routing/candidate.ts'
import { RetryBudget } from '../../src/routing/retry-budget.ts'
import { isEnded, saysSuccess } from '../conformance/success-ends.ts'
import { ask } from '../faults/matrix/cells.ts'
import { FRAMED_TYPE } from '../support/aws-frames.ts'
import { FAILED_ANSWERS, FAILED_WHERE_TRANSLATED, GOOD_ANSWERS } from '../support/failed-answers/all.ts'
import { data, type UpstreamAnswer } from '../support/failed-answers/failed-answer.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { inSuite } from '../support/run/suite.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { putModelOf, type ServerTarget } from '../support/put-model.ts'

/** What a whole gateway makes of answers of a good status that are none: for the client, in the books, and at other targets. */

const PROTOCOLS: Readonly<Record<HubWire, UpstreamProtocol>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  'bedrock-converse': 'converse',
}

/** The model of an answer: what comes in frames comes from Amazon Bedrock. */
function modelOf({ wire, frames }: UpstreamAnswer): string {
  return frames === undefined ? wire : `${wire}-framed`
}

/** What the sick upstream answers to the next requests, and whether all of it at once. */
let given: UpstreamAnswer | null = null
let isInOnePiece = false
const sickOrWell: Script = async (request, response) => {
  const sent = await text(request)
  if (!sent.includes(`"${WELL}"`) && given !== null) answer(response, given)
  else answer(response, sent.includes('"stream":true') ? WELL_STREAM : WELL_WHOLE)
}

const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }
const about = { name: 'well', wire: 'openai-chat' as ChatWire, from: '' }
const choice = { index: 0, message: { role: 'assistant', content: 'WELL' }, finish_reason: 'stop' }
const WELL_WHOLE: UpstreamAnswer = {
  ...about,
  isStream: false,
  bytes: JSON.stringify({ id: 'c', choices: [choice], usage }),
}
const delta = { index: 0, delta: { role: 'assistant', content: 'WELL' }, finish_reason: 'stop' }
const WELL_EVENT = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [delta], usage }
const WELL_STREAM: UpstreamAnswer = { ...about, isStream: true, bytes: data(WELL_EVENT) + data('[DONE]') }

/** An event at a time, so that the first goes on before the last is known. */
function answer(response: ServerResponse, { isStream, bytes, frames }: UpstreamAnswer): void {
  if (!isStream) return void response.writeHead(200, { 'content-type': 'application/json' }).end(bytes)
  response.writeHead(200, { 'content-type': frames === undefined ? 'text/event-stream' : FRAMED_TYPE })
  const events = isInOnePiece ? [bytes] : [...(frames ?? bytes.split(/(?<=\n\n)/))]
  const next = (): void => {
    const event = events.shift()
    if (event === undefined) return void response.end()
    response.write(event, () => setImmediate(next))
  }
  next()
}

let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
let secret: string
beforeAll(async () => {
  upstream = await scriptedUpstream(sickOrWell)
  // Each answer is judged by itself, as of a target that is well so far and was asked little.
  vi.spyOn(Candidate.prototype, 'failed').mockImplementation(() => {})
  vi.spyOn(RetryBudget.prototype, 'hasRoom').mockReturnValue(true)
  gateway = await gatewayUnderTest()
  await putUp()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await gateway.close()
  upstream.close()
})

/** The answer that a well target gives. */
const WELL = 'well'

/** Puts up a model of each wire, and one more with a well target behind it. */
async function putUp(): Promise<void> {
  const { port } = upstream
  const targetOf = (wire: HubWire, model: string): ServerTarget => {
    const settings = wire === 'gemini' ? { baseUrl: `http://127.0.0.1:${port}/v1beta` } : {}
    return { port, model, protocol: PROTOCOLS[wire], settings }
  }
  const atBedrock = (wire: HubWire): ServerTarget => {
    const settings = { baseUrl: `http://127.0.0.1:${port}`, passage: { dialect: 'bedrock' } } as const
    return { port, model: `${wire}-framed`, protocol: PROTOCOLS[wire], settings }
  }
  const spare = { ...targetOf('openai-chat', WELL), priority: 1 }
  const framed = (['anthropic-messages', 'bedrock-converse'] as const).map(atBedrock)
  for (const sick of [...HUB_WIRES.map((wire) => targetOf(wire, wire)), ...framed]) {
    const name = sick.model ?? ''
    await putModelOf(gateway.store, { name, targets: [sick] })
    await putModelOf(gateway.store, { name: `${name}-spare`, targets: [sick, spare] })
  }
  secret = (await gateway.key(await gateway.account({ balance: '1000' }))).secret
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/bedrock-converse-framed-spare`, { headers })).ok
  await vi.waitUntil(isKnown, { timeout: PATIENCE_MS })
}

async function asked(each: UpstreamAnswer, client: ChatWire, model: string = modelOf(each)) {
  given = each
  const received = await ask({ origin: gateway.origin, secret }, { client, isStream: each.isStream }, model)
  const record = await vi.waitUntil(() => gateway.store.usage.record(received.requestId), { timeout: PATIENCE_MS })
  return { received, record }
}

interface Asked {
  readonly each: UpstreamAnswer
  readonly client: ChatWire
}

/**
 * Every answer for every client; in the short suite each for one of them in turn. An upstream that speaks responses speaks chat
 * completions too, and is asked by those for a client that does.
 */
function forClients(cases: readonly UpstreamAnswer[]): readonly (Asked & UpstreamAnswer)[] {
  const all = cases.map((each) =>
    CHAT_WIRES.filter((client) => !(each.wire === 'openai-responses' && client === 'openai-chat')).map((client) => ({
      each,
      client,
      ...each,
    })),
  )
  const inTurn = all.map((clients, at) => clients.filter((_, of) => of === at % clients.length))
  return inSuite({ long: all, short: inTurn }).flat()
}

describe('a failure inside status 200', () => {
  test.for(forClients(FAILED_ANSWERS))(
    '$wire to $client, streamed $isStream, is failed and free: $name ($from)',
    async ({ each, client }) => {
      const { received, record } = await asked(each, client)
      expect(record).toMatchObject({ outcome: 'failed', cost: 0n })
      expect(record.fault).toMatch(/^upstream_/)
      if (received.status === 200) expect(received.isWhole).toBe(false)
      if (client === each.wire) expect(isEnded(client, received.text)).toBe(false)
      else expect(saysSuccess(client, received.text)).toBe(false)
    },
  )

  test.for(forClients(FAILED_WHERE_TRANSLATED).filter(({ each, client }) => each.wire !== client))(
    '$wire to $client, streamed $isStream, is failed and free: $name ($from)',
    async ({ each, client }) => {
      const { received, record } = await asked(each, client)
      expect(record).toMatchObject({ outcome: 'failed', cost: 0n })
      expect(saysSuccess(client, received.text)).toBe(false)
    },
  )

  test.for(forClients(FAILED_ANSWERS))(
    '$wire to $client, streamed $isStream, is answered by another target, unless some of it was sent: $name ($from)',
    async ({ each, client }) => {
      const { received, record } = await asked(each, client, `${modelOf(each)}-spare`)
      // What says that the request is wrong is not asked again.
      if (record.fault === 'upstream_rejected') return
      if (each.isStream && received.status === 200 && !received.isWhole) return
      expect(record).toMatchObject({ outcome: 'completed', attempts: [{ model: modelOf(each) }, { model: WELL }] })
      expect(received.text).toContain('WELL')
    },
  )

  test('a failure that comes in one piece with what is before it is answered by another target', async () => {
    const [each] = FAILED_ANSWERS.filter(
      ({ wire, isStream, name }) => wire === 'openai-chat' && isStream && name === 'finish_reason error',
    )
    if (each === undefined) throw new Error('the case is gone')
    isInOnePiece = true
    const { received, record } = await asked(each, 'openai-chat', `${each.wire}-spare`)
    expect(record).toMatchObject({
      outcome: 'completed',
      attempts: [{ fault: 'upstream_unavailable' }, { model: WELL }],
    })
    expect(received.text).not.toContain('Half of')
    isInOnePiece = false
  })
})

describe('a good answer that looks odd', () => {
  test.for(forClients(GOOD_ANSWERS))(
    '$wire to $client, streamed $isStream, is completed: $name ($from)',
    async ({ each, client }) => {
      const { received, record } = await asked(each, client)
      expect(record).toMatchObject({ outcome: 'completed', fault: null })
      expect([received.status, received.isWhole]).toEqual([200, true])
    },
  )
})

describe('the vendors’ own libraries', () => {
  const broken = FAILED_ANSWERS.filter(
    ({ wire, isStream, name }) => wire === 'openai-chat' && isStream && name.startsWith('a call'),
  )

  test.for(broken)('read it as a failure, and hand on no call: $name', async (each) => {
    const model = each.wire
    given = each
    const openai = new OpenAI({ apiKey: secret, baseURL: `${gateway.origin}/v1`, maxRetries: 0 })
    const anthropic = new Anthropic({ apiKey: secret, baseURL: gateway.origin, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Write the file.' }]
    const chat = openai.chat.completions.stream({ model, messages }).finalChatCompletion()
    const message = anthropic.messages.stream({ model, messages, max_tokens: 100 }).finalMessage()
    const response = openai.responses.stream({ model, input: 'Write the file.' }).finalResponse()
    const [one, two, three] = await Promise.allSettled([chat, message, response])
    expect([one.status, two.status]).toEqual(['rejected', 'rejected'])
    // OpenAI’s helper returns a response that failed as one.
    if (three.status === 'fulfilled') expect(three.value).toMatchObject({ status: 'failed', output: [] })
  })
})
