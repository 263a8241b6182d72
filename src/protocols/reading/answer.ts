import { largerCalls } from '../../core/calls.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { Answer, AnswerAbout, StoredAnswer, UpstreamError } from '../protocol.ts'
import { AnswerCalls } from './answer-calls.ts'
import { failureIn, type FailureFields, holdsContent, isAnyUsed } from './answer-failure.ts'
import { JsonFlaw } from '../json/json-bytes.ts'
import { scanObject } from '../json/json-scan.ts'
import { readErrorObject } from './upstream-error.ts'
import { fieldsOf, isObject, parseOrUndefined } from '../json/json-object.ts'

/** What one wire's whole answers look like. */
export interface AnswerShape {
  /** Reads the usage object; its value is undefined when there is none. */
  readonly countsOf: (usage: unknown) => TokenCounts
  /** The class of service and the place that an answer with these fields names; null: none. */
  readonly termsOf?: (fields: TermsFields) => ServiceTerms | null
  /** Counts the calls in that field; absent where the usage says all of them. */
  readonly addCalls?: (output: unknown, calls: AnswerCalls) => void
  /** The field that holds what the model wrote, and the fields within it that are its text. */
  readonly output: string
  readonly text: TextFields
  /** A body without a word in that field is not an answer, unless usage above zero is reported or the words were withheld. */
  readonly isNothingWithout?: true
  /** The field is a list with an entry for each answer that was asked for, so that an empty one is not an answer, whatever was used. */
  readonly hasEntryForEach?: true
  /** Whether an answer with these top-level fields, and no count of its output, is still to come. */
  readonly pending?: (fields: AnswerFields) => boolean
  /** Whether these fields of an answer, read with its output, say that all of it was cut at its output limit; absent: no field does. */
  readonly isCut?: { readonly fields: readonly string[]; says(values: readonly unknown[]): boolean }
  /** The ids of an answer that the upstream keeps for later. */
  readonly storedAs?: (fields: StoredFields, output: () => unknown) => StoredAnswer | null
  /** The failure with which the answer says that it ended, beside those that all wires say alike; absent: no field does. */
  readonly flawOf?: (fields: AnswerFields, about: AboutEnd) => UpstreamError | null
  /** Whether the answer says that its words were withheld; absent: no field does. */
  readonly isWithheld?: (fields: AnswerFields, output: () => unknown) => boolean
}

/** What the end of an answer is judged by, beside its small fields. */
export interface AboutEnd {
  /** The body where nothing of its output is parsed yet, so that a look at its bytes is cheaper; null: it is. */
  readonly unparsed: Buffer | null
  /** The output, parsed. */
  readonly output: () => unknown
  /** See `flawOfStop`. */
  readonly passesUnknown: boolean
}

/** The text in JSON that a model had a hand in. */
export interface TextFields {
  /** Fields, at any depth, whose strings were written by the model: the value itself, or those of a list. */
  readonly fields: readonly string[]
  /** Fields of which several may have the same text one behind the other, as upstreams send reasoning; it counts once. */
  readonly twins?: readonly string[]
}

/** Small top-level fields of an answer, parsed; undefined where absent. */
export type AnswerFields = Readonly<Record<(typeof SMALL)[number], unknown>>

/** Fields that say how an answer ended, or what went wrong. */
const SMALL = [
  'error', 'type', 'status', 'object', 'base_resp', 'stop_reason', 'incomplete_details', 'message', 'detail', 'code', 'param',
] as const // prettier-ignore

/** What says how an answer was served. */
export interface TermsFields {
  readonly usage: unknown
  readonly service_tier: unknown
}

/** What says whether an upstream keeps an answer, and under which id. */
export interface StoredFields {
  readonly id: unknown
  readonly store: unknown
}

/** The fields that each answer is looked at for. */
type ReadAnswerFields = AnswerFields & TermsFields & StoredFields & FailureFields

/** Makes the reader of one wire's answers. Of a long one only small fields are parsed, and the text only when it is asked for. */
export function answerReader(shape: AnswerShape): (body: Buffer, about?: AnswerAbout) => Answer {
  const wanted = new Set(['usage', 'service_tier', ...SMALL, ...(shape.storedAs === undefined ? [] : ['id', 'store'])])
  return (body, about) => {
    const whole = shortObject(body)
    const fields = (whole ?? readSome(body, wanted)) as ReadAnswerFields | JsonFlaw
    if (fields instanceof JsonFlaw) return { kind: 'malformed', why: fields.message }
    const valuesOf = (names: readonly string[]): readonly unknown[] =>
      whole === null ? valuesIn(body, names) : names.map((name) => whole[name])
    const output = (): unknown => valuesOf([shape.output])[0]
    const counts = shape.countsOf(fields.usage)
    const usage = about?.countsCalls === true ? withCalls(counts, output, shape) : counts
    const producedText = (): string => (shape.text.fields.length === 0 ? '' : collectText(output(), shape.text))
    const end = { unparsed: whole === null ? body : null, output, passesUnknown: about?.isTranslated !== true }
    const error = failureIn(fields) ?? shape.flawOf?.(fields, end) ?? null
    if (error !== null) return { kind: 'failed', usage, error, producedText }
    if (usage.output === null && shape.pending?.(fields) === true) return { kind: 'malformed', why: STILL_TO_COME }
    if (isNoAnswer(shape, { small: fields, usage, end })) {
      const said = readErrorObject(fields)
      if (said.message === null) return { kind: 'malformed', why: NO_ANSWER }
      return { kind: 'failed', usage, error: said, producedText }
    }
    const { isCut } = shape
    const storedAs = shape.storedAs?.(fields, output) ?? null
    const terms = shape.termsOf?.(fields) ?? null
    return {
      kind: 'answer',
      usage,
      producedText,
      ...(isCut === undefined ? {} : { isCut: () => isCut.says(valuesOf(isCut.fields)) }),
      ...(storedAs === null ? {} : { storedAs }),
      ...(terms === null ? {} : { terms }),
    }
  }
}

