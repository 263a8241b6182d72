import { countTokens } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import type { Wire } from '../../core/wire.ts'
import { protocolOf } from '../protocol-of.ts'

function estimate(wire: Wire, body: object | string): number {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return protocolOf(wire).readRequest(Buffer.from(text)).estimatedInputTokens
}

function user(content: unknown): object {
  return { model: 'm', messages: [{ role: 'user', content }] }
}

const PICTURE = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 3)).toString('base64')

const TEXTS = {
  English: 'The quick brown fox jumps over the lazy dog while the rain keeps falling on the quiet town. ',
  code: 'export function parse(text: string): Token[] {\n  const tokens = []\n  for (const c of text) tokens.push(read(c))\n}\n',
  Chinese: '今天天气很好，我们去公园散步吧。请帮我写一段代码，并解释它的作用。',
  Japanese: '今日は天気がいいので、公園を散歩しましょう。コードを書いてください。',
  Russian: 'Быстрая коричневая лиса перепрыгивает через ленивую собаку, пока идёт дождь. ',
  JSON: '{"id": 17, "name": "Ada", "tags": ["a", "b"], "active": true, "score": 0.75}\n',
}

test.for(Object.entries(TEXTS))(
  '%s is held at hardly less than a tokenizer counts, and at not much more than double',
  ([, text]) => {
    const content = text.repeat(60)
    const counted = countTokens(content)
    expect(estimate('openai-chat', user(content))).toBeGreaterThan(counted * 0.9)
    expect(estimate('openai-chat', user(content))).toBeLessThan(counted * 2.2)
  },
)

const HIEROGLYPHS = String.fromCodePoint(0x13000, 0x13001, 0x13002).repeat(400)

test.for([
  ['characters that no tokenizer knows', JSON.stringify(HIEROGLYPHS)],
  ['the same in escapes', JSON.stringify(HIEROGLYPHS).replaceAll(/[^ -~]/g, escapedUnit)],
  ['letters in no order', JSON.stringify('xqzjvkwyxbqjzkvw'.repeat(100))],
  ['escapes among signs', `"${'!'.repeat(2_000)}${String.raw`\u0021`.repeat(300)}"`],
] as const)('no text is more tokens than it may be at most: %s', ([, literal]) => {
  const text = JSON.stringify(user('TEXT')).replace('"TEXT"', literal)
  const { mostInputTokens, estimatedInputTokens } = protocolOf('openai-chat').readRequest(Buffer.from(text))
  const decoded = JSON.parse(literal) as string
  expect(mostInputTokens).toBeGreaterThanOrEqual(Buffer.byteLength(decoded))
  expect(mostInputTokens).toBeGreaterThanOrEqual(countTokens(decoded))
  expect(mostInputTokens).toBeLessThanOrEqual(estimatedInputTokens * 3)
})

test('token ids and pictures are no more than the estimate at most, but for the text around them', () => {
  const ids = JSON.stringify({ model: 'm', input: Array.from({ length: 2_000 }, (_, id) => id * 37) })
  const parts = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } }]
  for (const [wire, text] of [
    ['openai-embeddings', ids],
    ['openai-chat', JSON.stringify(user(parts))],
  ] as const) {
    const { mostInputTokens = 0, estimatedInputTokens } = protocolOf(wire).readRequest(Buffer.from(text))
    expect(mostInputTokens - estimatedInputTokens).toBeGreaterThan(0)
    expect(mostInputTokens - estimatedInputTokens).toBeLessThan(150)
  }
})

function escapedUnit(unit: string): string {
  return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')
}

test('text that is written in escapes costs about the same as text that is not', () => {
  const content = TEXTS.Chinese.repeat(60)
  const plain = JSON.stringify(user(content))
  const escaped = plain.replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const plainTokens = estimate('openai-chat', plain)
  expect(estimate('openai-chat', escaped)).toBeGreaterThan(plainTokens * 0.9)
  expect(estimate('openai-chat', escaped)).toBeLessThan(plainTokens * 1.2)
})

const url = `data:image/png;base64,${PICTURE}`
const source = { type: 'base64', media_type: 'image/jpeg', data: PICTURE }
const images: readonly (readonly [Wire, object])[] = [
  ['openai-chat', user([{ type: 'image_url', image_url: { url } }])],
  ['openai-responses', { model: 'm', input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] }],
  [
    'openai-responses',
    { model: 'm', input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: url }] }] },
  ],
  [
    'anthropic-messages',
    user([
      { type: 'image', source },
      { type: 'text', text: 'what is it?' },
    ]),
  ],
  [
    'anthropic-messages',
    user([
      {
        type: 'tool_result',
        content: [{ type: 'image', source: { data: PICTURE, media_type: 'image/png', type: 'base64' } }],
      },
    ]),
  ],
]

