import { type JsonFields, objectOf, stringOf } from './json.ts'
import { Refusal } from './refusal.ts'
import { countTokens, wordsOf } from './tokens.ts'
import {
  type WireAnswer,
  type WireCall,
  jsonAnswer,
  namedEvent,
  streamAnswer,
  textAnswer,
  usedTokens,
} from './wire-answer.ts'

const TEXT = 'demo transcription'

/** `POST /audio/transcriptions` and `/audio/translations`: the same two words of any file, in the format asked for. */
export function answerTranscriptions({ body }: WireCall): WireAnswer {
  const bytes = objectOf(body['file'])['bytes']
  if (typeof bytes !== 'number' || bytes === 0)
    throw new Refusal('file is missing: it takes a sound.', { param: 'file' })
  const seconds = Math.max(1, Math.ceil(bytes / BYTES_PER_SECOND))
  if (body['stream'] === 'true') return streamAnswer(events(seconds))
  const write = FORMATS[stringOf(body['response_format']) || 'json']
  if (write !== undefined) return write(seconds)
  const formats = Object.keys(FORMATS).join(', ')
  throw new Refusal(`response_format takes one of ${formats}.`, { param: 'response_format' })
}

/** 16,000 samples of two bytes, whatever the format is. */
const BYTES_PER_SECOND = 32_000
const TOKENS_PER_SECOND = 10

const FORMATS: Readonly<Record<string, (seconds: number) => WireAnswer>> = {
  json: (seconds) => jsonAnswer({ text: TEXT, usage: usage(seconds) }),
  text: () => textAnswer(`${TEXT}\n`),
  srt: (seconds) => textAnswer(`1\n00:00:00,000 --> ${clock(seconds)},000\n${TEXT}\n\n`),
  vtt: (seconds) => textAnswer(`WEBVTT\n\n00:00:00.000 --> ${clock(seconds)}.000\n${TEXT}\n\n`),
  verbose_json: (seconds) =>
    jsonAnswer({
      task: 'transcribe',
      language: 'english',
      duration: seconds,
      text: TEXT,
      segments: [{ id: 0, start: 0, end: seconds, text: TEXT }],
      usage: { type: 'duration', seconds },
    }),
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19)
}

function* events(seconds: number): Generator<string> {
  for (const word of wordsOf(TEXT)) yield namedEvent({ type: 'transcript.text.delta', delta: word })
  yield namedEvent({ type: 'transcript.text.done', text: TEXT, usage: usage(seconds) })
}

function usage(seconds: number): JsonFields {
  const input = seconds * TOKENS_PER_SECOND
  const details = { input_token_details: { text_tokens: 0, audio_tokens: input } }
  return { type: 'tokens', ...usedTokens(input, countTokens(TEXT)), ...details }
}
