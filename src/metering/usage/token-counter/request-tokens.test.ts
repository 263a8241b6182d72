import fc from 'fast-check'
import { decode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { runsInSuite } from '../../../../test/support/run/suite.ts'
import { requestTokens } from './request-tokens.ts'
import { TextTokens } from './text-tokens.ts'

const PROSE =
  'The quick brown fox jumps over the lazy dog, while the rain keeps falling on the quiet town and its people read the news. '.repeat(
    10,
  )
const WORDS = PROSE.trim().split(' ')
const BASE64 = Buffer.from(Uint8Array.from({ length: 1_500 }, (_, i) => (i * 7919) >> 3)).toString('base64')

function tokensOf(body: object | string): number {
  return requestTokens(typeof body === 'string' ? body : JSON.stringify(body), new TextTokens())
}

const proseTokens = new TextTokens().of(PROSE)

/** A request of each wire around more fields. */
const WIRES: Readonly<Record<string, (more: object) => object>> = {
  chat: (more) => ({ model: 'm', messages: [{ role: 'user', content: 'Hi.' }], ...more }),
  responses: (more) => ({ model: 'm', input: 'Hi.', ...more }),
  messages: (more) => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }], ...more }),
  gemini: (more) => ({ contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }], ...more }),
  completions: (more) => ({ model: 'm', prompt: 'Hi.', ...more }),
  embeddings: (more) => ({ model: 'm', input: ['Hi.'], ...more }),
  rerank: (more) => ({ model: 'm', query: 'Hi.', ...more }),
  images: (more) => ({ model: 'm', prompt: 'Hi.', ...more }),
}

const ROOTS =
  'messages system tools input instructions prompt contents systemInstruction text response_format functions function_call ' +
  'prediction documents chat_template_kwargs guided_json guided_grammar suffix metadata stop user model_kwargs extra_body ' +
  'web_search_options query image images mask inputs generationConfig thinking reasoning output_config tool_choice notes'

/** Ways from the top of a body to a text. */
const PATHS: readonly (readonly string[])[] = [
  ...ROOTS.split(' ').map((root) => [root]),
  ['messages', '0', 'content'],
  ['messages', '0', 'content', '0', 'text'],
  ['messages', '0', 'content', '0', 'image_url', 'url'],
  ['messages', '0', 'content', '0', 'image_url'],
  ['messages', '0', 'content', '0', 'input_audio', 'data'],
  ['messages', '0', 'content', '0', 'file', 'file_data'],
  ['messages', '0', 'content', '0', 'source', 'data'],
  ['messages', '0', 'content', '0', 'source', 'url'],
  ['messages', '0', 'content', '0', 'signature'],
  ['messages', '0', 'tool_calls', '0', 'function', 'arguments'],
  ['messages', '0', 'content', '0', 'input', 'image_url', 'url'],
  ['input', '0', 'encrypted_content'],
  ['input', '0', 'result'],
  ['input', '0', 'b64_json'],
  ['input', '0', 'image'],
  ['contents', '0', 'parts', '0', 'inlineData', 'data'],
  ['contents', '0', 'parts', '0', 'inline_data', 'data'],
  ['contents', '0', 'parts', '0', 'functionResponse', 'response', 'data'],
  ['tools', '0', 'function', 'parameters', 'properties', 'x', 'description'],
  ['tools', '0', 'function', 'parameters', 'properties', 'x', 'enum'],
  ['response_format', 'json_schema', 'schema', 'title'],
  ['generationConfig', 'responseSchema', 'description'],
  ['metadata', 'user_id'],
  ['client_metadata', 'turn'],
]

function at(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value) as object
}

/** What the prose stands behind. */
const BEGINNINGS = [
  '',
  'data:',
  'data:image/png;base64,',
  'data:text/plain,',
  'data:audio/wav;base64,AAAA',
  BASE64,
  'https://example.com/',
  '\ufeff',
  '\u200b\u200d\u2060',
  '\u0000',
  '"\\n"',
  '<|endoftext|>',
  '\ud800',
]

/** Shapes of the same words. Of names, a number stands before each, as an object has each of them once. */
const SHAPES: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => text,
  name: (text) => ({ [text]: 1 }),
  'list of words': (text) => text.split(' '),
  'lists of lists': (text) => text.split(' ').map((word) => [[word]]),
  'names of one object': (text) => Object.fromEntries(text.split(' ').map((word, index) => [`${index}${word}`, null])),
  'names in one another': (text) => text.split(' ').reduceRight<unknown>((inner, word) => ({ [`${word} `]: inner }), 1),
  '50 deep': (text) =>
    Array.from({ length: 50 }).reduce<unknown>((inner, _, i) => (i % 2 ? [inner] : { k: inner }), text),
  '400 deep': (text) => Array.from({ length: 400 }).reduce<unknown>((inner) => [inner], text),
}

