/** Ways to make images, sound, transcripts and rankings cost more than they seem. */
import type { Medium } from './media-provider.ts'

export interface MediaCase {
  readonly name: string
  readonly medium: Medium
  readonly path: string
  /** The body, with `MODEL` where its model's name goes. */
  readonly body: () => string | FormData
  /** How many requests may be served of a cent at most, with what each costs known before it runs; 0: it is refused. */
  readonly mostOfACent: number
}

const LETTERS = 'Say it once more. '.repeat(11)
const FACE = '\u{1F600}'

export const MEDIA_CASES: readonly MediaCase[] = [
  images('asks for three', '"n":3'),
  images('asks for three by an escaped name', String.raw`"\u006e":3`),
  images('asks for one, and then for three', '"n":1,"n":3', 0),
  images('asks for three, and then for one', '"n":3,"n":1', 0),
  images('asks for three in other digits', '"n":0.3e1'),
  edits('asks for three in a form', ['3']),
  edits('asks for one and three in a form', ['1', '3'], 0),
  speech('has 198 letters read', JSON.stringify(LETTERS), 3),
  speech('has 198 letters read, each escaped', `"${escapedLetters(LETTERS)}"`, 3),
  speech('names a short text, and then a long one', `"hi","input":${JSON.stringify(LETTERS)}`, 0),
  speech('has 200 faces read', JSON.stringify(FACE.repeat(200)), 3),
  ...(['json', 'text', 'srt', 'vtt'] as const).flatMap((format) => [
    transcript(`sends 30 s of WAV, for ${format}`, { file: wav(30), seconds: 30, format }),
    transcript(`sends 30 s of what cannot be read, for ${format}`, { file: unknown(30), seconds: 30, format }),
  ]),
  transcript('sends a WAV that says it has no bytes', { file: wav(30, 0), seconds: 30, format: 'text' }),
  ranks('has 100 documents ranked', documents(100), 5),
  ranks('has one document and then 100 ranked', `["one"],"documents":${documents(100)}`, 5),
]

function images(name: string, n: string, mostOfACent = 3): MediaCase {
  const body = () => `{"model":"MODEL","prompt":"a cat",${n}}`
  return { name, medium: 'images', path: '/v1/images/generations', body, mostOfACent }
}

function edits(name: string, counts: readonly string[], mostOfACent = 3): MediaCase {
  const body = () => {
    const form = new FormData()
    form.append('model', 'MODEL')
    form.append('prompt', 'a hat')
    for (const count of counts) form.append('n', count)
    form.append('image', new File(['png'], 'a.png', { type: 'image/png' }))
    return form
  }
  return { name, medium: 'images', path: '/v1/images/edits', body, mostOfACent }
}

function speech(name: string, input: string, mostOfACent: number): MediaCase {
  const body = () => `{"model":"MODEL","voice":"alloy","input":${input}}`
  return { name, medium: 'speech', path: '/v1/audio/speech', body, mostOfACent }
}

function transcript(name: string, about: { file: Buffer; seconds: number; format: string }): MediaCase {
  const { file, seconds, format } = about
  const body = () => {
    const form = new FormData()
    form.append('model', 'MODEL')
    form.append('response_format', format)
    form.append('file', new File([new Uint8Array(file)], `${seconds}s.wav`))
    return form
  }
  return { name, medium: 'transcripts', path: '/v1/audio/transcriptions', body, mostOfACent: 3 }
}

function ranks(name: string, list: string, mostOfACent: number): MediaCase {
  const body = () => `{"model":"MODEL","query":"cat","documents":${list}}`
  return { name, medium: 'ranks', path: '/v1/rerank', body, mostOfACent }
}

function documents(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => `document ${index}`))
}

function escapedLetters(text: string): string {
  return Array.from(text, (letter) => String.raw`\u` + letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')
}

/** 8 kHz, one track of 8 bits; `says`: the bytes that its header names, where these are others. */
function wav(seconds: number, says = seconds * 8_000): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + says, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(says, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * 8_000, 128)])
}

/** A recording at the lowest rate at which speech is usually stored, as the documentation says of such files. */
function unknown(seconds: number): Buffer {
  return Buffer.alloc(seconds * 4_000, 7)
}
