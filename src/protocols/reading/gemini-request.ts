import type { ByteRange, RequestAbout, RequestHead } from '../protocol.ts'
import type { ServiceTerms } from '../../core/terms.ts'
import type { Steps } from '../../core/turns.ts'
import {
  CHOICES_LIMIT,
  CONVERSATION_FIELDS,
  type HeadReading,
  invalid,
  MODEL_CHARACTERS_LIMIT,
  parsed,
  readTerm,
  scanSteps,
  termsOf,
} from './request-head.ts'
import { InputEstimate } from './input-estimate.ts'
import type { ScannedObject, ScanOptions } from '../json/json-walk.ts'
import { OUTSIDE_SHOWN, OutsideInputFinder } from './outside-input-finder.ts'
import { refuseOtherEndpoint } from '../other-endpoint.ts'
import { withoutCase } from './outside-names.ts'

/**
 * Reads a request of Gemini's wire, in steps: model and stream stand in its path, the limits in its generation config. Google's JSON
 * takes every name in camel case and in snake case, so both count, and the larger of two limits holds. Throws the fault
 * `request_invalid`.
 */
export function* readGeminiRequest(body: Buffer, { fromPath }: RequestAbout = {}): Steps<RequestHead> {
  if (fromPath === undefined) throw invalid('The path of this request names no model.', 'model')
  if (fromPath.model === '' || fromPath.model.length > MODEL_CHARACTERS_LIMIT) {
    throw invalid(`The model in the path must have 1 to ${MODEL_CHARACTERS_LIMIT} characters.`, 'model')
  }
  if (body.length === 0) throw invalid('The request body is empty. Send one JSON object.')
  const estimate = new InputEstimate()
  const outside = new OutsideInputFinder()
  const listeners = {
    noted: CONVERSATION_FIELDS,
    onLongString: estimate.look,
    onName: outside.look,
    names: OUTSIDE_SHOWN,
  }
  const { fields, noted } = yield* scanOnce(body, TOP, { prefix: '', ...listeners })
  outside.end()
  refuseOtherEndpoint('gemini', (field) => noted.has(field))
  const model = fields.get('model')
  if (model !== undefined) checkModel(parsed(body, model), fromPath.model)
  const limits: number[] = []
  const choices: number[] = [1]
  for (const name of CONFIGS) {
    const config = fields.get(name)
    if (config !== undefined) yield* readConfig(body, { config, name }, { limits, choices })
  }
  const terms = TIERS.some((name) => fields.has(name)) ? readTerms({ body, fields }) : null
  return {
    model: fromPath.model,
    stream: fromPath.isStream,
    outputTokensLimit: limits.length === 0 ? null : Math.max(...limits),
    hasNoOutput: false,
    choices: Math.max(...choices),
    estimatedInputTokens: estimate.tokens(body.length, outside.media),
    mostInputTokens: estimate.mostTokens(body.length, outside.media),
    outside,
    includeUsage: false,
    ...(terms === null ? {} : { terms }),
    conversation: noted,
    limits: new Map([...fields].filter(([name]) => CONFIGS.includes(name))),
    places: { model: model ?? { start: 0, end: 0 }, streamOptions: null, includeUsage: null },
  }
}

/** Where a model's full name on this wire begins: `models/gemini-x`. */
export const MODEL_RESOURCE = 'models/'

const CONFIGS = ['generationConfig', 'generation_config']
const LIMITS = ['maxOutputTokens', 'max_output_tokens']
const CHOICES = ['candidateCount', 'candidate_count']
const TIERS = ['serviceTier', 'service_tier']
const TOP = names(['model', ...CONFIGS, ...TIERS])
const CONFIG = names([...LIMITS, ...CHOICES])

interface Names {
  readonly wanted: ReadonlySet<string>
  readonly byLowerCase: ReadonlyMap<string, string>
}

function names(wanted: readonly string[]): Names {
  return { wanted: new Set(wanted), byLowerCase: new Map(wanted.map((name) => [name.toLowerCase(), name])) }
}

/** Refuses a wanted key that stands twice, or is written in other cases: upstreams would not agree on which one holds. */
function* scanOnce(
  bytes: Buffer,
  { wanted, byLowerCase }: Names,
  options: { readonly prefix: string } & Pick<ScanOptions, 'onLongString' | 'onName'>,
): Steps<ScannedObject> {
  const { prefix, ...rest } = options
  const onOtherKey = (key: string): void => {
    const meant = byLowerCase.get(withoutCase(key))
    if (meant === undefined) return
    throw invalid(
      `The field \`${prefix}${key}\` is \`${prefix}${meant}\` but for its case. Send that one.`,
      prefix + key,
    )
  }
  const scanned = yield* scanSteps(bytes, { wanted, onOtherKey, ...rest })
  if (scanned.repeated === null) return scanned
  const field = prefix + scanned.repeated
  throw invalid(`The field \`${field}\` appears more than once in the request body. Send it once.`, field)
}

/** One or the other name; Google's JSON takes the last of the two, so both have to say the same. */
function readTerms(read: HeadReading): ServiceTerms {
  const [first, second] = TIERS.map((field) => readTerm(read, field))
  if (first && second && first !== second) {
    throw invalid('The fields `serviceTier` and `service_tier` are one field. Send it once.', 'serviceTier')
  }
  return termsOf({ tier: first ?? second ?? null, speed: null, geo: null })
}

/** A model in the body is as good as none, if it is the one that was checked. */
function checkModel(inBody: unknown, inPath: string): void {
  if (inBody === inPath || inBody === MODEL_RESOURCE + inPath) return
  throw invalid('The field `model` is another model than the one in the path. Leave it out of the body.', 'model')
}

const OPEN_BRACE = 0x7b

function* readConfig(
  body: Buffer,
  { config, name }: { config: ByteRange; name: string },
  found: { readonly limits: number[]; readonly choices: number[] },
): Steps<void> {
  if (body[config.start] !== OPEN_BRACE) {
    if (parsed(body, config) === null) return
    throw invalid(`The field \`${name}\` must be an object or null.`, name)
  }
  const bytes = body.subarray(config.start, config.end)
  const { fields } = yield* scanOnce(bytes, CONFIG, { prefix: `${name}.` })
  for (const [field, place] of fields) {
    const isLimit = LIMITS.includes(field)
    const value = wholeNumber(parsed(bytes, place))
    if (value === null) continue
    const isWithin = isLimit ? value >= 1 : value >= 1 && value <= CHOICES_LIMIT
    if (!isWithin) {
      const range = isLimit ? '1 or more' : `1 to ${CHOICES_LIMIT}`
      throw invalid(`The field \`${name}.${field}\` must be a whole number, ${range}, or null.`, `${name}.${field}`)
    }
    if (isLimit) found.limits.push(value)
    else found.choices.push(value)
  }
}

/** Null for null, NaN for anything but a number. Google's JSON takes whole numbers as strings too. */
function wholeNumber(value: unknown): number | null {
  if (value === null) return null
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : NaN
}
