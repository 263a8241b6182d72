import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'
import type { RequestHead } from '../protocol.ts'

function read(wire: Wire, body: object | string): RequestHead {
  return protocolOf(wire).readRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

function refused(wire: Wire, body: object | string): { message: string; param: string | undefined } {
  try {
    read(wire, body)
  } catch (fault) {
    if (fault instanceof Fault && fault.code === 'request_invalid') {
      return { message: fault.message, param: fault.details.param }
    }
    throw fault
  }
  throw new Error('the request was read')
}

test('reads of a chat request what the gateway needs', () => {
  const stream_options = { include_usage: true, include_obfuscation: false }
  expect(
    read('openai-chat', { model: 'm', stream: true, n: 3, max_completion_tokens: 5, max_tokens: 9, stream_options }),
  ).toMatchObject({ model: 'm', stream: true, choices: 3, outputTokensLimit: 9, includeUsage: true })
})

test('reads what is absent or null as not set', () => {
  const unset = { stream: false, choices: 1, outputTokensLimit: null, includeUsage: false }
  expect(read('openai-chat', { model: 'm' })).toMatchObject(unset)
  const nulls = {
    model: 'm',
    stream: null,
    n: null,
    max_tokens: null,
    max_completion_tokens: null,
    stream_options: null,
  }
  expect(read('openai-chat', nulls)).toMatchObject(unset)
})

test.for([
  ['openai-chat', { max_completion_tokens: 1, max_tokens: 60_000 }, 60_000],
  ['openai-chat', { max_completion_tokens: 60_000, max_tokens: 1 }, 60_000],
  ['openai-chat', { max_completion_tokens: 7, max_tokens: null }, 7],
  ['openai-responses', { max_output_tokens: 70, max_tokens: 9 }, 70],
  ['anthropic-messages', { max_tokens: 64_000, max_output_tokens: 1 }, 64_000],
  ['anthropic-messages', { max_tokens: 0 }, 0],
  ['openai-completions', { max_tokens: 0 }, 0],
  ['openai-embeddings', { max_tokens: 7 }, 0],
] as const)('%s: the limit of the output in %j is %s', ([wire, fields, limit]) => {
  expect(read(wire, { model: 'm', ...fields }).outputTokensLimit).toBe(limit)
})

test('fields of other wires are left to the upstream', () => {
  expect(read('anthropic-messages', { model: 'm', n: 'x', stream_options: 1 }).choices).toBe(1)
  expect(read('openai-embeddings', { model: 'm', stream: true }).stream).toBe(false)
})

test.for([
  ['{"stream":true}', 'model', 'The field `model` is missing. Name the model to call; GET /v1/models lists yours.'],
  ['{"model":""}', 'model', 'The field `model` must be a string of 1 to 256 characters.'],
  ['{"model":7}', 'model', 'The field `model` must be a string of 1 to 256 characters.'],
  ['{"model":"\\x"}', 'model', 'The field `model` must be a string of 1 to 256 characters.'],
  [`{"model":"${'m'.repeat(257)}"}`, 'model', 'The field `model` must be a string of 1 to 256 characters.'],
  [`{"model":"${'m'.repeat(9_999)}"}`, 'model', 'The field `model` must be a string of 1 to 256 characters.'],
  ['{"model":"m","stream":"true"}', 'stream', 'The field `stream` must be true or false.'],
  ['{"model":"m","stream":1}', 'stream', 'The field `stream` must be true or false.'],
  ['{"model":"m","max_tokens":0}', 'max_tokens', 'The field `max_tokens` must be a whole number, 1 or more, or null.'],
  ['{"model":"m","max_tokens":-1}', 'max_tokens', 'The field `max_tokens` must be a whole number, 1 or more, or null.'],
  [
    '{"model":"m","max_tokens":1.5}',
    'max_tokens',
    'The field `max_tokens` must be a whole number, 1 or more, or null.',
  ],
  [
    '{"model":"m","max_tokens":1e99}',
    'max_tokens',
    'The field `max_tokens` must be a whole number, 1 or more, or null.',
  ],
  [
    '{"model":"m","max_completion_tokens":1,"max_tokens":"9"}',
    'max_tokens',
    'The field `max_tokens` must be a whole number, 1 or more, or null.',
  ],
  ['{"model":"m","n":0}', 'n', 'The field `n` must be a whole number, 1 to 128, or null.'],
  ['{"model":"m","n":01}', 'n', 'The field `n` must be a whole number, 1 to 128, or null.'],
  ['{"model":"m","n":129}', 'n', 'The field `n` must be a whole number, 1 to 128, or null.'],
  ['{"model":"m","n":9007199254740991}', 'n', 'The field `n` must be a whole number, 1 to 128, or null.'],
  ['{"model":"m","MODEL":"dear"}', 'MODEL', 'The field `MODEL` is `model` but for its case. Send that one, once.'],
  [
    '{"max_\\u0054okens":9,"model":"m","max_tokens":1}',
    'max_Tokens',
    'The field `max_Tokens` is `max_tokens` but for its case. Send that one, once.',
  ],
  [
    '{"model":"m","stream_options":{"Include_Usage":false}}',
    'stream_options.Include_Usage',
    'The field `stream_options.Include_Usage` is `stream_options.include_usage` but for its case. Send that one, once.',
  ],
  ['{"model":"m","stream_options":true}', 'stream_options', 'The field `stream_options` must be an object or null.'],
  [
    '{"model":"m","stream_options":{"include_usage":1}}',
    'stream_options.include_usage',
    'The field `stream_options.include_usage` must be true or false.',
  ],
  [
    '{"model":"m","stream_options":{"include_usage":true,"include_usage":false}}',
    'stream_options.include_usage',
    'The field `stream_options.include_usage` appears more than once. Send it once.',
  ],
  [
    '{"model":"cheap","mod\\u0065l":"dear"}',
    'model',
    'The field `model` appears more than once in the request body. Send it once.',
  ],
  ['', undefined, 'The request body is empty. Send one JSON object.'],
  [
    '{"model":"m"',
    undefined,
    'The request body is not valid JSON: expected a , or a } behind the value at byte 12, but the body ends there. Send one JSON object.',
  ],
] as const)('refuses %s', ([body, param, message]) => {
  expect(refused('openai-chat', body)).toEqual({ message, param })
})

test.for([
  ['{"model":"a","messages":[]}', '{"model":"b","stream_options":{"include_usage":true},"messages":[]}'],
  ['{ "stream_options": null , "model": "a" }', '{ "stream_options": {"include_usage":true} , "model": "b" }'],
  ['{"stream_options":{ },"model":"a"}', '{"stream_options":{"include_usage":true },"model":"b"}'],
  ['{"model":"a","stream_options":{"x":[1]}}', '{"model":"b","stream_options":{"include_usage":true,"x":[1]}}'],
  [
    '{"model":"a","stream_options":{"include_usage" : false}}',
    '{"model":"b","stream_options":{"include_usage" : true}}',
  ],
  ['{"model":"a","stream_options":{"include_usage":true}}', '{"model":"b","stream_options":{"include_usage":true}}'],
] as const)('asks for usage in %s', ([before, after]) => {
  const chat = protocolOf('openai-chat')
  const body = Buffer.from(before)
  const pieces = chat.rewriteRequest(body, chat.readRequest(body), { model: 'b', askForUsage: true })
  expect(Buffer.concat(pieces).toString()).toBe(after)
})

test.for(['max_to\u212aens', 'max_token\u017f', 'max_to\\u212aens'])(
  'letters that Go takes for ASCII ones are seen in %s',
  (key) => {
    expect(refused('openai-chat', `{"model":"m","${key}":100000}`).message).toContain('`max_tokens` but for its case')
  },
)

test('only the fields that are read have variants, and 128 answers at once are allowed', () => {
  const body = { model: 'm', Messages: [], 'MODEL ': 1, Modell: 1, 模型: 1, n: 128, Max_Output_Tokens: 1 }
  expect(read('openai-chat', body).choices).toBe(128)
  expect(refused('openai-responses', body).param).toBe('Max_Output_Tokens')
  expect(read('anthropic-messages', { model: 'm', N: 1, Background: true }).model).toBe('m')
})

test('background answers are refused by name, and only there where they exist', () => {
  const message =
    'The field `background` must be false: background answers are not supported. Ask for a stream instead.'
  expect(refused('openai-responses', { model: 'm', background: true })).toEqual({ message, param: 'background' })
  expect(refused('openai-responses', { model: 'm', background: 1 }).param).toBe('background')
  expect(refused('openai-responses', { model: 'm', Background: true }).param).toBe('Background')
  for (const background of [false, null]) expect(read('openai-responses', { model: 'm', background }).model).toBe('m')
  expect(read('openai-chat', { model: 'm', background: true }).model).toBe('m')
})
