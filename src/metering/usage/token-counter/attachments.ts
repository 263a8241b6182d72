import { isUtf8 } from 'node:buffer'
import { audioSeconds, UNKNOWN_BYTES_PER_SECOND } from '../../../core/audio-seconds.ts'
import { FILE_TOKENS_LIMIT, fileTokens, GEMINI_DATA, IMAGE_TOKENS } from '../../../core/media-tokens.ts'

/** A string in a field where the wires have pictures, sound, files or ciphers, until it is known what its object says of it. */
export interface Slot {
  /** How the field is to be read; see `SLOTS`. */
  readonly kind: 'url' | 'file' | 'picture' | 'data' | 'drawing' | 'cipher'
  /** The field that its object stands in. */
  readonly field: string
  readonly text: string
}

/** What became of such a string: tokens by its kind and size, or a text that a model reads. */
export type Attachment = number | string

/** Null where the field has no such strings. `field`: the one that the object with the field `name` stands in. */
export function slotOf(name: string, field: string, text: string): Slot | null {
  const kind = SLOTS.get(name)
  if (kind === undefined || (name === 'url' && !URL_HOLDERS.has(field))) return null
  return { kind, field, text }
}

/**
 * What the string costs. `said`: the kinds and media types that its object names, in small letters. It is data only where all of
 * it is Base64, and text otherwise; text in Base64 is read as text by providers, and so it is here.
 */
export function attachmentIn({ kind, field, text }: Slot, said: readonly string[]): Attachment {
  const url = dataUrl(text)
  switch (kind) {
    case 'url':
      if (url !== null) return ofFile(url.type, url.base64)
      return ADDRESS.test(text) ? IMAGE_TOKENS : text
    case 'picture':
      if (url !== null) return ofFile(url.type, url.base64)
      return isBase64(text) || ADDRESS.test(text) ? pictureTokens(text) : text
    case 'file':
      if (url !== null) return ofFile(url.type, url.base64)
      return isBase64(text) ? ofFile('application/octet-stream', text) : text
    case 'drawing':
      return said.includes('image_generation_call') && isBase64(text) ? pictureTokens(text) : text
    case 'cipher':
      return cipherTokens(text)
    case 'data':
      return ofData(text, field, said)
  }
}

const SLOTS: ReadonlyMap<string, Slot['kind']> = new Map([
  ['url', 'url'],
  ['image_url', 'url'],
  ['video_url', 'url'],
  ['audio_url', 'url'],
  ['file_url', 'url'],
  ['fileUri', 'url'],
  ['file_uri', 'url'],
  ['file_data', 'file'],
  ['data', 'data'],
  ['result', 'drawing'],
  ['image', 'picture'],
  ['images', 'picture'],
  ['mask', 'picture'],
  ['image_base64', 'picture'],
  ['b64_json', 'picture'],
  ['encrypted_content', 'cipher'],
  ['encrypted_index', 'cipher'],
  ['signature', 'cipher'],
  ['thoughtSignature', 'cipher'],
  ['thought_signature', 'cipher'],
])

/** `url` is a field of many things. */
const URL_HOLDERS: ReadonlySet<string> = new Set(['image_url', 'video_url', 'audio_url', 'input_image', 'source'])

/** The address of a picture or a file, which is read from there. Longer ones are more text than a picture has tokens. */
const ADDRESS = /^(?:https?|gs):\/\/[^\s]{1,2000}$/i

function ofData(text: string, field: string, said: readonly string[]): Attachment {
  if (said.some((kind) => CIPHERS.has(kind))) return cipherTokens(text)
  if (!isBase64(text)) return text
  if (field === 'input_audio') return ofFile('audio', text)
  const isNamed = GEMINI_DATA.includes(field) || (field === 'source' && said.includes('base64'))
  if (!isNamed || said.includes('text')) return text
  // Of several, the one counts that a client gains least by.
  const types = said.filter((kind) => kind.includes('/'))
  return ofFile(types.find((type) => type.startsWith('text/')) ?? types[0] ?? 'text/plain', text)
}

const CIPHERS: ReadonlySet<string> = new Set(['redacted_thinking', 'reasoning.encrypted'])

/** What is enciphered is read by the maker of the model alone. Its size tells how much that is: as text in Base64 has. */
function cipherTokens(text: string): Attachment {
  return CIPHER.test(text) ? fileTokens(text.length, 'text') : text
}

const CIPHER = /^[!-~]*$/

function pictureTokens(base64: string): number {
  return Math.min(IMAGE_TOKENS, base64.length)
}

function ofFile(type: string, base64: string): Attachment {
  const [kind = ''] = type.split('/')
  if (kind === 'image') return pictureTokens(base64)
  if (kind === 'video') return fileTokens(base64.length, kind)
  const bytes = Buffer.from(base64, 'base64')
  if (kind === 'audio') return soundTokens(bytes)
  const isText = kind === 'text' || (isUtf8(bytes) && !bytes.includes(0) && !bytes.subarray(0, 8).includes(PDF))
  return isText ? bytes.toString() : fileTokens(base64.length, kind)
}

const PDF = Buffer.from('%PDF')

/** Google's count for a second of sound; OpenAI's is 10. */
const TOKENS_PER_SECOND = 32
/** Sound of the highest quality that is not compressed: what claims to be shorter does not say the truth. */
const MOST_BYTES_PER_SECOND = 400_000

function soundTokens(file: Buffer): number {
  const least = file.length / MOST_BYTES_PER_SECOND
  const seconds = Math.max(least, audioSeconds(file) ?? file.length / UNKNOWN_BYTES_PER_SECOND)
  return Math.min(FILE_TOKENS_LIMIT, Math.ceil(seconds * TOKENS_PER_SECOND))
}

const DATA_URL = /^data:([^\s,;]{0,64})(?:;[^\s,]{0,64})?;base64,/i

function dataUrl(text: string): { readonly type: string; readonly base64: string } | null {
  const head = DATA_URL.exec(text.slice(0, 256))
  if (head === null) return null
  const base64 = text.slice(head[0].length)
  return isBase64(base64) ? { type: (head[1] || 'text/plain').toLowerCase(), base64 } : null
}

const BASE64 = /^[\w+/-]+={0,2}$/
/** The first line as `base64` of the command line and mail programs break lines: it is that long. */
const FIRST_LINE = /^[\w+/-]{60,76}\r?\n/

/** Whether all of it is Base64, of either alphabet. */
function isBase64(text: string): boolean {
  if (!BASE64.test(text)) return FIRST_LINE.test(text) && isBase64(text.replaceAll(/[\r\n]/g, ''))
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return padding === 0 ? text.length % 4 !== 1 : text.length % 4 === 0
}
