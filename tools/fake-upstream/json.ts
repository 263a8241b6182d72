/** Reading JSON of unknown shape without throwing, and writing JSON that only survives when it is not rewritten. */

export type JsonObject = { readonly [name: string]: unknown }

/** The value as an object; an empty one when it is anything else. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** The value as a list; an empty one when it is anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a string; an empty one when it is anything else. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The text of a message's content, which every protocol gives as a string or as a list of parts with `text`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => stringOf(objectOf(part)['text']))
    .join('')
}

/**
 * A field that no gateway knows. A trailing zero, an integer above 2^53, needless escapes and a blank in a list: parsing
 * and writing it again changes each of them, so comparing bytes shows who did.
 */
const UNKNOWN_FIELD =
  ',"x_unknown":{"number":1.50,"big":12345678901234567890,"escaped":"caf\\u00e9 \\/ bar","list":[1, 2]}'

/** The object as JSON with the unknown field added, and with `blanks` spaces before its closing brace. */
export function writeWithUnknown(value: JsonObject, blanks = 0): string {
  return `${JSON.stringify(value).slice(0, -1)}${UNKNOWN_FIELD}${' '.repeat(blanks)}}`
}
