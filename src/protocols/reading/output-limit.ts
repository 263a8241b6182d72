import type { AskedModel } from '../../models/table.ts'
import { fieldsOf } from './usage-report.ts'
import { type Range, scanObject } from './json-scan.ts'

/** How many tokens the output of a request may have, and the model that is to write it. */
export interface OutputLimit {
  readonly model: AskedModel
  readonly tokens: number
}

/** Writes a lower output limit into a body, and changes no other byte; null where its wire lets none so low stand there. */
export type LimitOutput = (body: Buffer, limit: OutputLimit) => Buffer | null

/**
 * For wires with the limit among the fields at the top: each of `fields` that is there is lowered, or `absent` is added. The body
 * must have passed the reading of requests: no field stands there twice.
 */
export function limitAtTop(fields: readonly string[], absent: (model: AskedModel) => string): LimitOutput {
  const wanted = new Set(fields)
  return (body, { model, tokens }) => lowerFields(body, { wanted, tokens, absent: absent(model) })
}

/** Messages with a budget for thinking take a limit above that alone (Anthropic's documentation of extended thinking). */
export const limitMessages: LimitOutput = (body, limit) =>
  thinkingBudget(body) >= limit.tokens ? null : limitMaxTokens(body, limit)

const limitMaxTokens = limitAtTop(['max_tokens'], () => 'max_tokens')

/** Gemini's limit stands in its generation config; every name may be in camel or in snake case. */
export const limitGemini: LimitOutput = (body, { tokens }) => {
  const { fields } = scanObject(body, { wanted: CONFIGS })
  const places = [...fields.values()].filter(({ start }) => body[start] === OPEN_BRACE)
  const [first] = places
  if (first === undefined) {
    const config = `{"${ABSENT}":${tokens}}`
    const [none] = fields.values()
    return splice(body, [
      none === undefined ? addition(body, 0, `"generationConfig":${config}`) : { at: none, text: config },
    ])
  }
  const within = (place: Range): Edit[] =>
    editsIn(body.subarray(place.start, place.end), { wanted: LIMITS, tokens }).map(({ at, text }) => ({
      at: { start: at.start + place.start, end: at.end + place.start },
      text,
    }))
  const edits = places.flatMap((place) => within(place))
  return splice(body, edits.length > 0 ? edits : [addition(body, first.start, `"${ABSENT}":${tokens}`)])
}

const CONFIGS = new Set(['generationConfig', 'generation_config'])
const LIMITS = new Set(['maxOutputTokens', 'max_output_tokens'])
const ABSENT = 'maxOutputTokens'
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Other text in place of a range of bytes. */
export interface Edit {
  readonly at: Range
  readonly text: string
}

function lowerFields(
  body: Buffer,
  { wanted, tokens, absent }: { wanted: ReadonlySet<string>; tokens: number; absent: string },
): Buffer {
  const edits = editsIn(body, { wanted, tokens })
  return splice(body, edits.length > 0 ? edits : [addition(body, 0, `"${absent}":${tokens}`)])
}

/** What is lower already stays. */
function editsIn(bytes: Buffer, { wanted, tokens }: { wanted: ReadonlySet<string>; tokens: number }): Edit[] {
  const { fields } = scanObject(bytes, { wanted })
  return [...fields.values()].map((at) => {
    // Google's JSON takes whole numbers as strings too.
    const value = Number(bytes.toString('latin1', at.start, at.end).replaceAll('"', '').trim() || NaN)
    return { at, text: String(value <= tokens ? value : tokens) }
  })
}

/** A field in front of all others of the object that begins at `from` or behind it. */
export function addition(body: Buffer, from: number, field: string): Edit {
  const inside = body.indexOf(OPEN_BRACE, from) + 1
  let next = inside
  while (/\s/.test(String.fromCharCode(body[next] ?? CLOSE_BRACE))) next++
  return { at: { start: inside, end: inside }, text: body[next] === CLOSE_BRACE ? field : `${field},` }
}

/** The body with these edits, of which no two overlap. */
export function splice(body: Buffer, edits: readonly Edit[]): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (const { at, text } of edits.toSorted((one, other) => one.at.start - other.at.start)) {
    pieces.push(body.subarray(from, at.start), Buffer.from(text))
    from = at.end
  }
  return Buffer.concat([...pieces, body.subarray(from)])
}

function thinkingBudget(body: Buffer): number {
  const thinking = scanObject(body, { wanted: new Set(['thinking']) }).fields.get('thinking')
  if (thinking === undefined) return 0
  try {
    const budget = fieldsOf(JSON.parse(body.toString('utf8', thinking.start, thinking.end)))['budget_tokens']
    return typeof budget === 'number' ? budget : 0
  } catch {
    return 0
  }
}
