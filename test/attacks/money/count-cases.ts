/** Text where a count of the gateway's own may not look for it, by a client that sees to it that no report comes. */
import { type MoneyCase, moneyCase } from './money-case.ts'
import { parts, said } from './wire-calls.ts'

const ORDERS = 'Write 20 words. Wait 700 ms.'
const TEXT = 'word '.repeat(4_000)
const WORDS = Array.from({ length: 4_000 }, () => 'word')
const BASE64 = Buffer.from(Uint8Array.from({ length: 1_500 }, (_, i) => (i * 7_919) >> 3)).toString('base64')

const before = { leaves: 'before-first-byte', isStream: true, rule: 'left-early' } as const
const midStream = { leaves: 'first-event', isStream: true, rule: 'cancelled' } as const
const silent = { model: 'silent', rule: 'counted-here' } as const

type Way = typeof before | typeof midStream | typeof silent

function chat(name: string, fields: object, way: Way): MoneyCase {
  return moneyCase(['counts', 'chat', name], { ...said(ORDERS), ...fields, max_tokens: 64 }, way)
}

/** A tool with a property of that name. */
function schema(property: string): object {
  return { type: 'object', properties: { [property]: { type: 'string' } } }
}

export const COUNT_CASES: readonly MoneyCase[] = [
  chat('hides its prompt behind `data:`, and leaves in mid-stream', said(`data:${TEXT}${ORDERS}`), midStream),
  chat('hides its prompt behind `data:`, and leaves before the first byte', said(`data:${TEXT}${ORDERS}`), before),
  chat('hides its prompt behind `data:`, and hears of no usage', said(`data:${TEXT}${ORDERS}`), silent),
  chat('hides its prompt behind Base64, and leaves in mid-stream', said(`${BASE64}${TEXT}${ORDERS}`), midStream),
  chat(
    'hides its prompt in `functions`, and leaves in mid-stream',
    { functions: [{ name: 'f', description: TEXT }] },
    midStream,
  ),
  chat(
    'hides its prompt in `functions`, and leaves before the first byte',
    { functions: [{ name: 'f', description: TEXT }] },
    before,
  ),
  chat(
    'hides its prompt in the name of a property, and hears of no usage',
    { tools: [{ type: 'function', function: { name: 'f', parameters: schema(TEXT) } }] },
    silent,
  ),
  chat('hides its prompt in `documents`, and hears of no usage', { documents: [{ text: TEXT }] }, silent),
  chat('hides its prompt in 4,000 texts of a word, and leaves in mid-stream', { documents: WORDS }, midStream),
  chat(
    'hides its prompt in `chat_template_kwargs`, and leaves before the first byte',
    { chat_template_kwargs: { rules: TEXT } },
    before,
  ),
  chat('hides its prompt in `guided_json`, and hears of no usage', { guided_json: { description: TEXT } }, silent),
  chat('hides its prompt in `metadata`, and leaves in mid-stream', { metadata: { note: TEXT } }, midStream),
  chat('hides its prompt 50 levels deep, and hears of no usage', { notes: nested(50) }, silent),
  moneyCase(
    ['counts', 'completions', 'hides its prompt in `suffix`, and hears of no usage'],
    { prompt: ORDERS, suffix: TEXT, max_tokens: 64 },
    silent,
  ),
  moneyCase(
    ['counts', 'embeddings', 'hides its text behind `data:`, and hears of no usage'],
    { input: `data:${TEXT}` },
    silent,
  ),
  moneyCase(
    ['counts', 'responses', 'hides its instructions behind `data:`, and leaves in mid-stream'],
    { input: ORDERS, instructions: `data:${TEXT}` },
    midStream,
  ),
  moneyCase(
    ['counts', 'responses', 'hides its prompt behind `data:`, and leaves before the first byte'],
    { input: `data:${TEXT}${ORDERS}` },
    before,
  ),
  moneyCase(
    ['counts', 'messages', 'hides its system prompt behind `data:`, and leaves before the first byte'],
    { ...said(ORDERS), system: `data:${TEXT}`, max_tokens: 64 },
    before,
  ),
  moneyCase(
    ['counts', 'messages', 'hides its prompt in the name of a property, and hears of no usage'],
    { ...said(ORDERS), tools: [{ name: 'f', input_schema: schema(TEXT) }], max_tokens: 64 },
    silent,
  ),
  moneyCase(
    ['counts', 'gemini', 'hides its instructions behind `data:`, and leaves before the first byte'],
    { ...parts({ text: ORDERS }), systemInstruction: { parts: [{ text: `data:${TEXT}` }] } },
    before,
  ),
  moneyCase(
    ['counts', 'gemini', 'hides its prompt in a schema for the answer, and hears of no usage'],
    { ...parts({ text: ORDERS }), generationConfig: { responseSchema: { type: 'STRING', description: TEXT } } },
    silent,
  ),
]

function nested(levels: number): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner, _, level) => (level % 2 ? [inner] : { inner }), TEXT)
}
