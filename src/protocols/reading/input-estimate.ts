import { fileTokens, GEMINI_DATA, MEDIA_PATH, MEDIA_ROOTS } from '../../core/media-tokens.ts'
import type { Range } from '../json/json-bytes.ts'
import type { JsonWalk } from '../json/json-walk.ts'

/**
 * How many input tokens a request may cost, from its bytes alone. Used to hold money before sending and never to charge,
 * so it leans upwards: one token for 3 bytes. With o200k, prose takes 4 to 5 bytes a token, code 3 to 4; dense JSON takes
 * 2.8 and hexadecimal 2, and are held too low by as much. One for 3 is also one per Chinese, Japanese or Korean character
 * (3 bytes in UTF-8), where tokenizers need 0.6 to 1.1.
 *
 * Two things in a body would make that absurd and are counted apart:
 * - **media** in base64: an image costs the same whatever its size, so a flat amount; see `mediaTokens`;
 * - **escapes**: clients that write `\u4f60` instead of 你 spend 6 bytes on it, so they are counted in long strings.
 *
 * An image that is named by a URL counts as the text of that URL: its size is unknown until the upstream has fetched it.
 *
 * What text can be at most is known as well: tokenizers of bytes, as all in use are, make no more tokens than bytes.
 */
export class InputEstimate {
  /** Tokens of what is not counted by its bytes. */
  #apartTokens = 0
  #apartBytes = 0
  /** What of that can be at most. */
  #apartMost = 0
  /** Tokens of what looks like media. */
  #mediaTokens = 0
  #mediaBytes = 0

  /** Called for each long string of the body, while the walk stands on it. */
  readonly look = (walk: JsonWalk, string: Range): void => {
    const length = string.end - string.start
    const ofMedia = mediaTokens(walk, string)
    if (ofMedia !== null) {
      this.#mediaTokens += ofMedia
      this.#mediaBytes += length
      return
    }
    // A text so long is hardly ever written so, and is then estimated at more than it has.
    const escapes = length > COUNTED_BYTES ? 0 : escapesIn(walk, string)
    if (escapes === 0) return
    const rest = length - escapes * ESCAPE_BYTES
    this.#apartTokens += escapes + Math.ceil(rest / BYTES_PER_TOKEN)
    this.#apartMost += escapes * ESCAPED_BYTES + rest
    this.#apartBytes += length
  }

  /** Token ids that were sent ready made: one token each, whatever their digits. */
  countIds(bytes: Buffer, array: Range): void {
    const ids = numbersIn(bytes, array)
    this.#apartTokens += ids
    this.#apartMost += ids
    this.#apartBytes += array.end - array.start
  }

  /** `hasMedia`: the request holds media by the names in it, as its upstream decodes them; else what looks like media is text. */
  tokens(bodyBytes: number, hasMedia: boolean): number {
    const apartBytes = this.#apartBytes + (hasMedia ? this.#mediaBytes : 0)
    const apartTokens = this.#apartTokens + (hasMedia ? this.#mediaTokens : 0)
    return Math.ceil((bodyBytes - apartBytes) / BYTES_PER_TOKEN) + apartTokens
  }

  /** The most tokens that any text can be; media are estimated here as well. */
  mostTokens(bodyBytes: number, hasMedia: boolean): number {
    const most = bodyBytes - this.#apartBytes + this.#apartMost
    return hasMedia ? most - this.#mediaBytes + this.#mediaTokens : most
  }
}

const BYTES_PER_TOKEN = 3
const COUNTED_BYTES = 4 * 1024 * 1024
/** A character written as `\uXXXX`. */
const ESCAPE_BYTES = 6
/** What it is decoded, at most: half of a pair is two of four. */
const ESCAPED_BYTES = 3
const SAMPLE_BYTES = 36
const BESIDE_BYTES = 128

const MEDIA_LEAVES = new Set(['url', 'image_url', 'data', 'file_data'])

