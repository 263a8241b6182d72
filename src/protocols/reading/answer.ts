import type { TokenCounts } from '../../core/tokens.ts'
import type { Answer, UpstreamError } from '../protocol.ts'
import { JsonFlaw, scanObject } from './json-scan.ts'
import { readErrorObject } from './upstream-error.ts'

/** What one wire's whole answers look like. */
export interface AnswerShape {
  /** Reads the usage object; its value is undefined when there is none. */
  readonly countsOf: (usage: unknown) => TokenCounts
  /** The field that holds what the model wrote, and the fields within it, at any depth, that are its text. */
  readonly output: string
  readonly text: readonly string[]
  /** Whether an answer with these top-level fields says that it failed. */
  readonly failed: (fields: AnswerFields) => boolean
}

/** Small top-level fields of an answer, parsed; undefined where absent. */
export interface AnswerFields {
  readonly error: unknown
  readonly type: unknown
  readonly status: unknown
}

/** Makes the reader of one wire's answers. Only small fields are parsed; the text only when somebody asks for it. */
export function answerReader(shape: AnswerShape): (body: Buffer) => Answer {
  const wanted = new Set(['usage', 'error', 'type', 'status'])
  return (body) => {
    const fields = readFields(body, wanted)
    if (fields instanceof JsonFlaw) return { kind: 'malformed', why: fields.message }
    const usage = shape.countsOf(fields.get('usage'))
    const producedText = (): string => textIn(body, shape)
    const small = { error: fields.get('error'), type: fields.get('type'), status: fields.get('status') }
    if (!shape.failed(small)) return { kind: 'answer', usage, producedText }
    const error: UpstreamError = readErrorObject({ error: small.error })
    return { kind: 'failed', usage, error, producedText }
  }
}

/** The wanted fields of a JSON object, parsed. Fields that JSON does not know read as absent. */
export function readFields(object: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, unknown> | JsonFlaw {
  try {
    const parsed = new Map<string, unknown>()
    for (const [key, { start, end }] of scanObject(object, { wanted }).fields) {
      parsed.set(key, parseOrUndefined(object.toString('utf8', start, end)))
    }
    return parsed
  } catch (flaw) {
    if (flaw instanceof JsonFlaw) return flaw
    throw flaw
  }
}

/** The model's text in the output of an answer, in order: strings under the given fields, tool inputs as JSON. */
export function collectText(output: unknown, fields: ReadonlySet<string>): string {
  const found: string[] = []
  // A list of what is still to be read and no recursion, since an upstream decides how deep it goes.
  const open: (readonly [string, unknown])[] = [['', output]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, value] = next
    const isText = fields.has(key)
    if (typeof value === 'string' && isText) found.push(value)
    if (typeof value !== 'object' || value === null) continue
    if (isText && key === TOOL_INPUT) found.push(JSON.stringify(value))
    else for (const entry of Object.entries(value).toReversed()) open.push(entry)
  }
  return found.join('')
}

/** Anthropic's tool calls have their arguments as an object of any shape. */
const TOOL_INPUT = 'input'

function textIn(body: Buffer, shape: AnswerShape): string {
  if (shape.text.length === 0) return ''
  const fields = readFields(body, new Set([shape.output]))
  return fields instanceof JsonFlaw ? '' : collectText(fields.get(shape.output), new Set(shape.text))
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
