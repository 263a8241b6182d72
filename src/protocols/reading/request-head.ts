import { Fault } from '../../core/faults.ts'
import { geoNamed, PLAIN, type ServiceTerms, TERM_CHARACTERS, tierNamed } from '../../core/terms.ts'
import type { ChatWire } from '../../core/wire.ts'
import type { ByteRange, LimitPlaces, RequestAbout, RequestHead } from '../protocol.ts'
import { InputEstimate } from './input-estimate.ts'
import { OUTSIDE_SHOWN, OutsideInputFinder } from './outside-input-finder.ts'
import { JsonFlaw } from '../json/json-bytes.ts'
import { parseOrUndefined } from '../json/json-object.ts'
import { scanInSteps } from '../json/json-scan.ts'
import { plainKey } from '../json/known-keys.ts'
import type { ScannedObject, ScanOptions } from '../json/json-walk.ts'
import { refuseOtherEndpoint } from '../other-endpoint.ts'
import { withoutCase } from './outside-names.ts'
import { BODY_STEP_BYTES } from '../../core/limits.ts'
import { atOnce, type Steps } from '../../core/turns.ts'

/** What one wire's requests have beside `model`. */
interface RequestShape {
  /** Fields that limit the output. Upstreams know one or the other, so the largest of them holds. */
  readonly outputLimits?: readonly string[]
  /** Set where `stream` is read; elsewhere a request never streams. */
  readonly stream?: true
  /** Set where `n` and `stream_options` are read. */
  readonly chatFields?: true
  /** The field that may be token ids. */
  readonly tokenIds?: 'input' | 'prompt'
  /** Set where `background` is read, to be refused. */
  readonly background?: true
  /** Fields that decide the price beside these, and so may stand there once only. */
  readonly alsoOnce?: readonly string[]
  /** Set where 0 is a limit that the wire knows: nothing is to be written. Elsewhere it is refused. */
  readonly takesNoOutput?: true
  /** Set where the wire produces no output at all. */
  readonly hasNoOutput?: true
  /** Set where a class of service and a place are read. */
  readonly terms?: true
  /** The wire, where requests belong to conversations: what tells these apart is found in the same walk. */
  readonly conversation?: ChatWire
}

/** A request that was read, and where its wanted fields stand. */
interface ReadRequest {
  readonly head: RequestHead
  readonly fields: ReadonlyMap<string, ByteRange>
}

/** The readers of a wire that asks for nothing else. */
export function readsRequests(shape: RequestShape): ReturnType<typeof bothWays> {
  const read = requestReader(shape)
  return bothWays(function* (body) {
    return (yield* read(body)).head
  })
}

/** Makes the reader of one wire's requests, in steps. It throws the fault `request_invalid` and nothing else. */
export function requestReader(shape: RequestShape): (body: Buffer) => Steps<ReadRequest> {
  const { stream = false, chatFields = false, tokenIds } = shape
  const wanted = new Set(['model', ...(shape.outputLimits ?? []), ...(shape.alsoOnce ?? [])])
  if (stream) wanted.add('stream')
  if (chatFields) wanted.add('n').add('stream_options')
  if (tokenIds !== undefined) wanted.add(tokenIds)
  if (shape.background === true) wanted.add('background')
  if (shape.terms === true) for (const field of TERMS) wanted.add(field)
  const hasNoOutput = shape.hasNoOutput === true
  return function* (body) {
    const estimate = new InputEstimate()
    const outside = new OutsideInputFinder()
    const noted = shape.conversation === undefined ? {} : { noted: NOTED_FIELDS }
    const scanned = yield* scanRequest(body, {
      wanted,
      ...noted,
      onLongString: estimate.look,
      onName: outside.look,
      names: OUTSIDE_SHOWN,
    })
    outside.end()
    if (shape.conversation !== undefined) refuseOtherEndpoint(shape.conversation, (field) => scanned.noted.has(field))
    const { fields } = scanned
    const read: HeadReading = { body, fields }
    if (tokenIds !== undefined) yield* countTokenIds(read, tokenIds, estimate)
    if (shape.background === true) refuseBackground(read)
    const streamOptions = chatFields ? objectPlace(read, 'stream_options') : null
    const includeUsage = streamOptions === null ? null : yield* includeUsagePlace(body, streamOptions)
    const terms = shape.terms === true ? readTerms(read) : null
    const head: RequestHead = {
      model: readModel(read),
      stream: stream && readBoolean(read, 'stream'),
      outputTokensLimit: hasNoOutput ? 0 : readOutputLimit(read, shape),
      hasNoOutput,
      choices: (chatFields ? readCount(read, 'n', { least: 1, most: CHOICES_LIMIT }) : null) ?? 1,
      estimatedInputTokens: estimate.tokens(body.length, outside.media),
      mostInputTokens: estimate.mostTokens(body.length, outside.media),
      outside,
      includeUsage: includeUsage !== null && literal(body, includeUsage) === 'true',
      ...(terms === null ? {} : { terms }),
      conversation: scanned.noted,
      limits: limitPlaces(shape, scanned),
      places: { model: place(read, 'model'), streamOptions, includeUsage },
    }
    return { head, fields }
  }
}

