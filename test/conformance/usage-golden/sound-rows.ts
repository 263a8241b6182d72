import { NO_UNITS } from '../../../src/core/units.ts'
import type { GoldenRow } from './golden-row.ts'

const spoken = (characters: number) => ({ ...NO_UNITS, requests: 1, characters })
const heard = (seconds: number) => ({ ...NO_UNITS, requests: 1, seconds })

/** $15 for a million characters. */
const BY_CHARACTER = { character: 15_000 }
/** $0.006 a minute. */
const BY_SECOND = { second: 100_000 }

/** A second of silence: 8,000 samples of a byte. */
function second(): string {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  return Buffer.concat([head, Buffer.alloc(8_000, 128)]).toString('latin1')
}

/** `POST /v1/audio/speech`. What each of these requests lets speak is one letter, unless it says otherwise. */
export const SPEECH_ROWS: readonly GoldenRow[] = [
  {
    what: 'OpenAI: tokens, which events alone report',
    events: [
      `data: {"type":"speech.audio.delta","audio":"aGk="}`,
      `data: {"type":"speech.audio.done","usage":{"input_tokens":14,"output_tokens":101,"total_tokens":115}}`,
    ],
    tokens: { input: 14, output: 101, units: spoken(1) },
    sum: '14 × 2500 + 101 × 10000 = 1045000',
  },
  {
    what: 'characters are counted here, and are exact',
    answer: 'sound',
    request: { fields: { input: 'Grüße 👋' } },
    prices: BY_CHARACTER,
    tokens: { units: spoken(7) },
    sum: '7 × 15000 = 105000',
  },
  {
    what: 'tokens of a file, by its length',
    answer: second(),
    tokens: { input: 11, output: 20, units: spoken(1) },
    sum: '11 × 2500 + 20 × 10000 = 227500',
    isEstimated: true,
  },
  {
    what: 'tokens of a file of unknown format, by what is spoken',
    answer: 'sound',
    tokens: { input: 11, output: 2, units: spoken(1) },
    sum: '11 × 2500 + 2 × 10000 = 47500',
    isEstimated: true,
  },
]

/** `POST /v1/audio/transcriptions`. By their bytes alone these requests hold four seconds. */
export const TRANSCRIPTIONS_ROWS: readonly GoldenRow[] = [
  {
    what: 'OpenAI: tokens of text and of sound',
    usage: `{"type":"tokens","input_tokens":14,"input_token_details":{"text_tokens":4,"audio_tokens":10},"output_tokens":45,"total_tokens":59}`,
    tokens: { input: 4, output: 45, other: { audioInput: 10, imageInput: 0, audioOutput: 0 }, units: heard(4) },
    sum: '4 × 2500 + 10 × 40000 + 45 × 10000 = 860000',
  },
  {
    what: 'OpenAI: seconds',
    usage: `{"type":"duration","seconds":9}`,
    prices: BY_SECOND,
    tokens: { units: heard(9) },
    sum: '9 × 100000 = 900000',
  },
  {
    what: 'the duration in verbose JSON, rounded up',
    answer: `{"task":"transcribe","language":"english","duration":8.470000267028809,"text":"Hello","segments":[]}`,
    prices: BY_SECOND,
    tokens: { units: heard(9) },
    sum: '9 × 100000 = 900000',
  },
  {
    what: 'Groq: the duration as text',
    answer: `{"text":"Hello","duration":"8.2"}`,
    prices: BY_SECOND,
    tokens: { units: heard(9) },
    sum: '9 × 100000 = 900000',
  },
  {
    what: 'text reports nothing: by the bytes that were sent',
    answer: 'Hello\n',
    prices: BY_SECOND,
    tokens: { units: heard(4) },
    sum: '4 × 100000 = 400000',
    isEstimated: true,
  },
  {
    what: 'more seconds than there can be are charged at the bound',
    usage: `{"type":"duration","seconds":86401}`,
    prices: BY_SECOND,
    tokens: { units: heard(86400) },
    sum: '86400 × 100000 = 8640000000',
    isCapped: true,
  },
  {
    what: 'by tokens, and nothing reported: the words are counted here',
    answer: 'Hello',
    tokens: { input: 11, output: 7, units: heard(4) },
    sum: '11 × 2500 + 7 × 10000 = 97500',
    isEstimated: true,
  },
  {
    what: 'silence has no words',
    answer: '\n',
    tokens: { input: 11, output: 0, units: heard(4) },
    sum: '11 × 2500 + 0 × 10000 = 27500',
    isEstimated: true,
  },
]
