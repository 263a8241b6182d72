import { type Range, solidBefore } from './json-bytes.ts'

/** Other text in place of a range of bytes, which may be empty. */
export interface RangeEdit {
  readonly at: Range
  readonly text: string
}

/** The body with these edits, of which no two overlap. Views of it, with the new bytes between them. */
export function piecesOf(body: Buffer, edits: readonly RangeEdit[]): Buffer[] {
  if (edits.length === 0) return [body]
  const pieces: Buffer[] = []
  let from = 0
  const inOrder = edits.length === 1 ? edits : edits.toSorted((one, other) => one.at.start - other.at.start)
  for (const { at, text } of inOrder) {
    pieces.push(body.subarray(from, at.start), Buffer.from(text))
    from = at.end
  }
  pieces.push(body.subarray(from))
  return pieces
}

/** All that goes with the member whose value stands there: its name, and the comma that it needs. No name may have a quote in it. */
export function memberAround(body: Buffer, value: Range): Range {
  const key = body.lastIndexOf(QUOTE, body.lastIndexOf(QUOTE, value.start - 1) - 1)
  const before = solidBefore(body, key - 1, 0)
  if (body[before] === COMMA) return { start: before, end: value.end }
  let behind = value.end
  while (behind < body.length && (body[behind] ?? 0) <= SPACE) behind++
  return { start: key, end: body[behind] === COMMA ? behind + 1 : value.end }
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
