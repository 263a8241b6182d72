import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { ChatWire } from '../../src/core/wire.ts'
import { PARSED, TEXT, THOUGHT } from '../support/answers-of-wires.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { askRaw } from '../support/raw-request.ts'
import { askBySdk, type AskBySdk, type ReadAnswer } from '../support/read-by-sdk.ts'
import { ERRORS, type ReportedError } from '../support/reported-errors.ts'
import { type AnswerBytes, events, FORMS, type ReportedAnswer, whole } from '../support/reported-forms.ts'
import { WRITINGS } from '../support/reported-writings.ts'
import { putModelOf } from '../support/put-model.ts'
import { scriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts'

// Upstreams answer in another form than was asked for, and write streams in ways of their own: each client gets the answer in
// the form and the words that its SDK reads, and pays what the upstream reported.

const PROTOCOLS: Readonly<Record<ChatWire, UpstreamProtocol>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
}
const WIRES = Object.keys(PROTOCOLS) as ChatWire[]

/** Each client of a case, with the case. */
const each = <Case extends ReportedAnswer | ReportedError>(cases: readonly Case[]) =>
  cases.flatMap((it) =>
    (it.clients ?? [it.at]).map((client) => ({ ...it, client, form: it.isStream ? 'a stream' : 'whole' })),
  )

/** Each has a model of its own, which rests behind its error. */
const REFUSED = each(ERRORS).map((it, index) => ({ ...it, model: `refused-${index}` }))

let gateway: GatewayUnderTest
let upstream: ScriptedUpstream
let secret: string
const replies = new Map<string, AnswerBytes>()
let prompts = 0

beforeAll(async () => {
  gateway = await gatewayUnderTest()
  upstream = await scriptedUpstream((request, response) => {
    let asked = ''
    request.on('data', (bytes: Buffer) => (asked += bytes.toString()))
    request.on('end', () => {
      const {
        status = 200,
        contentType,
        body,
        piece,
      } = replies.get(/prompt-\d+/.exec(asked)?.[0] ?? '') ?? { body: '' }
      response.writeHead(status, contentType === null ? {} : { 'content-type': contentType ?? 'application/json' })
      void write(Buffer.from(body), piece)
      async function write(bytes: Buffer, size = bytes.length): Promise<void> {
        for (let at = 0; at < bytes.length; at += size) {
          response.write(bytes.subarray(at, at + size))
          if (size < bytes.length) await nextTurn()
        }
        response.end()
      }
    })
  })
  for (const wire of WIRES) await putUp(nameOf(wire), wire)
  for (const { model, at } of REFUSED) await putUp(model, at)
  secret = (await gateway.key(await gateway.account({ balance: '1000' }))).secret
})
afterAll(async () => {
  await gateway.close()
  upstream.close()
})

async function putUp(name: string, wire: ChatWire): Promise<void> {
  const { port } = upstream
  const baseUrl = `http://127.0.0.1:${port}/${wire === 'gemini' ? 'v1beta' : 'v1'}`
  await putModelOf(gateway.store, { name, targets: [{ port, protocol: PROTOCOLS[wire], settings: { baseUrl } }] })
}

function nameOf(wire: ChatWire): string {
  return `at-${wire}`
}

interface Asked {
  readonly client: ChatWire
  readonly at: ChatWire
  readonly isStream: boolean
  readonly reply: AnswerBytes
  /** The model; that of the wire where left out. */
  readonly model?: string
}

function asking({ at, isStream, reply, model = nameOf(at) }: Asked): AskBySdk {
  const prompt = `prompt-${++prompts}`
  replies.set(prompt, reply)
  return { origin: gateway.origin, secret, model, prompt, isStream }
}

async function ask(asked: Asked): Promise<ReadAnswer> {
  return askBySdk(asked.client, asking(asked))
}

async function raw(asked: Asked): Promise<string> {
  return (await askRaw(asked.client, asking(asked))).text()
}