const DATA_URL = /^"data:([a-z]+)\/([^;,"]*)[^,"]*;base64,/i
/** 1 for the bytes of both alphabets; some clients write / as \/ in JSON. */
const BASE64_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w+/=\\-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * Tokens of a piece of media; null for a string that the model will read as text. It must stand where the protocols
 * have their media, not only look like it: a client could otherwise pass a book for a picture and hold too little.
 */
function mediaTokens(walk: JsonWalk, string: Range): number | null {
  const { bytes } = walk
  if (!isBase64(bytes, string)) return null
  const [root, ...path] = walk.keysAbove(string.start) ?? []
  const leaf = path.pop()
  if (root === undefined || leaf === undefined || !MEDIA_ROOTS.has(root) || !MEDIA_LEAVES.has(leaf)) return null
  if (!path.every((key) => MEDIA_PATH.has(key))) return null
  const url = DATA_URL.exec(bytes.toString('latin1', string.start, string.start + 128).replaceAll('\\/', '/'))
  const length = string.end - string.start
  if (url !== null) return fileTokens(length, String(url[1]).toLowerCase())
  if (leaf !== 'data') return null
  if (path.includes('input_audio')) return fileTokens(length, 'audio')
  const isGemini = GEMINI_DATA.includes(path.at(-1) ?? '')
  return fileTokens(length, isGemini ? mimeKind(bytes, string) : sourceKind(bytes, string))
}

/** Gemini names the kind beside the data: `{"mimeType":"image/png","data":"…"}`. */
function mimeKind(bytes: Buffer, string: Range): string {
  const kind = /"mime_?type"\s*:\s*"([a-z]+)\\?\//i.exec(beside(bytes, string))?.[1]?.toLowerCase() ?? 'text'
  return ['image', 'audio', 'video', 'application'].includes(kind) ? kind : 'text'
}

/** What stands in the same object as the string, in short. */
function beside(bytes: Buffer, string: Range): string {
  const before = bytes.toString('latin1', Math.max(0, string.start - BESIDE_BYTES), string.start)
  const after = bytes.toString('latin1', string.end, string.end + BESIDE_BYTES)
  return before.slice(before.lastIndexOf('{')) + after.slice(0, after.indexOf('}'))
}

/** Anthropic names the kind beside the data: `{"type":"base64","media_type":"image/png","data":"…"}`. */
function sourceKind(bytes: Buffer, string: Range): string {
  const object = beside(bytes, string)
  if (object.includes('"text') || !object.includes('"base64"')) return 'text'
  return /"image(?:\\?\/)/.test(object) ? 'image' : 'application'
}

/** Looks at two places only: prose and code have a blank, a quote or an escape within 36 bytes, base64 never has. */
function isBase64(bytes: Buffer, string: Range): boolean {
  const middle = (string.start + string.end) >> 1
  return hasBase64(bytes, middle) && hasBase64(bytes, string.end - 1 - SAMPLE_BYTES)
}

function hasBase64(bytes: Buffer, from: number): boolean {
  let at = from
  while (at < from + SAMPLE_BYTES && BASE64_BYTES[bytes[at] ?? 0] === 1) at++
  return at === from + SAMPLE_BYTES
}

/** Characters of a long text that are written as `\uXXXX`. */
function escapesIn(walk: JsonWalk, string: Range): number {
  // Nearly all texts have none.
  return walk.hasUnicodeEscape(string) ? walk.unicodeEscapes(string.start, string.end - string.start) : 0
}

/** Numbers in an array or in an array of arrays; 0 where it holds something else. */
function numbersIn(bytes: Buffer, array: Range): number {
  let count = 0
  let inside = false
  for (let at = array.start; at < array.end; at++) {
    const byte = bytes[at] ?? 0
    const digit = byte >= 0x30 && byte <= 0x39
    if (digit && !inside) count++
    inside = digit
  }
  return count
}
