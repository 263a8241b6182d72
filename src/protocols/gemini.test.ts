import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '../core/faults.ts'
import { gemini } from './gemini.ts'
import type { RequestHead } from './protocol.ts'
import { writeSignature } from './spokes/gemini/signatures.ts'

function headOf(body: unknown, model = 'm'): RequestHead {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return gemini.readRequest(bytes, { fromPath: { model, isStream: true } })
}

test.for<[unknown, number | null, number]>([
  [{ contents: [] }, null, 1],
  [{ generationConfig: { maxOutputTokens: 100, candidateCount: 3 } }, 100, 3],
  [{ generation_config: { max_output_tokens: 100, candidate_count: 2 } }, 100, 2],
  [{ generationConfig: { maxOutputTokens: 100 }, generation_config: { max_output_tokens: 700 } }, 700, 1],
  [{ generationConfig: { maxOutputTokens: 5, max_output_tokens: '60' } }, 60, 1],
  [{ generationConfig: { maxOutputTokens: null } }, null, 1],
  [{ generationConfig: null }, null, 1],
])('%j limits the output to %s, and asks for %i answers', ([body, outputTokensLimit, choices]) => {
  expect(headOf(body)).toMatchObject({ model: 'm', stream: true, outputTokensLimit, choices })
})

test.for([
  ['{"generationConfig":{"maxOutputTokens":0}}', 'generationConfig.maxOutputTokens'],
  ['{"generationConfig":{"maxOutputTokens":-1}}', 'generationConfig.maxOutputTokens'],
  ['{"generationConfig":{"maxOutputTokens":1.5}}', 'generationConfig.maxOutputTokens'],
  ['{"generationConfig":{"candidateCount":0}}', 'generationConfig.candidateCount'],
  ['{"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":2}}', 'generationConfig.maxOutputTokens'],
  ['{"generationConfig":{"maxoutputtokens":1}}', 'generationConfig.maxoutputtokens'],
  ['{"generationConfig":{},"generationConfig":{}}', 'generationConfig'],
  ['{"GenerationConfig":{}}', 'GenerationConfig'],
  ['{"generationConfig":[]}', 'generationConfig'],
  ['{"model":"another"}', 'model'],
] as const)('%s is refused at %s', ([body, param]) => {
  expect(() => headOf(body)).toThrow(expect.objectContaining({ code: 'request_invalid', details: { param } }))
})

test('a path without a model is refused, and so is one that is too long', () => {
  expect(() => gemini.readRequest(Buffer.from('{}'))).toThrow(Fault)
  expect(() => headOf({}, '')).toThrow(Fault)
  expect(() => headOf({}, 'x'.repeat(257))).toThrow(Fault)
  expect(() => headOf('')).toThrow('empty')
})

test('the body goes on as it is; a model in it becomes the upstream’s, as a resource where it was one', () => {
  const change = { model: 'up/stream', askForUsage: false }
  for (const [body, expected] of [
    ['{"contents":[] }', '{"contents":[] }'],
    ['{"model":"m","contents":[]}', '{"model":"up/stream","contents":[]}'],
    ['{"model":"models/m","contents":[]}', '{"model":"models/up/stream","contents":[]}'],
  ] as const) {
    const bytes = Buffer.from(body)
    expect(Buffer.concat(gemini.rewriteRequest(bytes, headOf(body), change)).toString()).toBe(expected)
  }
})

test('signatures of other makers do not reach Google; its own do, byte for byte', () => {
  const foreign = writeSignature({ vendor: 'anthropic', data: 'Sig' }, 'Hm.')
  const call = { functionCall: { name: 'f', args: { n: 1 } } }
  const bodyWith = (signature: string): Buffer =>
    Buffer.from(
      JSON.stringify({
        contents: [
          {
            role: 'model',
            parts: [
              { text: 'x', thoughtSignature: signature },
              { ...call, thought_signature: signature },
            ],
          },
        ],
        made_up: 1,
      }),
    )
  const sent = (body: Buffer, model: string, like: { takesLike?: { name: string } } = {}): Buffer =>
    Buffer.concat(gemini.rewriteRequest(body, headOf(body.toString()), { model, ...like, askForUsage: false }))
  const without = (parts: object[]): object => ({ contents: [{ role: 'model', parts }], made_up: 1 })
  expect(JSON.parse(sent(bodyWith(foreign), 'gemini-2.5-pro').toString())).toEqual(without([{ text: 'x' }, call]))
  expect(JSON.parse(sent(bodyWith(foreign), 'gemini-3-pro').toString())).toEqual(
    without([{ text: 'x' }, { ...call, thoughtSignature: 'skip_thought_signature_validator' }]),
  )
  // The name of a deployment says nothing of the model behind it.
  const [third, second] = [{ takesLike: { name: 'gemini-3-pro' } }, { takesLike: { name: 'gemini-2.5-pro' } }]
  expect(sent(bodyWith(foreign), 'my-deployment', third)).toEqual(sent(bodyWith(foreign), 'gemini-3-pro'))
  expect(sent(bodyWith(foreign), 'gemini-3-mine', second)).toEqual(sent(bodyWith(foreign), 'gemini-2.5-pro'))
  expect(sent(bodyWith('CpMBAdHt/+=='), 'gemini-3-pro')).toEqual(bodyWith('CpMBAdHt/+=='))
})

