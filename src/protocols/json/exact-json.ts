import { UNGUESSABLE } from '../../core/unguessable.ts'
import type { JsonObject } from './json-object.ts'

/**
 * JSON that is not ours to read (arguments of calls, schemas, results of tools) is written as it came. A number keeps its text
 * (`ExactNumber`), an object whose keys JavaScript cannot hold as they came keeps all of its text (`writtenAs`), and a text
 * that only has to become an object is not parsed for that (`textAsObject`).
 *
 * `JSON.stringify` takes three times as long for a value that has a `toJSON` anywhere, so texts go as strings of our own making,
 * which are replaced in what it wrote. Measured, decision 0108. Within `make`, parts that become text are written by `writeJson`
 * as well, never by `JSON.stringify`.
 */
export function writeJson(make: () => unknown): string {
  const outer = texts
  const own: string[] = []
  texts = own
  try {
    const json = JSON.stringify(make())
    return own.length === 0 ? json : withTexts(json, own)
  } finally {
    texts = outer
  }
}

/**
 * What stands for the text of an object in the value that `writeJson` is making; elsewhere the object itself. `text` must be
 * valid JSON.
 */
export function textAsObject(text: string, read: (text: string) => unknown): unknown {
  return texts === null ? read(text) : markerOf(text, texts)
}

/**
 * The object itself, which is written as `text` for as long as it is the same object: a copy of it with other fields is
 * written by its fields.
 */
export function writtenAs(object: JsonObject, text: string): JsonObject {
  Object.setPrototypeOf(object, KEPT)
  Object.defineProperty(object, TEXT, { value: text })
  return object
}

const TEXT = Symbol('text')

interface KeptText {
  readonly [TEXT]: string
}

const KEPT = {
  toJSON(this: KeptText): unknown {
    return texts === null ? { ...this } : markerOf(this[TEXT], texts)
  },
}

/** The texts in the value that is being written; null: none is. */
let texts: string[] | null = null

/**
 * A control character, by which markers are found quickly, and what cannot be guessed, since clients and models must not be
 * able to write one.
 */
const MARKER_BEGIN = '\u007f'
const MARKER = MARKER_BEGIN + UNGUESSABLE

function markerOf(text: string, found: string[]): string {
  found.push(portable(text))
  return `${MARKER}${found.length - 1}`
}

function withTexts(json: string, found: readonly string[]): string {
  let written = ''
  let from = 0
  for (let at = json.indexOf(MARKER_BEGIN); at >= 0; at = json.indexOf(MARKER_BEGIN, at + 1)) {
    if (!json.startsWith(MARKER, at)) continue
    const end = json.indexOf('"', at)
    written += json.slice(from, at - 1) + (found[Number(json.slice(at + MARKER.length, end))] ?? 'null')
    from = end + 1
  }
  return written + json.slice(from)
}

/**
 * Writes JSON in one line, as an event of a stream needs it, and in characters that UTF-8 has. A line break in JSON stands
 * between its values, and half of a pair of surrogates in a string.
 */
function portable(text: string): string {
  const line = text.includes('\n') || text.includes('\r') ? text.replace(/[\n\r]+/g, ' ') : text
  return line.isWellFormed() ? line : line.replace(LONE_SURROGATE, escaped)
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`
}
