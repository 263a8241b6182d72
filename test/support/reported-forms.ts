/** Answers that come in another form than their content type or their request says, as public reports have them. */
import type { ChatWire } from '../../src/core/wire.ts'
import { ANSWERS, eventsOf, type EventsAs, jsonOf } from './answers-of-wires.ts'

/** How upstreams were seen to answer, and where it was reported. Where left out: the client of the same wire, and what it reads always. */
export interface ReportedAnswer {
  readonly from: string
  readonly what: string
  readonly at: ChatWire
  readonly clients?: readonly ChatWire[]
  readonly isStream: boolean
  readonly reply: AnswerBytes
  readonly reads?: object
}

/** What an upstream sends. */
export interface AnswerBytes {
  readonly status?: number
  /** null: none; JSON where left out. */
  readonly contentType?: string | null
  readonly body: string | Buffer
  /** Bytes of each write; all at once where left out. */
  readonly piece?: number
}

export const whole = (wire: ChatWire): string => jsonOf(ANSWERS[wire].whole)
export const events = (wire: ChatWire, how?: EventsAs): string => eventsOf(ANSWERS[wire].events, how)
export const SSE = 'text/event-stream'
/** The events without the last one. */
export const withoutDone = (wire: ChatWire, how?: EventsAs): string => eventsOf(ANSWERS[wire].events.slice(0, -1), how)

const END = 'response.completed'

function lastOutput(): string {
  return `"output":${jsonOf((ANSWERS['openai-responses'].whole as { output: unknown }).output)}`
}

