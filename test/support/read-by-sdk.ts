/** What the vendors' own SDKs make of an answer of the gateway, whole or as a stream. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { ChatWire } from '../../src/core/wire.ts'
import { readGoogleStream } from './google-stream.ts'

/** What a client has in its hands at the end. */
export interface ReadAnswer {
  readonly text: string
  readonly thought: string
  /** Name, and arguments as the SDK gives them: parsed where it parses them. */
  readonly call: { readonly name: string; readonly arguments: object } | null
  readonly reason: string | null
  readonly outputTokens: number | null
  readonly requestId: string
}

export interface AskBySdk {
  readonly origin: string
  readonly secret: string
  readonly model: string
  readonly prompt: string
  readonly isStream: boolean
}

type Asker = (ask: AskBySdk) => Promise<ReadAnswer>

const parsed = (json: string): object => JSON.parse(json) as object
const openai = ({ origin, secret }: AskBySdk) => new OpenAI({ apiKey: secret, baseURL: `${origin}/v1`, maxRetries: 0 })
const tools = [{ name: 'look_up', schema: { type: 'object', properties: { id: { type: 'number' } } } }] as const

const chat: Asker = async (ask) => {
  const request = {
    model: ask.model,
    messages: [{ role: 'user' as const, content: ask.prompt }],
    tools: tools.map(({ name, schema }) => ({ type: 'function' as const, function: { name, parameters: schema } })),
  }
  if (ask.isStream) {
    const stream = openai(ask).chat.completions.stream({ ...request, stream_options: { include_usage: true } })
    let thought = ''
    for await (const { choices } of stream) thought += thoughtOf(choices[0]?.delta)
    return ofCompletion(await stream.finalChatCompletion(), thought, '')
  }
  const { data, response } = await openai(ask).chat.completions.create(request).withResponse()
  return ofCompletion(data, thoughtOf(data.choices[0]?.message), response.headers.get('x-request-id') ?? '')
}

function thoughtOf(said: object | undefined): string {
  const { reasoning_content: thought } = (said ?? {}) as { reasoning_content?: string | null }
  return thought ?? ''
}

function ofCompletion(completion: OpenAI.ChatCompletion, thought: string, requestId: string): ReadAnswer {
  const [choice] = completion.choices
  const call = choice?.message.tool_calls?.[0]
  return {
    text: choice?.message.content ?? '',
    thought,
    call: call?.type === 'function' ? { name: call.function.name, arguments: parsed(call.function.arguments) } : null,
    reason: choice?.finish_reason ?? null,
    outputTokens: completion.usage?.completion_tokens ?? null,
    requestId,
  }
}

const responses: Asker = async (ask) => {
  const request = {
    model: ask.model,
    input: ask.prompt,
    reasoning: { summary: 'auto' as const },
    tools: tools.map(({ name, schema }) => ({ type: 'function' as const, name, parameters: schema, strict: false })),
  }
  if (ask.isStream) {
    const stream = openai(ask).responses.stream(request)
    let deltas = ''
    for await (const event of stream) if (event.type === 'response.output_text.delta') deltas += event.delta
    const final = ofResponse(await stream.finalResponse(), '')
    return { ...final, text: deltas === final.text ? deltas : `deltas ${deltas}, at the end ${final.text}` }
  }
  const { data, response } = await openai(ask).responses.create(request).withResponse()
  return ofResponse(data, response.headers.get('x-request-id') ?? '')
}

function ofResponse(response: OpenAI.Responses.Response, requestId: string): ReadAnswer {
  const call = response.output.find((item) => item.type === 'function_call')
  const reasoning = response.output.find((item) => item.type === 'reasoning')
  return {
    text: response.output
      .flatMap((item) => (item.type === 'message' ? item.content : []))
      .map((part) => (part.type === 'output_text' ? part.text : ''))
      .join(''),
    thought: reasoning?.summary.map(({ text }) => text).join('') ?? '',
    call: call === undefined ? null : { name: call.name, arguments: parsed(call.arguments) },
    reason: response.status ?? null,
    outputTokens: response.usage?.output_tokens ?? null,
    requestId,
  }
}

const messages: Asker = async (ask) => {
  const client = new Anthropic({ apiKey: ask.secret, baseURL: ask.origin, maxRetries: 0 })
  const request = {
    model: ask.model,
    max_tokens: 4_000,
    thinking: { type: 'enabled' as const, budget_tokens: 2_000 },
    messages: [{ role: 'user' as const, content: ask.prompt }],
    tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })),
  }
  if (ask.isStream) return ofMessage(await client.messages.stream(request).finalMessage(), '')
  const { data, response } = await client.messages.create(request).withResponse()
  return ofMessage(data, response.headers.get('request-id') ?? '')
}

function ofMessage(message: Anthropic.Message, requestId: string): ReadAnswer {
  const call = message.content.find((block) => block.type === 'tool_use')
  return {
    text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thought: message.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    call: call === undefined ? null : { name: call.name, arguments: call.input as object },
    reason: message.stop_reason,
    outputTokens: message.usage.output_tokens,
    requestId,
  }
}

interface GoogleAnswer {
  readonly candidates?: readonly {
    readonly content?: {
      readonly parts?: readonly {
        readonly text?: string
        readonly thought?: boolean
        readonly functionCall?: { readonly name: string; readonly args?: object }
      }[]
    }
    readonly finishReason?: string
  }[]
  readonly usageMetadata?: { readonly candidatesTokenCount?: number }
}

/** Reads as Google's SDK does, which is not among the packages of the tests: see `google-stream.ts`. */
const gemini: Asker = async (ask) => {
  const method = ask.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const response = await fetch(`${ask.origin}/v1beta/models/${ask.model}:${method}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': ask.secret, 'content-type': 'application/json' },
    body: JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: ask.prompt }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      tools: [{ functionDeclarations: tools.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) }],
    }),
  })
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status })
  const answers = (ask.isStream ? await readGoogleStream(response) : [await response.json()]) as GoogleAnswer[]
  const candidates = answers.map(({ candidates: all }) => all?.[0])
  const parts = candidates.flatMap((candidate) => candidate?.content?.parts ?? [])
  const call = parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall
  return {
    text: parts.map(({ text = '', thought = false }) => (thought ? '' : text)).join(''),
    thought: parts.map(({ text = '', thought = false }) => (thought ? text : '')).join(''),
    call: call === undefined ? null : { name: call.name, arguments: call.args ?? {} },
    reason: candidates.findLast((candidate) => candidate?.finishReason !== undefined)?.finishReason ?? null,
    outputTokens:
      answers.findLast(({ usageMetadata: usage }) => usage !== undefined)?.usageMetadata?.candidatesTokenCount ?? null,
    requestId: response.headers.get('x-request-id') ?? '',
  }
}

const ASKERS: Readonly<Record<ChatWire, Asker>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
}

/** Asks as a client of the wire, and reads the answer with its SDK. */
export function askBySdk(wire: ChatWire, ask: AskBySdk): Promise<ReadAnswer> {
  return ASKERS[wire](ask)
}
