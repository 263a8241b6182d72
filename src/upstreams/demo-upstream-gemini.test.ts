import { expect, test } from 'vitest'
import { eventsOf, jsonOf, startDemo } from '../../test/support/demo-drive.ts'

const contents = [{ role: 'user', parts: [{ text: 'Say hello to the wide world.' }] }]
const shown = { generationConfig: { thinkingConfig: { includeThoughts: true } } }
const tools = [
  {
    functionDeclarations: [
      {
        name: 'get_weather',
        parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
      },
    ],
  },
]

/** The text of all parts in the chunks of a stream, thoughts and words apart. */
function streamed(
  model: string,
  more: object = {},
): { thoughts: string; words: string; last: unknown; chunks: number } {
  const path = `/models/${model}:streamGenerateContent?alt=sse`
  const events = eventsOf(startDemo().ask(path, { contents, ...more })).map(({ data }) => data as Chunk)
  const parts = events.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts))
  const join = (isThought: boolean): string =>
    parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('')
  return { thoughts: join(true), words: join(false), last: events.at(-1), chunks: events.length }
}

interface Chunk {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly { readonly text?: string; readonly thought?: boolean }[] }
  }[]
}

test.each(['demo/echo', 'demo%2Fecho'])('%s streams word by word, and the last chunk has the usage', (model) => {
  const { words, last, chunks } = streamed(model)
  expect(words).toBe('Say hello to the wide world.')
  expect(chunks).toBeGreaterThan(4)
  expect(last).toMatchObject({
    candidates: [{ finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 7, totalTokenCount: 14 },
    modelVersion: 'demo/echo',
  })
})

test('a whole answer says the same as its stream', () => {
  const whole = jsonOf(startDemo().ask('/v1beta/models/demo/reasoner:generateContent', { contents, ...shown }))
  const { thoughts, words } = streamed('demo/reasoner', shown)
  const parts = [{ text: thoughts, thought: true }, { text: words }]
  expect(thoughts).toMatch(/^Let me see/)
  expect(whole).toMatchObject({ candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP' }] })
  expect(streamed('demo/reasoner')).toMatchObject({ thoughts: '', words })
})

test('demo/tools calls a function, and quotes its result', () => {
  const ask = (more: object): unknown =>
    jsonOf(startDemo().ask('/models/demo/tools:generateContent', { contents, tools, ...more }))['candidates']
  const functionCall = { name: 'get_weather', args: { city: 'demo' }, id: 'call_demo000001' }
  expect(ask({})).toMatchObject([{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }])
  const functionResponse = { name: 'get_weather', id: 'call_demo000001', response: { output: 'rain' } }
  const answered = [
    ...contents,
    { role: 'model', parts: [{ functionCall }] },
    { role: 'user', parts: [{ functionResponse }] },
  ]
  expect(ask({ contents: answered })).toMatchObject([
    { content: { parts: [{ text: expect.stringMatching(/^The tool answered: “.*rain/) }] } },
  ])
})

test('a limit ends the answer, and tokens are counted without one', () => {
  const limited = { contents, generationConfig: { maxOutputTokens: 2 } }
  expect(jsonOf(startDemo().ask('/models/demo/echo:generateContent', limited))).toMatchObject({
    candidates: [{ content: { parts: [{ text: 'Say hello' }] }, finishReason: 'MAX_TOKENS' }],
    usageMetadata: { candidatesTokenCount: 2 },
  })
  expect(jsonOf(startDemo().ask('/models/demo/echo:countTokens', { contents }))).toEqual({ totalTokens: 7 })
})

test.for([
  ['/models/demo/echo:generateContent', { contents: [] }, 400, /contents takes a list/],
  ['/models/gemini-9:generateContent', { contents }, 404, /"gemini-9"/],
  ['/models/demo/echo:generateContent', { contents, generationConfig: { candidateCount: 2 } }, 400, /takes 1 here/],
  ['/models/demo/echo:generateContent', { contents: [{ role: 'user', parts: 'x' }] }, 400, /contents\[0\]\.parts/],
] as const)('%s with %j is refused in the shape of Google', ([path, body, code, message]) => {
  const report = startDemo().ask(path, body)
  expect(report.status).toBe(code)
  const status = code === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT'
  expect(jsonOf(report)).toEqual({ error: { code, status, message: expect.stringMatching(message) } })
})
