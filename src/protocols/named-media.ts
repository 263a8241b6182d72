import { SEARCHED_BODY_BYTES } from '../core/limits.ts'
import { IMAGE_TOKENS } from '../core/media-tokens.ts'

/** What a body may name, in any field. */
interface NamedMedia {
  readonly audio: boolean
  readonly image: boolean
}

/** Words for sound as names and values have them: in small letters, and in Gemini's in capitals. */
const AUDIO = ['audio', 'AUDIO']
const IMAGE = ['image', 'IMAGE']
const EVERYTHING: NamedMedia = { audio: true, image: true }

/** Each body is searched once, however often its cost is asked for. */
const SEARCHED = new WeakMap<Buffer, NamedMedia>()

/**
 * Whether these words stand in the bytes, or may when they are decoded: a letter can be written as `\uXXXX` alone. A large body
 * may have all.
 */
export function namedMedia(body: Buffer): NamedMedia {
  if (body.length > SEARCHED_BODY_BYTES) return EVERYTHING
  const known = SEARCHED.get(body)
  if (known !== undefined) return known
  const has = (words: readonly string[]): boolean => words.some((word) => body.includes(word))
  const named = body.includes(String.raw`\u`) ? EVERYTHING : { audio: has(AUDIO), image: has(IMAGE) }
  SEARCHED.set(body, named)
  return named
}

/** More pictures than any provider takes cost no more here. */
const NAMES_LIMIT = 4_096

const NAMES = ['image_url', 'url', 'file_url', 'fileUri', 'file_uri'].map((name) => Buffer.from(`"${name}"`))
/** What stands behind such a name: the beginning of an address. */
const ADDRESS = /^\s{0,8}:\s{0,8}"(?:https?|gs):/
const ADDRESS_BYTES = 32

/** Tokens of the pictures and files that a request names by a URL, at the least: their sizes are not known, nor those behind long texts. */
export function namedPictureTokens(body: Buffer): number {
  const searched = body.subarray(0, SEARCHED_BODY_BYTES)
  let named = 0
  for (const name of NAMES) {
    let looks = NAMES_LIMIT
    for (let at = searched.indexOf(name); at >= 0 && looks > 0; at = searched.indexOf(name, at + name.length)) {
      looks -= 1
      const behind = at + name.length
      if (ADDRESS.test(body.toString('latin1', behind, behind + ADDRESS_BYTES))) named += 1
    }
  }
  return named * IMAGE_TOKENS
}