const NO_PLACES: LimitPlaces = new Map()

function limitPlaces(
  { outputLimits = [], alsoOnce = [] }: RequestShape,
  { fields, noted }: ScannedObject,
): LimitPlaces {
  if (outputLimits.length === 0) return NO_PLACES
  const places = new Map<string, ByteRange>()
  for (const name of ['thinking', 'tools', 'tool_choice']) {
    const found = noted.get(name)
    if (found !== undefined) places.set(name, found)
  }
  for (const name of [...outputLimits, ...alsoOnce]) {
    const found = fields.get(name)
    if (found !== undefined) places.set(name, found)
  }
  return places
}

export interface HeadReading {
  readonly body: Buffer
  readonly fields: ReadonlyMap<string, ByteRange>
}

export const MODEL_CHARACTERS_LIMIT = 256
/** Answers asked for at once. OpenAI gives no more either. */
export const CHOICES_LIMIT = 128

function* scanRequest(body: Buffer, options: Omit<ScanOptions, 'onOtherKey'>): Steps<ScannedObject> {
  if (body.length === 0) throw invalid('The request body is empty. Send one JSON object.')
  const scanned = yield* scanSteps(body, { ...options, onOtherKey: refuseVariants(options.wanted) })
  if (scanned.repeated === null) return scanned
  throw invalid(
    `The field \`${scanned.repeated}\` appears more than once in the request body. Send it once.`,
    scanned.repeated,
  )
}

/** Walks over a body or an object in it. Throws the fault `request_invalid`. */
export function* scanSteps(body: Buffer, options: ScanOptions): Steps<ScannedObject> {
  try {
    return yield* scanInSteps(body, options)
  } catch (flaw) {
    if (!(flaw instanceof JsonFlaw)) throw flaw
    throw invalid(`The request body is not valid JSON: ${flaw.message}. Send one JSON object.`)
  }
}

/**
 * Refuses a key that is a wanted one but for its case. Here it is another field, but upstreams written in Go read keys
 * without regard to case: they would take another model or limit than the one that was checked and held for.
 */