test('a model’s path is encoded but for its slashes, so that no name leads elsewhere', () => {
  expect(gemini.pathOf?.('gemini-x', 'whole')).toBe('/models/gemini-x:generateContent')
  expect(gemini.pathOf?.('models/gemini-x', 'stream')).toBe('/models/gemini-x:streamGenerateContent?alt=sse')
  expect(gemini.pathOf?.('demo/a b?c#:d', 'count_tokens')).toBe('/models/demo/a%20b%3Fc%23%3Ad:countTokens')
})

test('a picture is held for as a picture, and text that only looks like one as text', () => {
  const data = 'A'.repeat(60_000)
  const part = (fields: object): number => headOf({ contents: [{ parts: [fields] }] }).estimatedInputTokens
  expect(part({ inlineData: { mimeType: 'image/png', data } })).toBeLessThan(2_000)
  expect(part({ inline_data: { mime_type: 'image/png', data } })).toBeLessThan(2_000)
  expect(part({ inlineData: { mimeType: 'text/plain', data } })).toBeGreaterThan(14_000)
  expect(part({ text: data })).toBeGreaterThan(19_000)
  expect(
    part({ functionResponse: { name: 'f', response: { inlineData: { mimeType: 'image/png', data } } } }),
  ).toBeGreaterThan(19_000)
})

test('an answer tells its usage and its text, and not what a search found', () => {
  const text = { text: 'Hello', thoughtSignature: 'S' }
  const call = { functionCall: { name: 'f', args: { a: [1, { text: 'x' }] } } }
  const grounding = { groundingMetadata: { groundingSupports: [{ segment: { text: 'Hello' } }] } }
  const answer = gemini.readAnswer(
    Buffer.from(
      JSON.stringify({
        candidates: [{ content: { parts: [{ text: 'Hm', thought: true }, text, call] }, ...grounding }],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 1, totalTokenCount: 8 },
      }),
    ),
  )
  expect(answer).toMatchObject({ kind: 'answer', usage: { input: 5, output: 3, reasoning: 1 } })
  expect(answer.kind === 'answer' && answer.producedText()).toBe('HmHellof{"a":[1,{"text":"x"}]}')
})

test.for<[string, string, string]>([
  ['{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}', 'INVALID_ARGUMENT', '400'],
  ['[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]', 'RESOURCE_EXHAUSTED', '429'],
  [
    '{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT","details":[{"@type":"x"},{"reason":"API_KEY_INVALID"}]}}',
    'INVALID_ARGUMENT',
    'API_KEY_INVALID',
  ],
])('%s is read with its status and its reason', ([body, type, code]) => {
  expect(gemini.readError(Buffer.from(body))).toEqual({ message: 'm', type, code, param: null })
})

test('an error that ends a stream without a blank line reaches the client with one', () => {
  const reader = gemini.openStream({ dropUsageChunk: false })
  reader.push(Buffer.from('data: {"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}\r\n\r\n'))
  reader.push(
    Buffer.from(
      '{\n  "error": {\n    "code": 503,\n    "message": "overloaded",\n    "status": "UNAVAILABLE"\n  }\n}\n',
    ),
  )
  const end = reader.finish()
  expect(end).toMatchObject({ kind: 'failed', error: { message: 'overloaded', type: 'UNAVAILABLE' } })
  expect(end.held.toString()).toMatch(/\}\n\n\n$/)
})

test('the estimate of a stream without usage is near its text, arguments included', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      const reader = gemini.openStream({ dropUsageChunk: false })
      const call = { functionCall: { name: 'f', args } }
      const content = { parts: [call, call, { text: 'é"\\' }] }
      const chunk = { candidates: [{ content, citationMetadata: { text: 'not the model’s' } }] }
      reader.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))
      expect(reader.producedText()).toBe(`f${JSON.stringify(args)}f${JSON.stringify(args)}é"\\`)
    }),
    { numRuns: 300 },
  )
})
