import type { Steps } from '../core/turns.ts'
import { NO_TOKENS } from '../core/tokens.ts'
import { known, ONE_REQUEST } from '../core/units.ts'
import type { Answer, ByteRange, RequestHead, StreamingProtocol } from './protocol.ts'
import { answerOrError, readFields } from './reading/answer.ts'
import { audioSeconds } from '../core/audio-seconds.ts'
import { bothWays, parsed, requestReader } from './reading/request-head.ts'
import { JsonFlaw } from './json/json-bytes.ts'
import { parseOrUndefined } from './json/json-object.ts'
import { readOpenaiUsage } from './reading/openai-usage.ts'
import { renameModel } from './reading/request-rewrite.ts'
import { readErrorAnswer } from './reading/upstream-error.ts'
import { type DoneStreamShape, doneStream } from './stream/done-policy.ts'

/**
 * `POST /v1/audio/speech`: text in, sound out, as bytes of a file or with `stream_format: "sse"` as events. Charged by the
 * characters of `input`, which the request tells, or by tokens, which only the events report
 * (https://platform.openai.com/docs/api-reference/audio/createSpeech).
 */
export const openaiSpeech: StreamingProtocol = {
  wire: 'openai-speech',
  streams: true,
  ...bothWays(readRequest),
  rewriteRequest: renameModel,
  readAnswer,
  readError: readErrorAnswer,
  openStream: () => doneStream(STREAM, 1),
}

const readHead = requestReader({ alsoOnce: ['input', 'stream_format'] })

function* readRequest(body: Buffer): Steps<RequestHead> {
  const { head, fields } = yield* readHead(body)
  const [input, format] = [fields.get('input'), fields.get('stream_format')]
  const { characters, bytes } = input === undefined ? { characters: 0, bytes: 0 } : sizeOf(body, input)
  return {
    ...head,
    stream: format !== undefined && parsed(body, format) === 'sse',
    units: { ...ONE_REQUEST, characters: known(characters) },
    expectedOutputTokens: Math.ceil(bytes * TOKENS_PER_BYTE),
  }
}

/** No provider is known to read so much aloud: more is counted by its bytes, of which a character has one at least. */
const COUNTED_BYTES = 512 * 1024
const QUOTE = 0x22

function sizeOf(body: Buffer, { start, end }: ByteRange): { characters: number; bytes: number } {
  const isCounted = body[start] === QUOTE && end - start <= COUNTED_BYTES
  const text = isCounted ? parseOrUndefined(body.toString('utf8', start, end)) : undefined
  if (typeof text === 'string') return { characters: charactersIn(text), bytes: Buffer.byteLength(text) }
  return { characters: end - start, bytes: end - start }
}

/** Code points: an emoji is one character, as providers count. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Sound is 20 tokens a second at gpt-4o-mini-tts ($12 per million, about $0.015 a minute). English is spoken at 15
 * characters a second, Chinese at 4 or 5 of three bytes each, so this is half as much again.
 */
const TOKENS_PER_BYTE = 2
const TOKENS_PER_SECOND = 20

/** A file of sound says nothing of tokens, so its length is measured where its format is known. */
function readAnswer(body: Buffer): Answer {
  if (body.length === 0) return { kind: 'malformed', why: 'it is empty' }
  const fields = body[0] === BRACE ? readFields(body, ERROR) : NO_FIELDS
  const answer = answerOrError(fields instanceof JsonFlaw ? NO_FIELDS : fields, NO_TOKENS)
  if (answer.kind === 'failed') return answer
  const seconds = audioSeconds(body)
  return seconds === null ? answer : { ...answer, estimatedOutputTokens: Math.ceil(seconds * TOKENS_PER_SECOND) }
}

const BRACE = 0x7b
const ERROR = new Set(['error'])
const NO_FIELDS: ReadonlyMap<string, unknown> = new Map()

const STREAM: DoneStreamShape = {
  done: ['speech.audio.done'],
  text: { fields: [] },
  reportOf: readOpenaiUsage,
  unitsOf: () => null,
}