function refuseVariants(wanted: ReadonlySet<string>, prefix = ''): (key: string) => void {
  return (key) => {
    // Nearly all keys, and quick to tell apart.
    if (!/[^!-@[-~]/.test(key)) return
    const field = withoutCase(key)
    if (!wanted.has(field)) return
    const message = `The field \`${prefix}${key}\` is \`${prefix}${field}\` but for its case. Send that one, once.`
    throw invalid(message, prefix + key)
  }
}

function readModel({ body, fields }: HeadReading): string {
  const found = fields.get('model')
  if (found === undefined) {
    throw invalid('The field `model` is missing. Name the model to call; GET /v1/models lists yours.', 'model')
  }
  const model = parsed(body, found)
  if (typeof model === 'string' && model !== '' && model.length <= MODEL_CHARACTERS_LIMIT) return model
  throw invalid(`The field \`model\` must be a string of 1 to ${MODEL_CHARACTERS_LIMIT} characters.`, 'model')
}

function place({ fields }: HeadReading, field: string): ByteRange {
  return fields.get(field) ?? { start: 0, end: 0 }
}

function readBoolean({ body, fields }: HeadReading, field: string): boolean {
  const found = fields.get(field)
  if (found === undefined) return false
  const text = literal(body, found)
  if (text === 'true') return true
  if (text === 'false' || text === 'null') return false
  throw invalid(`The field \`${field}\` must be true or false.`, field)
}

function refuseBackground(read: HeadReading): void {
  if (!readBoolean(read, 'background')) return
  const message =
    'The field `background` must be false: background answers are not supported. Ask for a stream instead.'
  throw invalid(message, 'background')
}

/** OpenAI's and Anthropic's class of service, and Anthropic's way to ask for faster answers and for a place. */
const TERMS = ['service_tier', 'speed', 'inference_geo'] as const

/** Null when the request names none of them. Nearly all requests, and they make nothing for it. */
function readTerms(read: HeadReading): ServiceTerms | null {
  const { fields } = read
  if (!fields.has('service_tier') && !fields.has('speed') && !fields.has('inference_geo')) return null
  return termsOf({
    tier: readTerm(read, 'service_tier'),
    speed: readTerm(read, 'speed'),
    geo: readTerm(read, 'inference_geo'),
  })
}

/** A class of service and a speed are priced alike, by their name; Anthropic has no answers that have both. */
export function termsOf(said: { tier: string | null; speed: string | null; geo: string | null }): ServiceTerms {
  const [tier, speed] = [tierNamed(said.tier), tierNamed(said.speed)]
  const isDear = (name: string | null) => name !== null && name !== PLAIN
  if (isDear(tier) && isDear(speed)) {
    throw invalid('The fields `service_tier` and `speed` cannot be combined. Send one of them.', 'service_tier')
  }
  return { tier: isDear(speed) ? speed : tier, geo: geoNamed(said.geo) }
}

/** The text of a field as its upstream decodes it; null where it is absent or null. */
export function readTerm({ body, fields }: HeadReading, field: string): string | null {
  const found = fields.get(field)
  if (found === undefined) return null
  const value = parsed(body, found)
  if (value === null) return null
  if (typeof value === 'string' && value.length <= TERM_CHARACTERS) return value
  throw invalid(`The field \`${field}\` must be a string of ${TERM_CHARACTERS} characters at most, or null.`, field)
}

function readOutputLimit(read: HeadReading, { outputLimits = [], takesNoOutput }: RequestShape): number | null {
  const least = takesNoOutput === true ? 0 : 1
  const limits = outputLimits.map((field) => readCount(read, field, { least, most: null }))
  return limits.reduce((past, next) => (past === null || next === null ? (past ?? next) : Math.max(past, next)), null)
}

/** `most`: null where only whole numbers are required. */
interface CountRange {
  readonly least: number
  readonly most: number | null
}

function readCount({ body, fields }: HeadReading, field: string, { least, most }: CountRange): number | null {
  const found = fields.get(field)
  if (found === undefined) return null
  const value = parsed(body, found)
  if (value === null) return null
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value)
  if (isWhole && value >= least && value <= (most ?? value)) return value
  const range = most === null ? `${least} or more` : `${least} to ${most}`
  throw invalid(`The field \`${field}\` must be a whole number, ${range}, or null.`, field)
}

function objectPlace({ body, fields }: HeadReading, field: string): ByteRange | null {
  const found = fields.get(field)
  if (found === undefined) return null
  if (body[found.start] === 0x7b || literal(body, found) === 'null') return found
  throw invalid(`The field \`${field}\` must be an object or null.`, field)
}

const INCLUDE_USAGE = new Set(['include_usage'])

