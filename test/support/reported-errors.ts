/** Errors that come in another form than was asked for, as public reports have them. */
import type { ChatWire } from '../../src/core/wire.ts'
import type { AnswerBytes } from './reported-forms.ts'

export interface ReportedError {
  readonly from: string
  readonly what: string
  readonly at: ChatWire
  readonly clients: readonly ChatWire[]
  readonly isStream: boolean
  readonly reply: AnswerBytes
  /** What the client's SDK throws. */
  readonly status: number
  readonly says: string
}

const SSE = 'text/event-stream'
const ANTHROPIC_REFUSAL =
  '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens is too large"}}'

export const ERRORS: readonly ReportedError[] = [
  {
    from: 'BerriAI/litellm#41826',
    what: '400 with an error event',
    at: 'anthropic-messages',
    clients: ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'],
    isStream: true,
    reply: { status: 400, contentType: SSE, body: `event: error\ndata: ${ANTHROPIC_REFUSAL}\n\n` },
    status: 400,
    says: 'max_tokens is too large',
  },
  {
    from: 'BerriAI/litellm#18757',
    what: '400 with an error as data, to a client that asked for a whole answer',
    at: 'openai-chat',
    clients: ['openai-chat', 'anthropic-messages'],
    isStream: false,
    reply: {
      status: 400,
      contentType: SSE,
      body: 'data: {"error":{"message":"Unknown model option","type":"invalid_request_error","param":"x","code":null}}\r\n\r\ndata: [DONE]\r\n\r\n',
    },
    status: 400,
    says: 'Unknown model option',
  },
  {
    from: 'mpetazzoni/sse.js#76',
    what: '429 with JSON where a stream was asked for',
    at: 'openai-chat',
    clients: ['openai-chat', 'gemini'],
    isStream: true,
    reply: { status: 429, body: '{"message":"Usage rate limit exceeded"}' },
    status: 429,
    says: 'too many requests',
  },
  {
    from: 'apache/rocketmq-dashboard#2178',
    what: '200 with an error as data, to a client that asked for a whole answer',
    at: 'openai-chat',
    clients: ['openai-chat', 'anthropic-messages'],
    isStream: false,
    reply: { contentType: SSE, body: 'data: {"error":{"message":"quota exceeded"}}\n\ndata: [DONE]\n\n' },
    status: 502,
    says: 'quota exceeded',
  },
  {
    from: 'caidaoli/ccLoad#69',
    what: '200 with an error event that has no name, behind pings',
    at: 'anthropic-messages',
    clients: ['anthropic-messages', 'openai-chat'],
    isStream: false,
    reply: {
      contentType: SSE,
      body: 'data: {"type":"ping"}\n\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"Concurrency limit exceeded"}}\n\n',
    },
    status: 429,
    says: 'Concurrency limit exceeded',
  },
  {
    from: 'snailyp/gemini-balance#347',
    what: '200 with an error as JSON under text/event-stream',
    at: 'gemini',
    clients: ['gemini', 'openai-chat'],
    isStream: true,
    reply: {
      contentType: SSE,
      body: '{\n  "error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}\n}',
    },
    status: 503,
    says: 'overloaded',
  },
  {
    from: 'symfony/ai#1988',
    what: '200 with an error in a list',
    at: 'gemini',
    clients: ['gemini', 'anthropic-messages'],
    isStream: true,
    reply: {
      body: '[{"error": {"code": 400, "message": "API key not valid for this.", "status": "INVALID_ARGUMENT"}}]',
    },
    status: 400,
    says: 'not valid for this',
  },
  {
    from: 'FMXExpress/PasClaw#62',
    what: '200 with a failed response as JSON',
    at: 'openai-responses',
    clients: ['openai-responses', 'anthropic-messages'],
    isStream: true,
    reply: {
      body: '{"id":"resp_1","object":"response","status":"failed","error":{"code":"server_error","message":"It broke."},"output":[]}',
    },
    status: 502,
    says: 'It broke.',
  },
  {
    from: 'andresgd2003-art/bano#18',
    what: '200 with an error as JSON where a stream was asked for',
    at: 'openai-responses',
    clients: ['openai-responses'],
    isStream: true,
    reply: { body: '{"error":{"message":"No such tool","type":"invalid_request_error","code":"invalid_prompt"}}' },
    status: 400,
    says: 'No such tool',
  },
]
