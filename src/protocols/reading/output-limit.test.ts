import { expect, test } from 'vitest'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'

function limited(wire: Wire, body: string, limit: { tokens?: number; model?: string } = {}): string | undefined {
  return protocolOf(wire)
    .limitOutput?.(Buffer.from(body), { model: { name: limit.model ?? 'm' }, tokens: limit.tokens ?? 100 })
    ?.toString()
}

test('a limit that is there is lowered where it stands, and no other byte changes', () => {
  const rest = String.raw`"messages":[{"content":"\"max_tokens\":7, é"}],"model":"m"`
  expect(limited('openai-chat', ` { "max_tokens" : 64000 ,${rest}}\n`)).toBe(` { "max_tokens" : 100 ,${rest}}\n`)
  expect(limited('openai-chat', `{${rest},"max_completion_tokens":64000}`)).toBe(
    `{${rest},"max_completion_tokens":100}`,
  )
  expect(limited('openai-responses', `{${rest},"max_output_tokens":null}`)).toBe(`{${rest},"max_output_tokens":100}`)
  expect(limited('anthropic-messages', `{"max_tokens":3e4,${rest}}`)).toBe(`{"max_tokens":100,${rest}}`)
  expect(limited('openai-completions', `{"max_tokens":300,${rest}}`)).toBe(`{"max_tokens":100,${rest}}`)
})

test('of two limits each is lowered by itself, and one that is lower already stays', () => {
  const body = '{"max_tokens":16,"model":"m","max_completion_tokens":20000}'
  expect(limited('openai-chat', body)).toBe('{"max_tokens":16,"model":"m","max_completion_tokens":100}')
  const gemini = '{"generationConfig":{"maxOutputTokens":16,"max_output_tokens":"20000"},"contents":[]}'
  expect(limited('gemini', gemini)).toBe(
    '{"generationConfig":{"maxOutputTokens":16,"max_output_tokens":100},"contents":[]}',
  )
})

test('a limit whose name is written with escapes is found', () => {
  const body = String.raw`{"model":"m","max\u005ftokens":20000}`
  expect(limited('openai-chat', body)).toBe(String.raw`{"model":"m","max\u005ftokens":100}`)
})

test('a limit that is missing is put in front, under the name that the model takes', () => {
  expect(limited('openai-chat', '{"model":"m"}')).toBe('{"max_tokens":100,"model":"m"}')
  expect(limited('openai-chat', '{"model":"o3"}', { model: 'o3' })).toBe('{"max_completion_tokens":100,"model":"o3"}')
  expect(limited('openai-responses', ' { "model":"m"}')).toBe(' {"max_output_tokens":100, "model":"m"}')
  expect(limited('openai-chat', '\u{FEFF}{"model":"m"}')).toBe('\u{FEFF}{"max_tokens":100,"model":"m"}')
})

test('on Gemini it goes into the generation config, which is made where there is none', () => {
  expect(limited('gemini', '{"contents":[]}')).toBe('{"generationConfig":{"maxOutputTokens":100},"contents":[]}')
  expect(limited('gemini', '{}')).toBe('{"generationConfig":{"maxOutputTokens":100}}')
  expect(limited('gemini', '{"contents":[],"generation_config":{ }}')).toBe(
    '{"contents":[],"generation_config":{"maxOutputTokens":100 }}',
  )
  expect(limited('gemini', '{"generationConfig":{"topP":1},"contents":[]}')).toBe(
    '{"generationConfig":{"maxOutputTokens":100,"topP":1},"contents":[]}',
  )
  expect(limited('gemini', '{"generationConfig":null,"contents":[]}')).toBe(
    '{"generationConfig":{"maxOutputTokens":100},"contents":[]}',
  )
})

test('messages whose thinking alone may take more are not sent with a limit that Anthropic would refuse', () => {
  const body = '{"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":10000},"model":"m"}'
  expect(
    protocolOf('anthropic-messages').limitOutput?.(Buffer.from(body), { model: { name: 'm' }, tokens: 10_000 }),
  ).toBeNull()
  expect(limited('anthropic-messages', body, { tokens: 10_001 })).toContain('"max_tokens":10001')
})

test('wires whose output is not counted in tokens of a limit have none to lower', () => {
  for (const wire of ['openai-embeddings', 'openai-images', 'openai-speech', 'rerank'] as const) {
    expect(protocolOf(wire).limitOutput).toBeUndefined()
  }
})
