import type { Steps } from '../core/turns.ts'
import { type ExpectedUnits, NO_UNITS, ONE_REQUEST, type UnitCounts } from '../core/units.ts'
import type { Answer, RequestAbout, RequestHead, StreamingProtocol } from './protocol.ts'
import { answerOrError, readFields } from './reading/answer.ts'
import { bothWays, CHOICES_LIMIT, parsed, requestReader } from './reading/request-head.ts'
import { boundaryOf } from './reading/form.ts'
import { countIn, type FormRequest, readForm, requireJson } from './reading/form-request.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { openaiCounts, readOpenaiUsage } from './reading/openai-usage.ts'
import { renameModelInForm } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { type DoneStreamShape, doneStream } from './stream/done-policy.ts'

/**
 * `POST /v1/images/generations` (JSON) and `/v1/images/edits` (a form, or JSON). Charged by the images that come, or by
 * tokens where the answer reports them (https://platform.openai.com/docs/api-reference/images).
 */
export const openaiImages: StreamingProtocol = {
  wire: 'openai-images',
  streams: true,
  ...bothWays(readRequest),
  rewriteRequest: renameModelInForm,
  readAnswer,
  readError: readErrorAnswer,
  openStream: ({ choices }) => doneStream(STREAM, choices ?? 1),
}

const readHead = requestReader({ stream: true, chatFields: true, alsoOnce: ['quality'] })

function* readRequest(body: Buffer, about: RequestAbout = {}): Steps<RequestHead> {
  const boundary = boundaryOf(about.contentType)
  if (boundary !== null) return headOfForm(readForm(body, boundary, ['n', 'quality', 'stream']), body)
  requireJson(about.contentType)
  const { head, fields } = yield* readHead(body)
  const quality = fields.get('quality')
  const named = quality === undefined ? undefined : parsed(body, quality)
  return { ...head, includeUsage: false, ...outputOf(head.choices, named) }
}

function headOfForm(form: FormRequest, body: Buffer): RequestHead {
  const images = countIn(form, 'n', CHOICES_LIMIT) ?? 1
  const fileBytes = form.files.reduce((sum, { start, end }) => sum + end - start, 0)
  return {
    ...form.head,
    choices: images,
    estimatedInputTokens: Math.ceil((body.length - fileBytes) / 3) + form.files.length * INPUT_IMAGE_TOKENS,
    ...outputOf(images, form.fields.get('quality')),
  }
}

/** An image given to gpt-image-1 with high fidelity costs at most 6,240 tokens beside its base; most cost below 1,000. */
const INPUT_IMAGE_TOKENS = 6_500

/**
 * Output tokens of the largest image by quality, at gpt-image-1; where the request names none, the model chooses
 * (https://platform.openai.com/docs/guides/image-generation#cost-and-latency).
 */
const TOKENS_BY_QUALITY: Readonly<Record<string, number>> = { low: 408, medium: 1_584, standard: 1_584 }
const DEAREST_IMAGE_TOKENS = 6_240
/** Each partial image of a stream costs so many more, and there are three at most. */
const PARTIAL_IMAGE_TOKENS = 300

function outputOf(images: number, quality: unknown): { units: ExpectedUnits; expectedOutputTokens: number } {
  const ofOne =
    typeof quality === 'string' ? (TOKENS_BY_QUALITY[quality] ?? DEAREST_IMAGE_TOKENS) : DEAREST_IMAGE_TOKENS
  return {
    units: { ...ONE_REQUEST, images: { expected: images, most: images, isKnown: false } },
    expectedOutputTokens: images * (ofOne + PARTIAL_IMAGE_TOKENS),
  }
}

const WANTED = new Set(['usage', 'error'])

function readAnswer(body: Buffer): Answer {
  const fields = readFields(body, WANTED)
  if (fields instanceof JsonFlaw) return { kind: 'malformed', why: fields.message }
  return answerOrError(fields, { ...openaiCounts(fields.get('usage')), units: imagesIn(body) })
}

/**
 * How many images an answer holds, each with its data or its address; null where it has neither. Looks for the keys and
 * parses nothing: images are megabytes, and within a string these keys would have escaped quotes.
 */
function imagesIn(body: Buffer): UnitCounts | null {
  const images = Math.max(occurrences(body, '"b64_json"'), occurrences(body, '"url"'))
  return images === 0 ? null : { ...NO_UNITS, images }
}

function occurrences(body: Buffer, key: string): number {
  let count = 0
  for (let at = body.indexOf(key); at >= 0; at = body.indexOf(key, at + key.length)) count++
  return count
}

const STREAM: DoneStreamShape = {
  done: ['image_generation.completed', 'image_edit.completed'],
  text: { fields: [] },
  reportOf: readOpenaiUsage,
  unitsOf: (_, images) => ({ ...NO_UNITS, images }),
}
