import type { Range } from './json/json-bytes.ts'
import { fieldsIn } from './json/json-scan.ts'

/** What is to be changed at the top of a JSON body. */
export interface MemberChange {
  /** Names of members that are left out, however often they stand there. */
  readonly without: readonly string[]
  /** Members as JSON writes their values. One that the body has already stays as it is there. */
  readonly adding: Readonly<Record<string, string>>
}

/**
 * A JSON object without some of its top-level members and with others at its front. All other bytes stay as they are, as views of
 * the body; null: it is not one.
 */
export function withMembers(body: Buffer, { without, adding }: MemberChange): readonly Buffer[] | null {
  const names = new Set([...without, ...Object.keys(adding)])
  const found = fieldsIn(body, names)
  if (found === null) return null
  const pieces = cutOut(
    body,
    without.flatMap((name) => found.get(name) ?? []),
  )
  // A name may stand there twice, and parsers differ in which of them they read.
  if (pieces.length > 1) {
    const rest = Buffer.concat(pieces)
    const again = fieldsIn(rest, new Set(without))
    if (again !== null && again.size > 0) return withMembers(rest, { without, adding })
  }
  const added = Object.entries(adding).filter(([name]) => !found.has(name))
  return added.length === 0 ? pieces : withFront(pieces, added)
}

/** The value of a top-level member, as its JSON; null: there is none of this name, or no object. */
export function memberOf(body: Buffer, name: string): string | null {
  const found = fieldsIn(body, new Set([name]))?.get(name)
  return found === undefined ? null : body.toString('utf8', found.start, found.end)
}

/** The body without the members that have these values, each with one of the commas around it. */
function cutOut(body: Buffer, values: readonly Range[]): readonly Buffer[] {
  const pieces: Buffer[] = []
  let from = 0
  for (const value of values.toSorted((one, other) => one.start - other.start)) {
    const key = keyBefore(body, value.start)
    const before = solidBefore(body, key)
    // The comma before it may have gone with the member before it.
    const isBehindComma = body[before] === COMMA && before >= from
    pieces.push(body.subarray(from, isBehindComma ? before : key))
    const behind = solidFrom(body, value.end)
    from = !isBehindComma && body[behind] === COMMA ? behind + 1 : value.end
  }
  return [...pieces, body.subarray(from)]
}

function withFront(pieces: readonly Buffer[], added: readonly (readonly [string, string])[]): readonly Buffer[] {
  const text = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')
  const [first, ...others] = pieces
  if (first === undefined) return pieces
  const open = first.indexOf(OPEN_BRACE) + 1
  const behind = pieces.map((piece, index) => (index === 0 ? piece.subarray(open) : piece))
  const isEmpty = behind.every(
    (piece) => solidFrom(piece, 0) === piece.length || piece[solidFrom(piece, 0)] === CLOSE_BRACE,
  )
  return [first.subarray(0, open), Buffer.from(isEmpty ? text : `${text},`), first.subarray(open), ...others]
}

/** Where the name of the value at that place begins, with its quote. No name that is asked for has a quote in it. */
function keyBefore(body: Buffer, value: number): number {
  const closing = body.lastIndexOf(QUOTE, value - 1)
  return body.lastIndexOf(QUOTE, closing - 1)
}

function solidBefore(body: Buffer, at: number): number {
  let index = at - 1
  while (isSpace(body[index])) index--
  return index
}

function solidFrom(body: Buffer, at: number): number {
  let index = at
  while (isSpace(body[index])) index++
  return index
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

const COMMA = 0x2c
const QUOTE = 0x22
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
