import type { AskedModel } from '../../src/models/table.ts'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { ChatWire, HubWire } from '../../src/core/wire.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { type Translated, Translation } from '../../src/protocols/translation.ts'
import { MODELS } from './translation-by-hand.ts'

/** A call as a client's SDK has it in the end; `input` is JSON text. */
export interface ReceivedCall {
  readonly id: string
  readonly name: string
  readonly input: string
}

/** Bodies are written by hand as text, so that they hold what no serializer of JavaScript writes. */
export function translate(
  client: ChatWire,
  body: string,
  ...[upstream, takesLike]: [upstream: HubWire, takesLike?: AskedModel]
): Translated {
  const bytes = Buffer.from(body)
  const isStream = body.includes('"stream":true')
  const head = protocolOf(client).readRequest(bytes, { fromPath: { model: 'm', isStream } })
  const asked = { wire: client, body: bytes, head, requestId: 'req_7', nowMs: 1_790_000_000_000 }
  return new Translation(asked).to(upstream, { model: MODELS[upstream], takesLike, maxOutputTokens: null })
}

/** The shortest question of each wire. */
export const HELLO: Readonly<Record<ChatWire, string>> = {
  'openai-chat': '{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
  'openai-responses': '{"model":"m","input":"Hi"}',
  'anthropic-messages': '{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Hi"}]}',
  gemini: '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
}

/** The bytes that a client gets of a stream with this data; each is one event and one chunk. */
export function streamed(translated: Translated, events: readonly string[]): Buffer {
  const reader = translated.openStream()
  const passed = events.map((event) => reader.push(Buffer.from(event)) ?? Buffer.alloc(0))
  return Buffer.concat([...passed, reader.finish().held])
}

/** A chat completion with these entries of `tool_calls`, one in each chunk. */
export function chatStream(entries: readonly unknown[], ending = 'tool_calls'): string[] {
  const chunk = (delta: unknown, reason: string | null): string =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
  const usage = `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\n`
  const calls = entries.map((entry) => chunk({ tool_calls: [entry] }, null))
  return [chunk({ role: 'assistant', content: null }, null), ...calls, chunk({}, ending), usage, 'data: [DONE]\n\n']
}

/** White space between the values of JSON texts taken away; what stands in strings stays. */
export function squeezed(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function answering(bytes: Buffer, type = 'text/event-stream'): typeof fetch {
  return async () => new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
}

type ReadCalls = (bytes: Buffer) => Promise<readonly ReceivedCall[]>

/** The calls in a stream, as the vendor's own SDK reads them. The input is the text that came, where the SDK has it. */
export const CALLS_OF_STREAM: Readonly<Record<ChatWire, ReadCalls>> = {
  'openai-chat': async (bytes) => {
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering(bytes) })
    const answer = await client.chat.completions.stream({ model: 'm', messages: [] }).finalChatCompletion()
    return (answer.choices[0]?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, name: call.function.name, input: call.function.arguments }] : [],
    )
  },
  'openai-responses': async (bytes) => {
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering(bytes) })
    const { output } = await client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse()
    return output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: item.arguments }] : [],
    )
  },
  'anthropic-messages': async (bytes) => {
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: answering(bytes) })
    const inputs: string[] = []
    const stream = client.messages.stream({ model: 'm', max_tokens: 1, messages: [] })
    stream.on('streamEvent', (event) => {
      if (event.type === 'content_block_start') inputs[event.index] = ''
      if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
        inputs[event.index] += event.delta.partial_json
    })
    const { content } = await stream.finalMessage()
    return content.flatMap((block, i) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: inputs[i] ?? '' }] : [],
    )
  },
  // Google's SDK is not among the packages; it parses each event and takes its parts as they are.
  gemini: async (bytes) => {
    const events = bytes.toString().split('\n\n')
    return events.flatMap((event) => (event === '' ? [] : functionCalls(event.replace(/^data: /, ''))))
  },
}

/** The calls in a whole answer, by the SDK. */
export const CALLS_OF_WHOLE: Readonly<Record<ChatWire, ReadCalls>> = {
  'openai-chat': async (bytes) => {
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering(bytes, 'application/json') })
    const answer = await client.chat.completions.create({ model: 'm', messages: [] })
    return (answer.choices[0]?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, name: call.function.name, input: call.function.arguments }] : [],
    )
  },
  'openai-responses': async (bytes) => {
    const client = new OpenAI({ apiKey: 'k', maxRetries: 0, fetch: answering(bytes, 'application/json') })
    const { output } = await client.responses.create({ model: 'm', input: 'Hi' })
    return output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: item.arguments }] : [],
    )
  },
  'anthropic-messages': async (bytes) => {
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: answering(bytes, 'application/json') })
    const { content } = await client.messages.create({ model: 'm', max_tokens: 1, messages: [] })
    return content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: JSON.stringify(block.input) }] : [],
    )
  },
  gemini: async (bytes) => functionCalls(bytes.toString()),
}

interface GeminiAnswer {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly GeminiPart[] } }[]
}

interface GeminiPart {
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown }
}