function* includeUsagePlace(body: Buffer, options: ByteRange): Steps<ByteRange | null> {
  if (body[options.start] !== 0x7b) return null
  const onOtherKey = refuseVariants(INCLUDE_USAGE, 'stream_options.')
  const scanned = yield* scanSteps(body.subarray(options.start, options.end), { wanted: INCLUDE_USAGE, onOtherKey })
  const field = 'stream_options.include_usage'
  if (scanned.repeated !== null) throw invalid(`The field \`${field}\` appears more than once. Send it once.`, field)
  const found = scanned.fields.get('include_usage')
  if (found === undefined) return null
  const inBody = { start: options.start + found.start, end: options.start + found.end }
  if (['true', 'false', 'null'].includes(literal(body, inBody))) return inBody
  throw invalid(`The field \`${field}\` must be true or false.`, field)
}

/** Only arrays whose first element is a number, or an array that begins with one, and that hold no text, are token ids. */
function* countTokenIds({ body, fields }: HeadReading, field: string, estimate: InputEstimate): Steps<void> {
  const input = fields.get(field)
  if (input === undefined || body[input.start] !== 0x5b) return
  if (!/^\[[\s[]*\d/.test(body.toString('latin1', input.start, input.start + 64))) return
  // Text in it costs by its length, and digits in it are not ids.
  const quote = body.indexOf(QUOTE, input.start)
  if (quote !== -1 && quote < input.end) return
  for (let { start } = input; start < input.end; start += BODY_STEP_BYTES) {
    estimate.countIds(body, { start, end: Math.min(input.end, start + BODY_STEP_BYTES) })
    yield
  }
}

const QUOTE = 0x22
const LITERAL_BYTES_LIMIT = 64

/** A short value as it is written; the text of a long one is of no use here. */
function literal(body: Buffer, { start, end }: ByteRange): string {
  return body.toString('latin1', start, Math.min(end, start + LITERAL_BYTES_LIMIT))
}

/** ASCII without what a string of JSON may not have in it as it is. */
const WITHOUT_CONTROLS = /^[ -\x7f]*$/

/** A string, number, boolean or null; undefined for everything else and for what JSON does not know. */
export function parsed(body: Buffer, { start, end }: ByteRange): unknown {
  if (end - start > MODEL_CHARACTERS_LIMIT * 8) return undefined
  const plain = body[start] === QUOTE ? plainKey(body, start + 1, end - 1) : null
  if (plain !== null && WITHOUT_CONTROLS.test(plain)) return plain
  return parseOrUndefined(body.toString('utf8', start, end))
}

export function invalid(message: string, param?: string): Fault {
  return new Fault('request_invalid', message, param === undefined ? {} : { param })
}

type InSteps = (body: Buffer, about?: RequestAbout) => Steps<RequestHead>

/** One way to read requests, as a protocol has it: in steps, and at once for bodies that take no longer than one. */
export function bothWays(requestSteps: InSteps): {
  readonly requestSteps: InSteps
  readRequest(body: Buffer, about?: RequestAbout): RequestHead
} {
  return { requestSteps, readRequest: (body, about) => atOnce(requestSteps(body, about)) }
}

/** What names a conversation, on any chat wire: the cache key of OpenAI's APIs, Claude Code's session, a stored conversation. */
export const CONVERSATION_NAMES = ['prompt_cache_key', 'metadata', 'conversation'] as const
/** How a conversation begins: its later requests begin alike. */
export const CONVERSATION_BEGINNINGS = [
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
] as const
/** Lists that grow with it; as far as the first message of its user they stay as they are. */
export const CONVERSATION_LISTS = ['messages', 'input', 'contents'] as const

export const CONVERSATION_FIELDS: ReadonlySet<string> = new Set([
  ...CONVERSATION_NAMES,
  ...CONVERSATION_BEGINNINGS,
  ...CONVERSATION_LISTS,
])

/** What a request's walk notes: the same, and what else is looked at later (`openai-chat.ts`, `output-limit.ts`, `offered-tools.ts`). */
const NOTED_FIELDS: ReadonlySet<string> = new Set([
  ...CONVERSATION_FIELDS,
  'reasoning_effort',
  'thinking',
  'tool_choice',
])
