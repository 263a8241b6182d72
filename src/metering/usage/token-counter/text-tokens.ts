import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { COUNTING_WORK } from '../../../core/limits.ts'

/**
 * Counts the texts of one question with OpenAI's `o200k_base` encoding, up to a bound of work, so that no body keeps the thread
 * for long: what comes behind it counts as a token for 3 bytes, which is more than prose has.
 */
export class TextTokens {
  /** What is left of the bound: about a character of usual text each. */
  #left: number
  /** Counts of short texts, which come again and again: names, types, roles. */
  readonly #short = new Map<string, number>()

  /** `work`: a test's. */
  constructor(work: number = COUNTING_WORK) {
    this.#left = work
  }

  /** Tokens of one text. */
  of(text: string): number {
    if (text.length > SHORT_CHARACTERS) return this.#ofLong(text)
    const known = this.#short.get(text)
    if (known !== undefined) return known
    const tokens = this.#encoded(text, 1)
    if (this.#short.size < SHORT_TEXTS) this.#short.set(text, tokens)
    return tokens
  }

  /** Long runs are counted in pieces, each of which may come out a token too many. */
  #ofLong(text: string): number {
    let tokens = 0
    let from = 0
    for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
      if (this.#left <= 0) break
      tokens += this.#encoded(text.slice(from, index), 1) + this.#encoded(run, LONG_RUN_WORK)
      from = index + run.length
    }
    return tokens + this.#encoded(text.slice(from), 1)
  }

  #encoded(text: string, work: number): number {
    if (text === '') return 0
    const affordable = Math.floor(this.#left / work)
    if (affordable <= 0) return tokensByBytes(text)
    this.#left -= text.length * work + CALL_WORK
    if (text.length <= affordable) return encodedTokens(text)
    return encodedTokens(text.slice(0, affordable)) + tokensByBytes(text.slice(affordable))
  }
}

/** The encoder takes time by the square of a run without a border between words: 32 s for 100 KB of blanks. */
const LONG_RUN = /\s{400}|\S{400}/g
/** A character of such a run takes so many times as long as one of usual text. */
const LONG_RUN_WORK = 8
/** A text of a word takes as long as so many characters of a longer one. */
const CALL_WORK = 16

const SHORT_CHARACTERS = 32
const SHORT_TEXTS = 10_000

function encodedTokens(text: string): number {
  // Text such as "<|endoftext|>" is text here, also when a client writes it.
  return countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}

const BYTES_PER_TOKEN = 3

function tokensByBytes(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)
}
