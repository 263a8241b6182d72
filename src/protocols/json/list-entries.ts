import { BODY_STEP_BYTES } from '../../core/limits.ts'
import type { Steps } from '../../core/turns.ts'
import { endOfString, type Range } from './json-bytes.ts'

/** What a list of JSON has directly in it. */
export interface ListEntries {
  /** How many there are, or the `most` that were asked about. */
  readonly count: number
  /** Every one of them is a number. */
  readonly areNumbers: boolean
}

/** Counts the entries of the list at that place, in steps and without building them. */
export function* listEntries(body: Buffer, list: Range, most: number): Steps<ListEntries> {
  let count = 0
  let areNumbers = true
  for (const entry of entriesIn(body, list)) {
    if (entry !== null) {
      count += 1
      areNumbers &&= beginsNumber(body[entry.start] ?? 0)
    } else if (count >= most && !areNumbers) break
    else yield
  }
  return { count: Math.min(count, most), areNumbers }
}

/** What stands directly in a list, of which all brackets and strings are closed; null where a step ends. */
export function* entriesIn(body: Buffer, list: Range): Generator<Range | null> {
  const words = new DataView(body.buffer, body.byteOffset, body.length)
  let start = -1
  let depth = 0
  let at = list.start + 1
  for (let pause = at + BODY_STEP_BYTES; at < list.end - 1; at++) {
    if (at > pause) {
      pause = at + BODY_STEP_BYTES
      yield null
    }
    const byte = body[at] ?? SPACE
    if (depth === 0 && byte === COMMA) {
      if (start >= 0) yield solid(body, { start, end: at })
      start = -1
      continue
    }
    if (start < 0 && byte > SPACE) start = at
    if (byte === QUOTE) at = endOfString(body, words, at) - 1
    else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1
  }
  if (start >= 0) yield solid(body, { start, end: at })
}

/** Shortens a range by the white space at its end. */
function solid(body: Buffer, { start, end }: Range): Range {
  let last = end
  while ((body[last - 1] ?? 0) <= SPACE) last -= 1
  return { start, end: last }
}

function beginsNumber(byte: number): boolean {
  return byte === MINUS || (byte >= ZERO && byte <= NINE)
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
