import { stringOf } from './json.ts'
import { Refusal } from './refusal.ts'
import { countTokens, wordsOf } from './tokens.ts'
import { type WireAnswer, type WireCall, namedEvent, soundAnswer, streamAnswer, usedTokens } from './wire-answer.ts'

/** `POST /audio/speech`: silence, a tenth of a second for each word, as a WAV file whatever format was asked for. */
export function answerSpeech({ body }: WireCall): WireAnswer {
  const input = stringOf(body['input'])
  if (input === '' || input.length > CHARACTERS_LIMIT) {
    throw new Refusal(`input takes a text of 1 to ${CHARACTERS_LIMIT} characters.`, { param: 'input' })
  }
  const tenths = [...wordsOf(input)].length
  return body['stream_format'] === 'sse' ? streamAnswer(events(input, tenths)) : soundAnswer(silence(tenths))
}

/** The bound of OpenAI's. */
const CHARACTERS_LIMIT = 4_096
/** One byte each, and 20 tokens a second as at OpenAI. */
const SAMPLES_PER_TENTH = 800
const TOKENS_PER_TENTH = 2
const WAV_HEAD_BYTES = 44

function* events(input: string, tenths: number): Generator<string> {
  yield namedEvent({ type: 'speech.audio.delta', audio: silence(tenths).toString('base64') })
  yield namedEvent({ type: 'speech.audio.done', usage: usedTokens(countTokens(input), tenths * TOKENS_PER_TENTH) })
}

/** A WAV file: 8,000 samples a second, eight bits, mono (Microsoft's "Multimedia Programming Interface", 1991). */
function silence(tenths: number): Buffer {
  const samples = tenths * SAMPLES_PER_TENTH
  const head = Buffer.alloc(WAV_HEAD_BYTES)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(WAV_HEAD_BYTES - 8 + samples, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(10 * SAMPLES_PER_TENTH, 24)
  head.writeUInt32LE(10 * SAMPLES_PER_TENTH, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}