const REASONS: Readonly<Record<ChatWire, string>> = {
  'openai-chat': 'tool_calls',
  'openai-responses': 'completed',
  'anthropic-messages': 'tool_use',
  gemini: 'STOP',
}

/** What each client reads of the answer. */
function expected(client: ChatWire) {
  return {
    text: TEXT,
    thought: THOUGHT,
    call: { name: 'look_up', arguments: PARSED },
    reason: REASONS[client],
    outputTokens: 6,
  }
}

/** Every client on every upstream; an upstream of `openai` is asked for chat completions by their own clients. */
const PAIRS = WIRES.flatMap((client) => WIRES.map((at) => ({ client, at }))).filter(
  ({ client, at }) => client !== 'openai-chat' || at !== 'openai-responses',
)

describe('the form that was asked for', () => {
  test.for(PAIRS)(
    'a whole answer reaches a streaming client of $client on $at as its stream',
    async ({ client, at }) => {
      const read = await ask({ client, at, isStream: true, reply: { body: whole(at) } })
      expect(read).toMatchObject(expected(client))
    },
  )

  test.for(PAIRS)('a stream reaches a client of $client on $at that asked for a whole answer as one', async (pair) => {
    const reply = { contentType: 'text/event-stream', body: events(pair.at) }
    const read = await ask({ ...pair, isStream: false, reply })
    expect(read).toMatchObject(expected(pair.client))
    const record = await vi.waitUntil(() => gateway.store.usage.record(read.requestId), { timeout: PATIENCE_MS })
    expect(record).toMatchObject({ outcome: 'completed', usageSource: 'reported', tokens: { input: 10, output: 6 } })
  })
})

describe('answers in another form than their content type or their request says', () => {
  test.for(each(FORMS))(
    '$from: $what; $client on $at, asked for $form',
    async ({ client, at, isStream, reply, reads }) => {
      expect(await ask({ client, at, isStream, reply })).toMatchObject({ ...expected(client), ...reads })
    },
  )
})

describe('streams in other writings', () => {
  test.for(each(WRITINGS))('$from: $what; $client on $at', async ({ client, at, isStream, reply, reads }) => {
    expect(await ask({ client, at, isStream, reply })).toMatchObject({ ...expected(client), ...reads })
  })

  // The same bytes where a whole answer was asked for.
  test.for(each(WRITINGS))('$from: $what; $client on $at, asked for whole', async ({ client, at, reply, reads }) => {
    expect(await ask({ client, at, isStream: false, reply })).toMatchObject({ ...expected(client), ...reads })
  })
})

describe('errors in another form', () => {
  test.for(REFUSED)('$from: $what; $client on $at', async ({ status, says, ...asked }) => {
    const { client } = asked
    const thrown = await ask(asked).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ status: status === 503 && client === 'anthropic-messages' ? 529 : status })
    expect(String(thrown)).toContain(says)
    expect(String(thrown)).not.toContain('data:')
  })
})

/** An emoji in two deltas, and in three: each half as an escape of its own. */
const HALVES: Readonly<Record<ChatWire, string>> = {
  'openai-chat': ['"Hi \\ud83d"', '"\\ude00 \\ud83d"', '"\\ude01"']
    .map((content) => `data: {"choices":[{"index":0,"delta":{"content":${content}}}]}\n\n`)
    .join('')
    .concat('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'),
  'openai-responses': '',
  'anthropic-messages': '',
  gemini: ['"Hi \\ud83d"', '"\\ude00 \\ud83d"', '"\\ude01"']
    .map((text, at) => {
      const end = at === 2 ? ',"finishReason":"STOP"' : ''
      return `data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":${text}}]}${end}}]}\n\n`
    })
    .join(''),
}