const ESCAPES: Readonly<Record<string, (json: string) => string>> = {
  none: (json) => json,
  'every letter of prose': (json) => json.replaceAll(/(?<=[a-z] )[a-z]+/g, escaped),
  'blanks between values': (json) => json.replaceAll('":', '" \n\t: '),
}

function escaped(text: string): string {
  return Array.from(text, (letter) => String.raw`\u` + letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')
}

/** Words one by one, some of which begin a token of their own that would have been part of another. */
const LEAST = 0.98
/** Settings that no model reads: 256 characters of words in them cost nothing. */
const SETTINGS =
  'stop user metadata client_metadata generationConfig thinking reasoning output_config tool_choice'.split(' ')
const FREE_TOKENS = 64

describe('the same prose costs no less than as a message', () => {
  test('in any field of any wire, behind any beginning, in any shape', () => {
    const one = fc.record({
      wire: fc.constantFrom(...Object.keys(WIRES)),
      path: fc.constantFrom(...PATHS),
      beginning: fc.constantFrom(...BEGINNINGS),
      shape: fc.constantFrom(...Object.keys(SHAPES)),
      escapes: fc.constantFrom(...Object.keys(ESCAPES)),
    })
    const check = ({
      wire,
      path,
      beginning,
      shape,
      escapes,
    }: typeof one extends fc.Arbitrary<infer Case> ? Case : never): void => {
      const value = SHAPES[shape]?.(beginning + PROSE)
      const body = ESCAPES[escapes]?.(JSON.stringify(WIRES[wire]?.(at(path, value))))
      const free = SETTINGS.includes(path[0] ?? '') ? FREE_TOKENS : 0
      expect(tokensOf(body ?? '')).toBeGreaterThanOrEqual(proseTokens * LEAST - free)
    }
    fc.assert(fc.property(one, check), { numRuns: runsInSuite(4_800) })
  })

  test('as the name of a field at the top, in a tool, and of a property of its schema', () => {
    for (const wrap of [
      (name: string) => ({ [name]: 1 }),
      (name: string) => ({ tools: [{ [name]: {} }] }),
      (name: string) => ({ tools: [{ function: { parameters: { properties: { [name]: { type: 'string' } } } } }] }),
    ]) {
      expect(tokensOf(WIRES['chat']?.(wrap(PROSE)) ?? {})).toBeGreaterThanOrEqual(proseTokens)
    }
  })

  test('behind 250,000 values, and in a field that stands there a second time', () => {
    const many = `{"model":"m","messages":[${'0,'.repeat(250_000)}${JSON.stringify(PROSE)}]}`
    expect(tokensOf(many)).toBeGreaterThanOrEqual(250_000 + proseTokens)
    const twice = `{"model":"m","messages":${JSON.stringify([PROSE])},"messages":[]}`
    expect(tokensOf(twice)).toBeGreaterThanOrEqual(proseTokens)
  })

  test('where the body is not JSON as parsers know it', () => {
    for (const body of [
      PROSE,
      `{messages: ${PROSE}}`,
      `{"a":"${PROSE}`,
      `{"a":"\u0001\\x${PROSE}"}`,
      `[{"a":[${PROSE}`,
    ]) {
      expect(tokensOf(body)).toBeGreaterThanOrEqual(proseTokens * LEAST)
    }
  })

  test('as words without blanks, in names and texts of what no model reads', () => {
    const joined = WORDS.join('_')
    for (const text of [joined, joined.replaceAll('_', '+'), joined.replaceAll('_', '/')]) {
      const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, text]))
      expect(tokensOf({ model: 'm', input: '', metadata: many })).toBeGreaterThanOrEqual(19 * proseTokens * LEAST)
      expect(tokensOf({ model: 'm', input: text })).toBeGreaterThanOrEqual(proseTokens * LEAST)
    }
  })
})

const encoded = (text: string): string => Buffer.from(text).toString('base64')

/** More than a picture has. */
const LONG = PROSE.repeat(8)

/** Files whose text providers give to the model. */
const textFiles: readonly (readonly [string, object])[] = [
  ['a data URL of plain text', said({ type: 'file', file: { file_data: `data:text/plain;base64,${encoded(LONG)}` } })],
  ['a data URL of no type', said({ type: 'file', file: { file_data: `data:;base64,${encoded(LONG)}` } })],
  [
    'what says that it is bytes',
    said({ type: 'file', file: { file_data: `data:application/octet-stream;base64,${encoded(LONG)}` } }),
  ],
  [
    'what says that it is JSON',
    said({ type: 'input_file', file_data: `data:application/json;base64,${encoded(LONG)}` }),
  ],
  ['Base64 alone', said({ type: 'input_file', file_data: encoded(LONG) })],
  [
    'a source of plain text in Base64',
    said({ type: 'document', source: { type: 'base64', media_type: 'text/plain', data: encoded(LONG) } }),
  ],
  [
    'a source that says two types',
    said({
      type: 'document',
      source: { type: 'base64', media_type: 'image/png', mediaType: 'text/plain', data: encoded(LONG) },
    }),
  ],
  ['a source that is text', said({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: LONG } })],
  [
    'inline data of Gemini',
    { contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data: encoded(LONG) } }] }] },
  ],
  ['inline data without a type', { contents: [{ parts: [{ inline_data: { data: encoded(LONG) } }] }] }],
]

