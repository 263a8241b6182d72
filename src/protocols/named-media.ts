import { SEARCHED_BODY_BYTES } from '../core/limits.ts'

/** What a body may name, in any field. */
export interface NamedMedia {
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