test.for(images)('%s: an image costs the same whatever its size', ([wire, body]) => {
  expect(estimate(wire, body)).toBeGreaterThanOrEqual(1_600)
  expect(estimate(wire, body)).toBeLessThan(1_800)
  expect(estimate(wire, JSON.stringify(body).replaceAll('/', '\\/'))).toBeLessThan(1_800)
})

test('a document costs by its size, sound less, text in base64 as text, and none more than a context', () => {
  const pdf = estimate(
    'openai-chat',
    user([{ type: 'file', file: { file_data: `data:application/pdf;base64,${PICTURE}` } }]),
  )
  expect(pdf).toBeGreaterThan(PICTURE.length / 21)
  expect(pdf).toBeLessThan(PICTURE.length / 19)
  const anthropicPdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PICTURE } }
  expect(estimate('anthropic-messages', user([anthropicPdf]))).toBeCloseTo(pdf, -3)
  const sound = user([{ type: 'input_audio', input_audio: { data: PICTURE, format: 'wav' } }])
  expect(estimate('openai-chat', sound)).toBeLessThan(2_200)
  const text = user([{ type: 'file', file: { file_data: `data:text/plain;base64,${PICTURE}` } }])
  expect(estimate('openai-chat', text)).toBeGreaterThan(PICTURE.length / 4.1)
  const huge = `data:application/pdf;base64,${PICTURE.repeat(20)}`
  expect(estimate('openai-chat', user([{ type: 'file', file: { file_data: huge } }]))).toBeLessThan(201_000)
})

const asText = PICTURE.length / 3
const pretended: readonly (readonly [string, object])[] = [
  ['in a text', user(url)],
  ['in the input of a tool call', user([{ type: 'tool_use', input: { content: [{ source }] } }])],
  ['in a tool’s schema', { model: 'm', tools: [{ parameters: { default: { url } } }] }],
  [
    'in a plain text source',
    user([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: PICTURE } }]),
  ],
  ['and says that it is text', user([{ type: 'document', source: { ...source, media_type: 'text/plain' } }])],
  ['under an unknown field', { model: 'm', notes: { url } }],
]

test.for(pretended)('what looks like an image %s is held as the text that it is', ([, body]) => {
  expect(estimate('anthropic-messages', body)).toBeGreaterThan(asText * 0.7)
})

test('token ids count one each', () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => 100_000 + i)
  expect(estimate('openai-embeddings', { model: 'm', input: ids })).toBeLessThan(1_020)
  expect(estimate('openai-embeddings', { model: 'm', input: [ids, ids] })).toBeGreaterThanOrEqual(2_000)
  expect(estimate('openai-embeddings', { model: 'm', input: [ids, ids] })).toBeLessThan(2_020)
  expect(estimate('openai-embeddings', { model: 'm', input: ['12 34', 'a'] })).toBeLessThan(20)
})

test('escapes are counted where they are, and what only looks like one is text', () => {
  const sampled = `${'!'.repeat(4_480)}${String.raw`\u0021`.repeat(20)}${'!'.repeat(2_200)}${String.raw`\u0021`.repeat(20)}${'!'.repeat(2_200)}`
  const body = (text: string) => `{"model":"m","messages":[{"role":"user","content":"${text}"}]}`
  expect(estimate('openai-chat', body(sampled))).toBeGreaterThan(8_880 / 3)
  expect(estimate('openai-chat', body(String.raw`\\u0021`.repeat(1_000)))).toBeGreaterThan(7_000 / 3)
})

test.for([
  ['openai-embeddings', 'input'],
  ['openai-completions', 'prompt'],
] as const)('%s: text behind a number is held as text', ([wire, field]) => {
  expect(estimate(wire, { model: 'm', [field]: [1, 'word '.repeat(2_000)] })).toBeGreaterThan(10_000 / 3)
})

test('a text that is passed for a document is held as text', () => {
  const disguised = { type: 'KIND', media_type: 'KIND/plain', x: 'base64', data: 'A'.repeat(60_000) }
  const body = JSON.stringify(user([{ type: 'document', source: disguised }])).replaceAll('KIND', String.raw`t\u0065xt`)
  expect(estimate('anthropic-messages', body)).toBeGreaterThan(60_000 / 3)
})
