import type { Steps } from '../core/turns.ts'
import { NO_TOKENS, type TokenCounts } from '../core/tokens.ts'
import { type ExpectedUnits, NO_UNITS, ONE_REQUEST, type UnitCounts } from '../core/units.ts'
import type { Answer, ByteRange, RequestAbout, RequestHead, StreamingProtocol } from './protocol.ts'
import { answerOrError, readFields } from './reading/answer.ts'
import { audioSeconds, UNKNOWN_BYTES_PER_SECOND } from '../core/audio-seconds.ts'
import { bothWays, requestReader } from './reading/request-head.ts'
import { boundaryOf } from './reading/form.ts'
import { type FormRequest, readForm, requireJson } from './reading/form-request.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { countsIn, readOpenaiUsage } from './reading/openai-usage.ts'
import { renameModelInForm } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import type { UsageReport } from './reading/usage-report.ts'
import { fieldsOf, textOf } from './json/json-object.ts'
import { type DoneStreamShape, doneStream } from './stream/done-policy.ts'

/**
 * `POST /v1/audio/transcriptions` and `/v1/audio/translations`: a form with a file of sound, answered in JSON, as plain
 * text, as subtitles, or as events. Charged by the seconds of sound (`usage.seconds`, or `duration` of verbose JSON) or by
 * tokens, where the answer reports these (https://platform.openai.com/docs/api-reference/audio/createTranscription).
 */
export const openaiTranscriptions: StreamingProtocol = {
  wire: 'openai-transcriptions',
  streams: true,
  ...bothWays(readRequest),
  rewriteRequest: renameModelInForm,
  readAnswer,
  readError: readErrorAnswer,
  openStream: () => doneStream(STREAM, 1),
}

const readHead = requestReader({ stream: true })

/** OpenAI takes files; some upstreams take JSON with an address or base64 in place of one. */
function* readRequest(body: Buffer, about: RequestAbout = {}): Steps<RequestHead> {
  const boundary = boundaryOf(about.contentType)
  if (boundary !== null) return headOfForm(readForm(body, boundary, ['stream', 'response_format']), body)
  requireJson(about.contentType)
  const { head } = yield* readHead(body)
  const seconds = Math.ceil((body.length * 3) / 4 / UNKNOWN_BYTES_PER_SECOND)
  return { ...head, ...expectedOf({ expected: seconds, most: LONGEST_SECONDS }) }
}

/** A request has one. */
const FILES_READ = 4

/** What stands elsewhere is a day long at most. */
const LONGEST_SECONDS = 86_400

function headOfForm(form: FormRequest, body: Buffer): RequestHead {
  const bytes = form.files.reduce((sum, { start, end }) => sum + end - start, 0)
  const [read, unread] = [form.files.slice(0, FILES_READ), form.files.slice(FILES_READ)]
  const unreadBytes = unread.reduce((sum, { start, end }) => sum + end - start, 0)
  const seconds = read.reduce((sum, file) => sum + secondsOf(body, file), unreadBytes / UNKNOWN_BYTES_PER_SECOND)
  const expected = Math.max(1, Math.ceil(seconds))
  // Some upstreams fetch the sound from an address in another field.
  const most = bytes === 0 ? LONGEST_SECONDS : Math.max(expected, Math.ceil(bytes / LEAST_BYTES_PER_SECOND))
  return {
    ...form.head,
    choices: 1,
    estimatedInputTokens: expected * INPUT_TOKENS_PER_SECOND + Math.ceil((body.length - bytes) / 3),
    ...expectedOf({ expected, most }),
  }
}

/** 10 tokens a second at gpt-4o-transcribe. */
const INPUT_TOKENS_PER_SECOND = 10
/** Fast speech has four words a second, and most languages need two tokens for one. */
const OUTPUT_TOKENS_PER_SECOND = 8

/** 3.2 kbit/s, below what any codec of speech uses, and 3.2 Mbit/s, above what sound is stored in. */
const LEAST_BYTES_PER_SECOND = 400
const MOST_BYTES_PER_SECOND = 400_000

/** The seconds that the file states, within what its bytes allow: a header can say anything. */
function secondsOf(body: Buffer, { start, end }: ByteRange): number {
  const bytes = end - start
  const read = audioSeconds(body.subarray(start, end)) ?? bytes / UNKNOWN_BYTES_PER_SECOND
  return Math.min(Math.max(read, bytes / MOST_BYTES_PER_SECOND), bytes / LEAST_BYTES_PER_SECOND)
}

function expectedOf(seconds: { expected: number; most: number }): {
  units: ExpectedUnits
  expectedOutputTokens: number
} {
  return {
    units: { ...ONE_REQUEST, seconds: { ...seconds, isKnown: false } },
    expectedOutputTokens: Math.max(64, seconds.expected * OUTPUT_TOKENS_PER_SECOND),
  }
}

const WANTED = new Set(['usage', 'duration', 'error', 'text'])
const BRACE = 0x7b

/** JSON, or text and subtitles, which report nothing. */
function readAnswer(body: Buffer): Answer {
  if (body.length === 0) return { kind: 'malformed', why: 'it is empty' }
  const fields = body[0] === BRACE ? readFields(body, WANTED) : null
  if (fields === null || fields instanceof JsonFlaw) {
    return answerWith(NO_TOKENS, () => withoutTimes(body.toString()))
  }
  const usage = countsOf(fields.get('usage'), fields.get('duration'))
  const producedText = (): string => textOf(fields.get('text'))
  const answer = answerOrError(fields, usage, producedText)
  return answer.kind === 'answer' ? answerWith(usage, producedText) : answer
}

/** Silence is a text of length 0, not one of unknown length. */
function answerWith(usage: TokenCounts, producedText: () => string): Answer {
  const answer = { kind: 'answer', usage, producedText } as const
  return producedText().trim() === '' ? { ...answer, estimatedOutputTokens: 0 } : answer
}

/** Subtitles have a number and a line of times before each text. */
function withoutTimes(text: string): string {
  return text.includes('-->') ? text.replace(/^(?:WEBVTT.*|\d+|.*-->.*)\r?\n/gm, '') : text
}

function countsOf(usage: unknown, duration: unknown): TokenCounts {
  return { ...countsIn(reportOf(usage)), units: unitsOf(usage, duration) }
}

/** Sound in the input is reported as `input_token_details`, without the letter that other wires have there. */
function reportOf(usage: unknown): UsageReport | null {
  const fields = fieldsOf(usage)
  if (fields['type'] === 'duration') return null
  return readOpenaiUsage(
    fields['input_token_details'] === undefined
      ? usage
      : { ...fields, input_tokens_details: fields['input_token_details'] },
  )
}

function unitsOf(usage: unknown, duration: unknown): UnitCounts | null {
  const fields = fieldsOf(usage)
  const reported = fields['type'] === 'duration' ? fields['seconds'] : (fields['seconds'] ?? duration)
  const seconds = typeof reported === 'string' ? Number(reported) : reported
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > Number.MAX_SAFE_INTEGER) return null
  return { ...NO_UNITS, seconds: Math.ceil(seconds) }
}

const STREAM: DoneStreamShape = {
  done: ['transcript.text.done'],
  text: { fields: ['delta'] },
  reportOf,
  unitsOf: (usage) => unitsOf(usage, undefined),
}