/** Up to here the whole of an answer is parsed in less time than its fields are found. */
const SHORT_BYTES = 4_096

/** A short answer that is valid JSON, parsed; null: it is to be walked over, which says what is wrong with it. */
function shortObject(body: Buffer): Readonly<Record<string, unknown>> | null {
  const value = body.length <= SHORT_BYTES ? parseOrUndefined(body.toString()) : undefined
  return isObject(value) ? value : null
}

function readSome(body: Buffer, wanted: ReadonlySet<string>): object {
  const fields = readFields(body, wanted)
  return fields instanceof JsonFlaw ? fields : Object.fromEntries(fields)
}

/** An answer that is not text with these fields, or the failure that its `error` is. */
export function answerOrError(
  fields: ReadonlyMap<string, unknown>,
  usage: TokenCounts,
  producedText = (): string => '',
): Exclude<Answer, { kind: 'malformed' }> {
  const error = fields.get('error') ?? null
  if (error !== null) return { kind: 'failed', usage, error: readErrorObject({ error }), producedText }
  return { kind: 'answer', usage, producedText }
}

/** Whether the body has nothing for a client. Nearly every answer reports what it used, and need not be parsed for this. */
function isNoAnswer(
  shape: AnswerShape,
  { small, usage, end }: { small: AnswerFields; usage: TokenCounts; end: AboutEnd },
): boolean {
  if (shape.isNothingWithout !== true) return false
  if (shape.hasEntryForEach === true && !hasEntry(shape, end)) return true
  if (isAnyUsed(usage)) return false
  return !holdsContent(end.output()) && shape.isWithheld?.(small, end.output) !== true
}

const FIRST_ENTRY = /^\s*:\s*\[\s*\{/
const FIRST_ENTRY_BYTES = 64

/** Nearly every list is seen to have an entry without being parsed. */
function hasEntry(shape: AnswerShape, { unparsed, output }: AboutEnd): boolean {
  if (unparsed !== null && beginsWithEntry(unparsed, `"${shape.output}"`)) return true
  const list = output()
  return Array.isArray(list) && list.length > 0
}

function beginsWithEntry(body: Buffer, key: string): boolean {
  const at = body.indexOf(key)
  const start = at + key.length
  return at >= 0 && FIRST_ENTRY.test(body.toString('latin1', start, start + FIRST_ENTRY_BYTES))
}

function withCalls(counts: TokenCounts, output: () => unknown, shape: AnswerShape): TokenCounts {
  if (shape.addCalls === undefined) return counts
  const calls = new AnswerCalls()
  shape.addCalls(output(), calls)
  return withMoreCalls(counts, calls)
}

/** Counts with the calls that were seen beside those that were reported. */
export function withMoreCalls(counts: TokenCounts, seen: AnswerCalls | null): TokenCounts {
  const calls = largerCalls(counts.calls, seen?.counts)
  return calls === undefined || calls === counts.calls ? counts : { ...counts, calls }
}

const STILL_TO_COME = 'it says that the answer is still to come'
const NO_ANSWER = 'it has neither an answer nor usage'

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

/** The model's text in the output of an answer, in order: strings under the given fields, what tools are given as JSON. */
export function collectText(output: unknown, text: TextFields): string {
  const [fields, twins] = [new Set(text.fields), new Set(text.twins)]
  const found: string[] = []
  let twin = { field: '', said: '' }
  // A list of what is still to be read and no recursion, since an upstream decides how deep it goes.
  const open: (readonly [string, unknown])[] = [['', output]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, value] = next
    const isText = fields.has(key)
    if (typeof value === 'string' && isText) {
      const isSaid = twins.has(key) && twin.said === value && twin.field !== key
      if (twins.has(key) && !isSaid) twin = { field: key, said: value }
      if (!isSaid) found.push(value)
    }
    if (typeof value !== 'object' || value === null) continue
    if (isText && TOOL_INPUTS.has(key)) found.push(writtenInput(value))
    else for (const entry of entriesOf(value, key).toReversed()) open.push(entry)
  }
  return found.join('')
}

/** Tool calls of Anthropic (`input`) and Gemini (`args`) have an object of any shape, and so do some of OpenAI's. */
const TOOL_INPUTS = new Set(['input', 'arguments', 'args'])

/** What is nested deeper than JavaScript writes is as much as its names and texts. */
function writtenInput(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    return namesAndTexts(value).join(' ')
  }
}

function namesAndTexts(root: object): readonly string[] {
  const found: string[] = []
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') found.push(value)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of entriesOf(value, '')) {
      if (name !== '') found.push(name)
      open.push(inner)
    }
  }
  return found
}

/** What is in a list stands under the list's own key. */
function entriesOf(value: object, key: string): (readonly [string, unknown])[] {
  return Array.isArray(value) ? value.map((entry: unknown) => [key, entry] as const) : Object.entries(value)
}

/** Whether all of several answers give this reason in this field for their end. */
export function allEnded(answers: unknown, field: string, reason: string): boolean {
  return Array.isArray(answers) && answers.length > 0 && answers.every((each) => fieldsOf(each)[field] === reason)
}

function valuesIn(body: Buffer, names: readonly string[]): readonly unknown[] {
  const fields = readFields(body, new Set(names))
  return fields instanceof JsonFlaw ? [] : names.map((name) => fields.get(name))
}
