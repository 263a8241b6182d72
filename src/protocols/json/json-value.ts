/** Single values of JSON, by the offset at which they begin. */
import { endOfString } from './json-bytes.ts'
import { parseOrUndefined } from './json-object.ts'
import { fieldsFrom } from './json-scan.ts'

/** Whether it is a value at all: not null, false, "", [] or {}. */
export function isValueSet(bytes: Buffer, at: number): boolean {
  const first = bytes[at]
  if (first === SMALL_N || first === SMALL_F) return false
  if (first === QUOTE) return bytes[at + 1] !== QUOTE
  if (first !== OPEN_BRACKET && first !== OPEN_BRACE) return true
  let next = at + 1
  while (isSpace(bytes[next])) next++
  return bytes[next] !== first + 2
}

/** The string that begins there, decoded; null where there is none, or a longer one than ids are. */
export function shortTextAt(bytes: Buffer, at: number): string | null {
  if (bytes[at] !== QUOTE) return null
  const window = bytes.subarray(at, at + TEXT_BYTES)
  const end = endOfString(window, new DataView(window.buffer, window.byteOffset, window.length), 0)
  if (end < 0) return null
  const text = parseOrUndefined(window.toString('utf8', 0, end))
  return typeof text === 'string' ? text : null
}

/** A short text in a field of the object that begins there; undefined where no object of a few kilobytes does. */
export function shortTextIn(bytes: Buffer, at: number, field: string): string | null | undefined {
  const fields =
    bytes[at] === OPEN_BRACE ? fieldsFrom(bytes, { start: at, most: OBJECT_BYTES }, new Set([field])) : null
  if (fields === null) return undefined
  const found = fields.get(field)
  return found === undefined ? null : shortTextAt(bytes, at + found.start)
}

/** The strings of the list that begins there, as far as it has nothing else, in its first few kilobytes. */
export function shortTextsOf(bytes: Buffer, list: number): readonly string[] {
  const texts: string[] = []
  const window = bytes.subarray(list, list + OBJECT_BYTES)
  const words = new DataView(window.buffer, window.byteOffset, window.length)
  for (let at = 1; at < window.length && window[at] !== CLOSE_BRACKET; at++) {
    if (window[at] !== QUOTE) continue
    const text = shortTextAt(window, at)
    if (text !== null) texts.push(text)
    const end = endOfString(window, words, at)
    if (end < 0) break
    at = end - 1
  }
  return texts
}

/** The longest id that providers give has some hundred characters; each may be an escape. */
const TEXT_BYTES = 4_096
const OBJECT_BYTES = 1_024

const QUOTE = 0x22
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const SMALL_F = 0x66
const SMALL_N = 0x6e
const OPEN_BRACE = 0x7b

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