function functionCalls(json: string): ReceivedCall[] {
  const { candidates = [] } = JSON.parse(json) as GeminiAnswer
  return (candidates[0]?.content?.parts ?? []).flatMap(({ functionCall: call }) =>
    call === undefined ? [] : [{ id: call.id, name: call.name, input: JSON.stringify(call.args) }],
  )
}

export interface UpstreamCall {
  readonly id: string
  readonly name: string
  /** JSON text of an object. */
  readonly input: string
}

const text = JSON.stringify

/** A whole answer with these calls, as an upstream of the wire writes it. */
export const WHOLE_ANSWER: Readonly<Record<HubWire, (calls: readonly UpstreamCall[]) => string>> = {
  'openai-chat': (calls) => {
    const list = calls.map(
      ({ id, name, input }) =>
        `{"id":${text(id)},"type":"function","function":{"name":${text(name)},"arguments":${text(input)}}}`,
    )
    return `{"id":"x","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[${list.join(',')}]}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`
  },
  'openai-responses': (calls) => {
    const list = calls.map(
      ({ id, name, input }, i) =>
        `{"id":"fc_${i}","type":"function_call","call_id":${text(id)},"name":${text(name)},"arguments":${text(input)}}`,
    )
    return `{"id":"resp_1","object":"response","status":"completed","output":[${list.join(',')}],"usage":{"input_tokens":1,"output_tokens":1}}`
  },
  'anthropic-messages': (calls) => {
    const list = calls.map(
      ({ id, name, input }) => `{"type":"tool_use","id":${text(id)},"name":${text(name)},"input":${input}}`,
    )
    return `{"id":"msg_1","type":"message","role":"assistant","content":[${list.join(',')}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`
  },
  gemini: (calls) => {
    const list = calls.map(
      ({ id, name, input }) => `{"functionCall":{"id":${text(id)},"name":${text(name)},"args":${input}}}`,
    )
    return `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[${list.join(',')}]}}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1}}`
  },
  'bedrock-converse': (calls) => {
    const list = calls.map(
      ({ id, name, input }) => `{"toolUse":{"toolUseId":${text(id)},"name":${text(name)},"input":${input}}}`,
    )
    return `{"output":{"message":{"role":"assistant","content":[${list.join(',')}]}},"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}`
  },
}

/** An event has its data in one line. */
function inLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ')
}

function messageEvent(type: string, fields: string): string {
  return `event: ${type}\ndata: {"type":"${type}",${fields}}\n\n`
}

/** The answer as a stream. */
export const STREAMED_ANSWER: Readonly<Record<HubWire, (calls: readonly UpstreamCall[]) => string[]>> = {
  'openai-chat': (calls) =>
    chatStream(
      calls.map(({ id, name, input }, index) => ({
        index,
        id,
        type: 'function',
        function: { name, arguments: input },
      })),
    ),
  'openai-responses': (calls) => {
    const items = calls.map(({ id, name, input }, i) => {
      const item = (args: string): string =>
        `"output_index":${i},"item":{"id":"fc_${i}","type":"function_call","call_id":${text(id)},"name":${text(name)},"arguments":${text(args)}}`
      const delta = `"output_index":${i},"item_id":"fc_${i}","delta":${text(input)}`
      return [
        messageEvent('response.output_item.added', item('')),
        messageEvent('response.function_call_arguments.delta', delta),
        messageEvent('response.output_item.done', item(input)),
      ]
    })
    const begin = messageEvent('response.created', '"response":{"id":"resp_1","status":"in_progress","output":[]}')
    const end = messageEvent('response.completed', `"response":${WHOLE_ANSWER['openai-responses'](calls)}`)
    return [begin, ...items.flat(), end]
  },
  /** The input whole at the start of its block, as some upstreams have it. */
  'anthropic-messages': (calls) => {
    const begin =
      '"message":{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}'
    const blocks = calls.map(({ id, name, input }, index) => [
      messageEvent(
        'content_block_start',
        `"index":${index},"content_block":{"type":"tool_use","id":${text(id)},"name":${text(name)},"input":${inLine(input)}}`,
      ),
      messageEvent('content_block_stop', `"index":${index}`),
    ])
    const end = '"delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}'
    return [
      messageEvent('message_start', begin),
      ...blocks.flat(),
      messageEvent('message_delta', end),
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ]
  },
  gemini: (calls) => [`data: ${inLine(WHOLE_ANSWER.gemini(calls))}\n\n`],
  'bedrock-converse': (calls) => {
    const blocks = calls.map(({ id, name, input }, i) => [
      `event: contentBlockStart\ndata: {"contentBlockIndex":${i},"start":{"toolUse":{"toolUseId":${text(id)},"name":${text(name)}}}}\n\n`,
      `event: contentBlockDelta\ndata: {"contentBlockIndex":${i},"delta":{"toolUse":{"input":${text(input)}}}}\n\n`,
      `event: contentBlockStop\ndata: {"contentBlockIndex":${i}}\n\n`,
    ])
    return [
      'event: messageStart\ndata: {"role":"assistant"}\n\n',
      ...blocks.flat(),
      'event: messageStop\ndata: {"stopReason":"tool_use"}\n\n',
      'event: metadata\ndata: {"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}\n\n',
    ]
  },
}