function said(part: object): object {
  return { model: 'm', messages: [{ role: 'user', content: [part] }] }
}

test.for(textFiles)('a text in a file costs no less than as a message: %s', ([, body]) => {
  expect(tokensOf(body)).toBeGreaterThanOrEqual(new TextTokens().of(LONG))
})

const PICTURE = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 3)).toString('base64')
const url = `data:image/png;base64,${PICTURE}`

/** `from`: where others counted the Base64 of a picture as its text. */
const pictures: readonly { from: string; body: object }[] = [
  {
    from: 'openai/codex#12419',
    body: { model: 'm', input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: url }] }] },
  },
  {
    from: 'lidge-jun/opencodex#983',
    body: said({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } }),
  },
  {
    from: 'earendil-works/pi#1441',
    body: said({
      type: 'tool_result',
      content: [{ type: 'image', source: { data: PICTURE, media_type: 'image/png', type: 'base64' } }],
    }),
  },
  {
    from: 'HKUDS/nanobot#2277',
    body: said({ type: 'image_url', image_url: { url: 'https://example.com/a.png?size=large' } }),
  },
  { from: 'coder/xum#1611', body: said({ type: 'image_url', image_url: { url } }) },
  {
    from: 'a picture that a model drew',
    body: { model: 'm', input: [{ type: 'image_generation_call', id: 'ig_1', result: PICTURE }] },
  },
  {
    from: 'a picture of an assistant',
    body: {
      model: 'm',
      messages: [{ role: 'assistant', content: '', images: [{ type: 'image_url', image_url: { url } }] }],
    },
  },
  { from: 'Gemini', body: { contents: [{ parts: [{ inlineData: { mimeType: 'image/webp', data: PICTURE } }] }] } },
  { from: 'an edit of images', body: { model: 'm', images: [{ image_url: url }], prompt: 'x' } },
  { from: 'an embedding of a picture', body: { model: 'm', input: [{ image: PICTURE }] } },
  {
    from: 'Base64 in lines',
    body: said({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: PICTURE.replaceAll(/.{76}/g, '$&\n') },
    }),
  },
]

test.for(pictures)('a picture costs the same whatever its size: $from', ({ body }) => {
  expect(tokensOf(body)).toBeGreaterThanOrEqual(1_600)
  expect(tokensOf(body)).toBeLessThan(1_630)
})

