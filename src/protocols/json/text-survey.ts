/**
 * Whether `JSON.stringify` writes what `JSON.parse` read from this text with the same keys, in their order, and the same
 * numbers. Like `json-survey.ts`, for a text that has been parsed.
 */
export function isWrittenAlike(text: string, parsed: unknown): boolean {
  let keys = 0
  let mayBeSorted = false
  for (let at = 0; at < text.length && !mayBeSorted; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      const end = closingQuote(text, at + 1)
      const isCounted = isKey(text, end)
      mayBeSorted = isCounted && mayBeIndex(text.charCodeAt(at + 1))
      if (isCounted) keys += 1
      at = end
    } else if (character === MINUS || isDigit(character)) {
      NUMBER.lastIndex = at
      const written = NUMBER.exec(text)?.[0] ?? ''
      if (String(Number(written)) !== written) return false
      at += written.length - 1
    }
  }
  return !mayBeSorted && keys === keysIn(parsed)
}

const NUMBER = /[-+.\deE]+/y
const SPACE = 0x20
const QUOTE = 0x22
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BACKSLASH = 0x5c

/** The text is JSON, so there is one. */
function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (text.charCodeAt(at) <= SPACE) at += 1
  return text.charCodeAt(at) === COLON
}

/** Whether a key that begins so may be a whole number, which JavaScript sorts. */
function mayBeIndex(first: number): boolean {
  return isDigit(first) || first === BACKSLASH
}

function isDigit(character: number): boolean {
  return character >= ZERO && character <= NINE
}

/** More deeply nested values are not looked into, since they could not be written by their fields either. */
const DEPTH_LIMIT = 500

/** Counts the keys of all objects in it: of two that are the same only one is there. Not a number where it is too deep. */
function keysIn(parsed: unknown, depth = 0): number {
  if (typeof parsed !== 'object' || parsed === null) return 0
  if (depth > DEPTH_LIMIT) return Number.NaN
  const values: readonly unknown[] = Object.values(parsed)
  let keys = Array.isArray(parsed) ? 0 : values.length
  for (const value of values) if (typeof value === 'object') keys += keysIn(value, depth + 1)
  return keys
}
