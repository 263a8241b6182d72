import { BODY_STEP_BYTES } from '../../core/limits.ts'
import type { Steps } from '../../core/turns.ts'
import type { Range } from './json-bytes.ts'

/** What a list of JSON has directly in it. */
export interface ListEntries {
  /** As many as there are, or the `most` that were asked about. */
  readonly count: number
  /** Every one of them is a number. */
  readonly areNumbers: boolean
}

/** Counts the entries of the list at that place, in steps and without building them. */
export function* listEntries(body: Buffer, list: Range, most: number): Steps<ListEntries> {
  let depth = 0
  let commas = 0
  let isEmpty = true
  let areNumbers = true
  let isInString = false
  let at = list.start
  while (at < list.end) {
    const stop = Math.min(list.end, at + BODY_STEP_BYTES)
    while (at < stop) {
      const byte = body[at] ?? 0
      if (isInString) {
        if (byte === BACKSLASH) at++
        else if (byte === QUOTE) isInString = false
      } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        if (depth++ > 0) areNumbers = isEmpty = false
      } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--
      else if (byte === COMMA && depth === 1) commas++
      else if (byte > SPACE && depth === 1) {
        isEmpty = false
        if (!isOfNumber(byte)) areNumbers = false
        isInString = byte === QUOTE
      } else if (byte === QUOTE) isInString = true
      at++
    }
    if (commas + 1 >= most && !areNumbers) return { count: most, areNumbers }
    if (at < list.end) yield
  }
  return { count: isEmpty ? 0 : Math.min(commas + 1, most), areNumbers }
}

function isOfNumber(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= NINE) || byte === MINUS || byte === PLUS || byte === POINT || (byte | SMALL) === LETTER_E
  )
}

const SPACE = 0x20
const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_E = 0x65
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** Sets the bit by which capitals differ from small letters. */
const SMALL = 0x20