export const FORMS: readonly ReportedAnswer[] = [
  {
    from: 'vllm-project/vllm-ascend#5033',
    what: 'events as application/json',
    at: 'openai-chat',
    isStream: true,
    reply: { contentType: 'application/json', body: events('openai-chat') },
  },
  {
    from: 'vllm-project/vllm#47526',
    what: 'events as application/json, to a client of another wire',
    at: 'openai-chat',
    clients: ['anthropic-messages', 'gemini'],
    isStream: true,
    reply: { contentType: 'application/json', body: events('openai-chat') },
  },
  {
    from: 'caidaoli/ccLoad#81',
    what: 'events as text/plain',
    at: 'openai-responses',
    clients: ['openai-responses', 'anthropic-messages'],
    isStream: true,
    reply: { contentType: 'text/plain; charset=utf-8', body: events('openai-responses') },
  },
  {
    from: 'xiaoliu10/claude-code-router-next#44',
    what: 'events as application/octet-stream, behind a heartbeat and in fragments',
    at: 'anthropic-messages',
    clients: ['anthropic-messages', 'openai-chat'],
    isStream: true,
    reply: { contentType: 'application/octet-stream', body: `: ping\n\n${events('anthropic-messages')}`, piece: 97 },
  },
  {
    from: 'Wei-Shaw/sub2api#2826',
    what: 'events without a content type where a whole answer was asked for',
    at: 'openai-responses',
    isStream: false,
    reply: { contentType: null, body: events('openai-responses') },
  },
  {
    from: 'mcowger/plexus#739',
    what: 'events as application/json, whose last one has no output, where a whole answer was asked for',
    at: 'openai-responses',
    clients: ['openai-responses', 'anthropic-messages'],
    isStream: false,
    reply: { contentType: 'application/json', body: events('openai-responses').replace(lastOutput(), '"output":[]') },
  },
  {
    from: 'bytedance/deer-flow#1928',
    what: 'items out of order, and a last event without output',
    at: 'openai-responses',
    isStream: false,
    reply: {
      contentType: SSE,
      body: eventsOf(
        ANSWERS['openai-responses'].events.toReversed().toSorted((one) => (one.name === END ? 1 : -1)),
      ).replace(lastOutput(), '"output":[]'),
    },
  },
  {
    from: 'mistralai/mistral-vibe#619',
    what: 'JSON where a stream was asked for',
    at: 'openai-chat',
    isStream: true,
    reply: { body: whole('openai-chat') },
  },
  {
    from: 'nyroway/nyro#182',
    what: 'JSON as events where a stream was asked for',
    at: 'gemini',
    clients: ['gemini', 'openai-chat'],
    isStream: true,
    reply: { contentType: SSE, body: jsonOf(ANSWERS.gemini.whole, 2) },
  },
  {
    from: 'decolua/9router#3492',
    what: 'JSON as events with the end of a stream behind it, where a whole answer was asked for',
    at: 'openai-chat',
    clients: ['openai-chat', 'anthropic-messages'],
    isStream: false,
    reply: { contentType: SSE, body: `${whole('openai-chat')}\n\ndata: [DONE]\n\n` },
  },
  {
    from: 'decolua/9router#3492',
    what: 'the same where a stream was asked for',
    at: 'openai-chat',
    isStream: true,
    reply: { contentType: SSE, body: `${whole('openai-chat')}\n\ndata: [DONE]\n\n` },
  },
  {
    from: 'BerriAI/litellm#25766',
    what: 'chunks where a whole answer was asked for',
    at: 'openai-chat',
    isStream: false,
    reply: { contentType: SSE, body: events('openai-chat') },
  },
  {
    from: 'QuantumNous/new-api#5230',
    what: 'chunks without an end, and with usage in each, where a whole answer was asked for',
    at: 'openai-chat',
    isStream: false,
    reply: {
      contentType: SSE,
      body: withoutDone('openai-chat').replaceAll(
        '"choices":[{',
        '"usage":{"prompt_tokens":10,"completion_tokens":1},"choices":[{',
      ),
    },
  },
  {
    from: 'farion1231/cc-switch#2216',
    what: 'events of responses to Claude Code that asked for a whole answer',
    at: 'openai-responses',
    clients: ['anthropic-messages'],
    isStream: false,
    reply: { contentType: SSE, body: events('openai-responses') },
  },
  {
    from: 'BerriAI/litellm#34095',
    what: 'events of responses without names, and a [DONE], where a whole answer was asked for',
    at: 'openai-responses',
    isStream: false,
    reply: { contentType: SSE, body: `${events('openai-responses', { names: 'none' })}data: [DONE]\n\n` },
  },
  {
    from: 'quangdang46/openproxy#306',
    what: 'events of Gemini where a whole answer was asked for',
    at: 'gemini',
    clients: ['gemini', 'anthropic-messages'],
    isStream: false,
    reply: { contentType: SSE, body: events('gemini') },
  },
  {
    from: 'simonw/llm-gemini#97',
    what: 'one event of Gemini with all of it, where a whole answer was asked for',
    at: 'gemini',
    isStream: false,
    reply: { contentType: SSE, body: `data: ${whole('gemini')}\r\n\r\n` },
  },
  {
    from: 'nyo16/nous#26',
    what: 'a list of chunks in place of events',
    at: 'gemini',
    clients: ['gemini', 'openai-responses'],
    isStream: true,
    reply: { body: `[${ANSWERS.gemini.events.map(({ data }) => jsonOf(data, 2)).join('\n,\r\n')}\n]\n` },
  },
  {
    from: 'symfony/ai#1988',
    what: 'a list of chunks that the network cuts anywhere, where a whole answer was asked for',
    at: 'gemini',
    isStream: false,
    reply: { body: `[${ANSWERS.gemini.events.map(({ data }) => jsonOf(data)).join(',\n')}]`, piece: 101 },
  },
  {
    from: 'ollama/ollama#4788',
    what: 'chunks as lines of JSON',
    at: 'openai-chat',
    clients: ['openai-chat', 'gemini'],
    isStream: true,
    reply: {
      contentType: 'application/x-ndjson',
      body: ANSWERS['openai-chat'].events
        .slice(0, -1)
        .map(({ data }) => `${jsonOf(data)}\n`)
        .join(''),
    },
  },
  {
    from: 'spring-projects/spring-ai#6183',
    what: 'one event with the whole answer in it',
    at: 'openai-chat',
    clients: ['openai-chat', 'anthropic-messages'],
    isStream: true,
    reply: { contentType: SSE, body: `data: ${whole('openai-chat')}\n\ndata: [DONE]\n\n` },
  },
  {
    from: 'FMXExpress/PasClaw#65',
    what: 'one event with the whole response in it',
    at: 'openai-responses',
    clients: ['openai-responses', 'anthropic-messages'],
    isStream: true,
    reply: { contentType: SSE, body: `data: ${whole('openai-responses')}\n\n` },
  },
  {
    from: 'abundantbeing/hermes-browser-extension#11',
    what: 'a last chunk that says all of the message again',
    at: 'openai-chat',
    clients: ['openai-chat', 'gemini'],
    isStream: false,
    reply: {
      contentType: SSE,
      body:
        withoutDone('openai-chat') +
        `data: ${whole('openai-chat').replace('.completion', '.completion.chunk')}\n\ndata: [DONE]\n\n`,
    },
  },
]