describe('characters that an upstream cuts in two', () => {
  test.for(
    (['openai-chat', 'gemini'] as const).flatMap((at) =>
      WIRES.filter((client) => client !== at).map((client) => ({ client, at })),
    ),
  )('elizaOS/eliza#30904, elie222/rakazo#416: $client on $at gets them whole', async ({ client, at }) => {
    const reply = { contentType: 'text/event-stream', body: HALVES[at] }
    const sent = await raw({ client, at, isStream: true, reply })
    expect(sent).toContain('😀')
    expect(sent).toContain('😁')
    expect(sent).not.toMatch(/\\ud83d|\ufffd/i)
    expect(await ask({ client, at, isStream: true, reply })).toMatchObject({ text: 'Hi 😀 😁' })
  })

  test('a half that stays alone goes on as it came', async () => {
    const body = HALVES['openai-chat'].replace('\\ude01', '!')
    const read = await ask({
      client: 'anthropic-messages',
      at: 'openai-chat',
      isStream: true,
      reply: { contentType: 'text/event-stream', body },
    })
    expect(read.text).toBe('Hi 😀 \ud83d!')
  })
})

test('googleapis/go-genai#903: a client of Gemini gets no comments, which its SDK for Go fails on', async () => {
  const body = events('gemini', { before: ': heartbeat\n' })
  const reply = { contentType: 'text/event-stream', body: `: waiting\n\n${body}` }
  expect(await raw({ client: 'gemini', at: 'gemini', isStream: true, reply })).not.toMatch(/^:/m)
})

test.for([
  { from: 'looplj/axonhub#554', bytes: 20_000_000 },
  { from: 'Wei-Shaw/sub2api#874', bytes: 42_000_000 },
])('$from: a picture of $bytes bytes comes as one event', async ({ bytes }) => {
  const picture = 'A'.repeat(bytes)
  const part = `{"inlineData":{"mimeType":"image/png","data":"${picture}"}}`
  const usage = '"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":6,"totalTokenCount":16}'
  const body = `data: {"candidates":[{"index":0,"content":{"role":"model","parts":[${part}]},"finishReason":"STOP"}],${usage}}\r\n\r\n`
  const reply = { contentType: 'text/event-stream', body }
  const sent = await raw({ client: 'gemini', at: 'gemini', isStream: true, reply })
  expect(sent === body).toBe(true)
})

describe('what a streaming client of chat completions pays and gets', () => {
  const reply = { body: whole('openai-chat') }

  test('it gets no usage that it did not ask for, and one end', async () => {
    const sent = await raw({ client: 'openai-chat', at: 'openai-chat', isStream: true, reply })
    expect(sent).not.toContain('prompt_tokens')
    expect(sent.match(/^data: \[DONE\]$/gm)).toHaveLength(1)
    expect(sent).toContain('"system_fingerprint":"fp_1"')
  })

  test('it pays what the upstream reported, and its record has the time of the first byte', async () => {
    const response = await askRaw(
      'openai-chat',
      asking({ client: 'openai-chat', at: 'openai-chat', isStream: true, reply }),
    )
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    await response.text()
    const find = () => gateway.store.usage.record(response.headers.get('x-request-id') ?? '')
    const record = await vi.waitUntil(find, { timeout: PATIENCE_MS })
    expect(record).toMatchObject({ usageSource: 'reported', isStream: true, tokens: { input: 10, output: 6 } })
    expect(record.firstByteMs).not.toBeNull()
  })

  test('a client that asked for a whole answer gets JSON, whatever its upstream calls it', async () => {
    for (const contentType of ['text/event-stream', 'text/plain', null]) {
      for (const body of [whole('openai-chat'), events('openai-chat')]) {
        const asked = {
          client: 'openai-chat',
          at: 'openai-chat',
          isStream: false,
          reply: { contentType, body },
        } as const
        const response = await askRaw('openai-chat', asking(asked))
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(await response.json()).toMatchObject({ object: 'chat.completion', system_fingerprint: 'fp_1' })
      }
    }
  })
})
