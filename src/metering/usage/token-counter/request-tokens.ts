import { attachmentIn, type Slot, slotOf } from './attachments.ts'
import { type JsonListener, walkJson } from './json-walk.ts'
import { isUsualField, isWordOfWires, type FieldRole, placeBelow } from './request-fields.ts'
import type { TextTokens } from './text-tokens.ts'

/**
 * Input tokens of a JSON request: of every text in it and of the names of its fields, wherever they stand, since a client decides
 * where it writes and an upstream what it reads. Data count as what they are where the wires have pictures, sound and files, and
 * only there.
 */
export function requestTokens(body: string, texts: TextTokens): number {
  const count = new RequestCount(texts)
  walkJson(body, count)
  return count.total
}

/** Each message and each part costs its frame. The names in it come with it, up to so many tokens. */
const FRAME_TOKENS = 3
/** Objects and lists within one another that are kept apart. What is deeper is all text. */
const DEPTH_LIMIT = 256
/** Ids in settings that cost nothing, in characters: no model reads them. Codex sends 1,000 of them. */
const FREE_IDS_CHARACTERS = 1_536
/** And of words, such as `auto` and the names of settings. */
const FREE_WORDS_CHARACTERS = 256
/** Letters that no language has more of in a token, in bytes: 4 to 5 are usual, and Hindi has up to 16. */
const MOST_LETTERS_PER_TOKEN = 24

/** An object or a list that is open. */
interface Frame {
  readonly isList: boolean
  readonly place: FieldRole
  /** The field that it stands in. */
  readonly field: string
  /** The field of it that is read now; of a list, the one that it stands in. */
  name: string
  /** Tokens of its names. */
  names: number
  /** Strings that wait for `said`, and what that is; made when needed. */
  slots: Slot[] | null
  said: string[] | null
}

class RequestCount implements JsonListener {
  readonly #texts: TextTokens
  readonly #open: Frame[] = []
  #deeper = 0
  #tokens = 0
  #ofData = 0
  #letters = 0
  #freeIds = FREE_IDS_CHARACTERS
  #freeWords = FREE_WORDS_CHARACTERS

  constructor(texts: TextTokens) {
    this.#texts = texts
  }

  /** The tokens of text: one for 24 bytes of letters at least, which is below what o200k has for any language. */
  get total(): number {
    while (this.#open.length > 0) this.close()
    return Math.max(this.#tokens, Math.floor(this.#letters / MOST_LETTERS_PER_TOKEN)) + this.#ofData
  }

  open(isList: boolean): void {
    if (this.#open.length === DEPTH_LIMIT) {
      this.#deeper++
      if (!isList) this.#tokens += FRAME_TOKENS
      return
    }
    const above = this.#open.at(-1)
    const field = above?.name ?? ''
    const place = above === undefined ? 'top' : above.isList ? above.place : placeBelow(above.place, field)
    this.#open.push({ isList, place, field, name: isList ? field : '', names: 0, slots: null, said: null })
  }

  close(): void {
    if (this.#deeper > 0) {
      this.#deeper--
      return
    }
    const closed = this.#open.pop()
    if (closed === undefined || closed.isList) return
    for (const slot of closed.slots ?? []) this.#attached(slot, closed.said ?? [])
    const isFramed = closed.place === 'media' || closed.place === 'text'
    this.#tokens += isFramed ? Math.max(FRAME_TOKENS, closed.names) : closed.names
  }

  name(text: string): void {
    const frame = this.#frame
    if (frame === undefined || frame.isList) {
      this.#text(text)
      return
    }
    frame.name = text
    if (frame.place === 'top' && isUsualField(text)) return
    if (frame.place === 'setting' && this.#isFree(text)) return
    if (!isWordOfWires(text)) frame.names += this.#counted(text)
  }

  string(text: string): void {
    const frame = this.#frame
    if (frame === undefined) {
      this.#text(text)
      return
    }
    const place = frame.isList ? frame.place : placeBelow(frame.place, frame.name)
    if (place === 'setting' && this.#isFree(text)) return
    if (!frame.isList && KINDS.has(frame.name)) say(frame, text)
    const mayBeData = place === 'media' || frame.place === 'media'
    const slot = mayBeData ? slotOf(frame.name, frame.field, text) : null
    if (slot === null) this.#text(text)
    else if (frame.isList) this.#attached(slot, [])
    else (frame.slots ??= []).push(slot)
  }

  bare(text: string): void {
    if (NUMBER.test(text)) {
      const frame = this.#frame
      const place = frame === undefined ? 'text' : frame.isList ? frame.place : placeBelow(frame.place, frame.name)
      const isSetting = place === 'setting' && text.length <= NUMBER_CHARACTERS
      if (!isSetting) this.#tokens += text.length <= TOKEN_ID_CHARACTERS ? 1 : Math.ceil(text.length / DIGITS_PER_TOKEN)
    } else if (!LITERALS.has(text)) this.#text(text)
    else if (this.#frame?.isList === true) this.#tokens += 1
  }

  /** The innermost that is open; undefined where there is none, or too many are. */
  get #frame(): Frame | undefined {
    return this.#deeper > 0 ? undefined : this.#open.at(-1)
  }

  #text(text: string): void {
    this.#tokens += this.#counted(text)
  }

  #counted(text: string): number {
    if (text.length > SHORT_CHARACTERS) this.#letters += lettersIn(text)
    return this.#texts.of(text)
  }

  #attached(slot: Slot, said: readonly string[]): void {
    const attachment = attachmentIn(slot, said)
    if (typeof attachment === 'string') this.#text(attachment)
    else this.#ofData += attachment
  }

  #isFree(text: string): boolean {
    if (text.length > FREE_IDS_CHARACTERS || !NO_BLANKS.test(text)) return false
    if (NUMBER_OF_TOKEN.test(text)) return true
    if (text.length >= ID_CHARACTERS && DIGIT.test(text)) {
      this.#freeIds -= text.length
      return this.#freeIds >= 0
    }
    this.#freeWords -= text.length
    return this.#freeWords >= 0
  }
}

/** Fields by which an object says what it holds. */
const KINDS: ReadonlySet<string> = new Set(['type', 'media_type', 'mediaType', 'mimeType', 'mime_type'])
/** More of them than any object has: then its data are text. */
const KINDS_LIMIT = 8

function say(frame: Frame, kind: string): void {
  const said = (frame.said ??= [])
  if (said.length < KINDS_LIMIT) said.push(kind.toLowerCase())
  else if (said.length === KINDS_LIMIT) said.push('text')
}

const NO_BLANKS = /^[!-~]*$/
const DIGIT = /\d/
/** Ids are longer than words. */
const ID_CHARACTERS = 16
/** The number of a token, as the names in `logit_bias` are. */
const NUMBER_OF_TOKEN = /^\d{1,7}$/
const NUMBER = /^-?\d[\d.eE+-]*$/
/** Ids of tokens are shorter, and one each. */
const TOKEN_ID_CHARACTERS = 7
const NUMBER_CHARACTERS = 20
const DIGITS_PER_TOKEN = 3
const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Shorter texts have a token at least, and hardly more letters than that. */
const SHORT_CHARACTERS = 32

/** Bytes of the letters and digits of a text in UTF-8. Blanks and signs come in long runs, which are few tokens. */
function lettersIn(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x800) bytes += code >= 0xd800 && code < 0xe000 ? 2 : 3
    else if (code >= 0x80) bytes += 2
    else if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)) bytes++
  }
  return bytes
}
