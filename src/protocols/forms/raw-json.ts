import { parseOrUndefined } from '../json/json-object.ts'
import { readServerEvent } from '../reading/server-event.ts'

/** JSON that is taken apart and put together again without parsing what is in it, so that numbers and keys stay as they were written. */

/** The elements of a list, or the values that stand one behind the other. */
export interface RawValues {
  readonly values: readonly Buffer[]
  readonly isList: boolean
}

/**
 * The objects in a list of objects, or of JSON objects one behind the other, as in lines; the `[DONE]` of a stream may stand
 * behind them. Null where the bytes are something else.
 */
export function rawValues(json: Buffer): RawValues | null {
  const start = afterWhite(json, 0)
  const isList = json[start] === OPEN_BRACKET
  const values: Buffer[] = []
  let at = isList ? afterWhite(json, start + 1) : start
  while (json[at] === OPEN_BRACE) {
    const end = endOfValue(json, at)
    if (end < 0) return null
    values.push(json.subarray(at, end))
    at = afterWhite(json, end)
    if (isList && json[at] === COMMA) at = afterWhite(json, at + 1)
  }
  if (isList && json[at] === CLOSE_BRACKET) return { values, isList }
  if (isList || values.length === 0) return null
  return at === json.length || DONE.test(json.toString('latin1', at)) ? { values, isList } : null
}

/** The fields of an object as they are written, the last of each name; none where it is not an object. */
export function rawEntries(object: Buffer | string | undefined): Map<string, string> {
  const json = typeof object === 'string' ? Buffer.from(object) : (object ?? NOTHING)
  const entries = new Map<string, string>()
  let at = afterWhite(json, 0)
  if (json[at] !== OPEN_BRACE) return entries
  at = afterWhite(json, at + 1)
  while (json[at] === QUOTE) {
    const endOfKey = endOfValue(json, at)
    const colon = endOfKey < 0 ? -1 : afterWhite(json, endOfKey)
    if (json[colon] !== COLON) return entries
    const start = afterWhite(json, colon + 1)
    const end = endOfValue(json, start)
    if (end < 0) return entries
    entries.set(textOf(json.toString('utf8', at, endOfKey)), json.toString('utf8', start, end))
    at = afterWhite(json, end)
    if (json[at] === COMMA) at = afterWhite(json, at + 1)
  }
  return entries
}

/** The elements of a raw list of objects; none where it is something else. */
export function rawList(list: string | undefined): readonly Buffer[] {
  const found = list === undefined ? null : rawValues(Buffer.from(list))
  return found?.isList === true ? found.values : []
}

/** Fields that are written already, as an object. */
export function rawObject(entries: Iterable<readonly [string, string]>): string {
  return `{${Array.from(entries, ([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(',')}}`
}

/** A raw string as text; empty where it is something else, or has an escape that JSON does not know. */
export function textOf(raw: string | undefined): string {
  return raw?.startsWith('"') === true ? ((parseOrUndefined(raw) as string | undefined) ?? '') : ''
}

/** A field of the object that an event, as Latin-1, has for data, itself and not one of what is in it; empty where it is not a text. */
export function fieldOfEvent(event: string, name: string): string {
  return textOf(rawEntries(readServerEvent(Buffer.from(event, 'latin1')).data).get(name))
}

/** Whether there is a value, and it is not null. */
export function isGiven(raw: string | undefined): raw is string {
  return raw !== undefined && raw !== 'null'
}

/** JSON on one line, as the data of an event. */
function onOneLine(json: Buffer): Buffer {
  if (!json.includes(LINE_FEED) && !json.includes(RETURN)) return json
  return Buffer.from(json.toString('latin1').replace(/[\r\n]/g, ' '), 'latin1')
}

/** The event of these data. */
export function eventOf(data: string | Buffer, name?: string): Buffer {
  const line = name === undefined ? 'data: ' : `event: ${name}\ndata: `
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  return Buffer.concat([Buffer.from(line), onOneLine(bytes), BLANK_LINE])
}

const NOTHING = Buffer.alloc(0)
const BLANK_LINE = Buffer.from('\n\n')
const DONE = /^data: ?\[DONE\]\s*$/
const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

function afterWhite(json: Buffer, from: number): number {
  let at = from
  let byte = json[at]
  while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) byte = json[++at]
  return at
}

/** The offset behind the value that begins at `start`; -1 where it has no end. */
function endOfValue(json: Buffer, start: number): number {
  const first = json[start]
  if (first === QUOTE) return endOfString(json, start)
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfLiteral(json, start)
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = endOfString(json, at) - 1
      if (at < 0) return -1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1
    if (depth === 0) return at + 1
  }
  return -1
}

function endOfLiteral(json: Buffer, start: number): number {
  let at = start
  while (at < json.length && LITERAL.has(json[at] ?? 0)) at++
  return at > start ? at : -1
}

/** Numbers, true, false and null. */
const LITERAL = new Set(Buffer.from('0123456789+-.eEtrufalsn'))

/** -1 where it is never closed. */
function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let first = end
    while (json[first - 1] === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end + 1
  }
  return -1
}