test('a document costs by its size, as it is held: mistralai/client-python#502', () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(PICTURE, 'base64')]).toString('base64')
  const tokens = tokensOf(said({ type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}` } }))
  expect(tokens).toBeGreaterThan(pdf.length / 21)
  expect(tokens).toBeLessThan(pdf.length / 19)
})

test('sound costs by its seconds', () => {
  const wav = Buffer.alloc(44 + 60 * 32_000)
  wav.write('RIFF', 0, 'latin1')
  wav.write('WAVEfmt ', 8, 'latin1')
  for (const [value, offset] of [
    [1, 22],
    [16, 34],
  ] as const)
    wav.writeUInt16LE(value, offset)
  for (const [value, offset] of [
    [16_000, 24],
    [32_000, 28],
  ] as const)
    wav.writeUInt32LE(value, offset)
  const data = wav.toString('base64')
  const tokens = tokensOf(said({ type: 'input_audio', input_audio: { data, format: 'wav' } }))
  expect(tokens).toBeGreaterThanOrEqual(60 * 32)
  expect(tokens).toBeLessThan(60 * 32 + 20)
  expect(tokensOf({ contents: [{ parts: [{ inlineData: { mimeType: 'audio/wav', data } }] }] })).toBeLessThan(
    60 * 32 + 20,
  )
})

test('what is enciphered costs by its size', () => {
  const sealed = encoded(PROSE.repeat(4))
  for (const body of [
    { model: 'm', input: [{ type: 'reasoning', encrypted_content: sealed, summary: [] }] },
    said({ type: 'thinking', thinking: '', signature: sealed }),
    said({ type: 'redacted_thinking', data: sealed }),
    { contents: [{ parts: [{ text: '', thoughtSignature: sealed }] }] },
  ]) {
    expect(tokensOf(body)).toBeGreaterThanOrEqual(sealed.length / 4)
    expect(tokensOf(body)).toBeLessThan(sealed.length / 4 + 30)
  }
})

test('what looks like a picture is text outside of the places for pictures', () => {
  const asText = new TextTokens().of(url)
  for (const body of [
    { model: 'm', messages: [{ role: 'user', content: url }] },
    said({ type: 'text', text: url }),
    said({
      type: 'tool_use',
      id: 'a',
      name: 'b',
      input: { source: { type: 'base64', media_type: 'image/png', data: url } },
    }),
    { model: 'm', input: '', tools: [{ parameters: { default: { image_url: { url } } } }] },
    { model: 'm', input: '', notes: { image_url: { url } } },
  ]) {
    expect(tokensOf(body)).toBeGreaterThanOrEqual(asText)
  }
})

const LANGUAGES: Readonly<Record<string, string>> = {
  English: 'Internationalization and telecommunications are responsibilities of the administration. ',
  German: 'Die Donaudampfschifffahrtsgesellschaft sucht einen Rechtsschutzversicherungsvertreter. ',
  Finnish: 'Lentokonesuihkuturbiinimoottori korjattiin eilen illalla kaupungissa. ',
  Russian: 'Достопримечательности города привлекают путешественников со всего мира. ',
  Greek: 'Οι υπεύθυνοι ανακοίνωσαν χθες τις προϋποθέσεις της συνεργασίας. ',
  Arabic: 'المسؤوليات الاجتماعية والاقتصادية في المجتمعات العربية الحديثة. ',
  Hindi: 'अंतरराष्ट्रीय सम्मेलन में विश्वविद्यालय के विद्यार्थियों ने भाग लिया। ',
  Tamil: 'பல்கலைக்கழகத்தில் மாணவர்கள் அனைவரும் கலந்துகொண்டனர். ',
  Malayalam: 'സർവകലാശാലയിലെ വിദ്യാർത്ഥികൾ സമ്മേളനത്തിൽ പങ്കെടുത്തു. ',
  Telugu: 'విశ్వవిద్యాలయంలో విద్యార్థులు సమావేశానికి హాజరయ్యారు. ',
  Thai: 'มหาวิทยาลัยจัดการประชุมนานาชาติเกี่ยวกับการพัฒนาเศรษฐกิจ ',
  Georgian: 'უნივერსიტეტის სტუდენტები საერთაშორისო კონფერენციას დაესწრნენ. ',
  Chinese: '中华人民共和国国务院关于进一步加强安全生产工作的通知，请各单位认真贯彻执行。',
  Japanese: '国際会議に参加した学生たちは、大学の図書館で資料を集めました。',
  Korean: '대한민국 국민의 권리와 의무에 관한 국제회의가 열렸습니다. ',
}

test.for(Object.entries(LANGUAGES))('no text in %s comes near the floor', ([, text]) => {
  const message = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] })
  const tokens = tokensOf(message(text.repeat(50))) - tokensOf(message(''))
  expect(tokens).toBe(new TextTokens().of(text.repeat(50)))
  expect(tokens).toBeGreaterThan((Buffer.byteLength(text.repeat(50)) / 24) * 1.4)
})

test('a text built of the longest tokens of this one encoding costs a token for 24 bytes of its letters', () => {
  const all = Array.from({ length: 190_000 }, (_, id) => decode([id]))
  const words = all.filter((token) => /^ [\p{L}\p{M}]+$/u.test(token))
  const longest = words.toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a)).slice(0, 100)
  const text = longest.join('')
  const letters = Buffer.byteLength(text.replaceAll(' ', ''))
  expect(new TextTokens().of(text)).toBeLessThan(letters / 28)
  expect(tokensOf({ model: 'm', input: text })).toBeGreaterThanOrEqual(Math.floor(letters / 24))
})

test('a request costs the same alone and within the question for its tokens', () => {
  const contents = [
    { role: 'user', parts: [{ text: PROSE }, { inlineData: { mimeType: 'image/png', data: PICTURE } }] },
  ]
  const request = { model: 'models/m', contents, generationConfig: { temperature: 0 } }
  expect(tokensOf({ generateContentRequest: request })).toBe(tokensOf(request))
})

test('settings, ids and numbers that every client sends cost nothing', () => {
  const plain = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] }
  const settings = {
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.7,
    max_tokens: 32_000,
    metadata: { user_id: `user_${'a'.repeat(64)}_account__session_00000000-0000-4000-8000-000000000001` },
    logit_bias: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [String(50_000 + i), -100])),
    tool_choice: { type: 'function', function: { name: 'read' } },
  }
  expect(tokensOf({ ...plain, ...settings })).toBe(tokensOf(plain))
})
