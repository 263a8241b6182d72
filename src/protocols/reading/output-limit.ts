import type { AskedModel } from '../../models/table.ts'
import type { Range } from '../json/json-bytes.ts'
import { fieldsIn, scanObject } from '../json/json-scan.ts'
import type { LimitOutput, LimitPlaces } from '../protocol.ts'
import { piecesOf, type RangeEdit } from '../json/range-edits.ts'

/**
 * Limits wires with the limit among the fields at the top: each of `fields` that is there is lowered, or `absent` is added. The body
 * must have passed the reading of requests: no field stands there twice.
 */
export function limitAtTop(fields: readonly string[], absent: (model: AskedModel) => string): LimitOutput {
  const wanted = new Set(fields)
  return (body, { model, tokens }, places) =>
    lowerFields(body, { places: wantedOf(body, wanted, places), tokens, absent: absent(model) })
}

/** Messages with a budget for thinking take a limit above that alone (Anthropic's documentation of extended thinking). */
export const limitMessages: LimitOutput = (body, limit, places) =>
  thinkingBudget(body, places) >= limit.tokens ? null : limitMaxTokens(body, limit, places)

const limitMaxTokens = limitAtTop(['max_tokens'], () => 'max_tokens')

/** Gemini's limit stands in its generation config; every name may be in camel or in snake case. */
export const limitGemini: LimitOutput = (body, { tokens }, found) => {
  const fields = wantedOf(body, CONFIGS, found)
  const places = [...fields.values()].filter(({ start }) => body[start] === OPEN_BRACE)
  const [first] = places
  if (first === undefined) {
    const config = `{"${ABSENT}":${tokens}}`
    const [none] = fields.values()
    return splice(body, [
      none === undefined ? addition(body, 0, `"generationConfig":${config}`) : { at: none, text: config },
    ])
  }
  const within = (place: Range): RangeEdit[] => {
    const config = body.subarray(place.start, place.end)
    return editsOf(config, scanObject(config, { wanted: LIMITS }).fields, tokens).map(({ at, text }) => ({
      at: { start: at.start + place.start, end: at.end + place.start },
      text,
    }))
  }
  const edits = places.flatMap((place) => within(place))
  return splice(body, edits.length > 0 ? edits : [addition(body, first.start, `"${ABSENT}":${tokens}`)])
}

const CONFIGS = new Set(['generationConfig', 'generation_config'])
const LIMITS = new Set(['maxOutputTokens', 'max_output_tokens'])
const ABSENT = 'maxOutputTokens'
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

function lowerFields(
  body: Buffer,
  { places, tokens, absent }: { places: LimitPlaces; tokens: number; absent: string },
): Buffer {
  const edits = editsOf(body, places, tokens)
  return splice(body, edits.length > 0 ? edits : [addition(body, 0, `"${absent}":${tokens}`)])
}

/** Finds the fields at the top that are wanted. */
function wantedOf(body: Buffer, wanted: ReadonlySet<string>, places: LimitPlaces | undefined): LimitPlaces {
  if (places === undefined) return scanObject(body, { wanted }).fields
  return new Map([...places].filter(([name]) => wanted.has(name)))
}

/** What is lower already stays. */
function editsOf(bytes: Buffer, places: LimitPlaces, tokens: number): RangeEdit[] {
  return [...places.values()].map((at) => {
    // Google's JSON takes whole numbers as strings too.
    const value = Number(bytes.toString('latin1', at.start, at.end).replaceAll('"', '').trim() || NaN)
    return { at, text: String(value <= tokens ? value : tokens) }
  })
}

/** A field in front of all others of the object that begins at `from` or behind it. */
export function addition(body: Buffer, from: number, field: string): RangeEdit {
  const inside = body.indexOf(OPEN_BRACE, from) + 1
  let next = inside
  while (/\s/.test(String.fromCharCode(body[next] ?? CLOSE_BRACE))) next++
  return { at: { start: inside, end: inside }, text: body[next] === CLOSE_BRACE ? field : `${field},` }
}

/** The body with these edits, of which no two overlap. */
export function splice(body: Buffer, edits: readonly RangeEdit[]): Buffer {
  return Buffer.concat(piecesOf(body, edits))
}

const THINKING = new Set(['thinking'])
const BUDGET = new Set(['budget_tokens'])

function thinkingBudget(body: Buffer, places: LimitPlaces | undefined): number {
  const thinking = wantedOf(body, THINKING, places).get('thinking')
  if (thinking === undefined) return 0
  const part = body.subarray(thinking.start, thinking.end)
  const place = fieldsIn(part, BUDGET)?.get('budget_tokens')
  const budget = place === undefined ? 0 : Number(part.toString('latin1', place.start, place.end))
  return Number.isFinite(budget) ? budget : 0
}
