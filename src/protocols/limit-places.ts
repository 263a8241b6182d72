import type { AskedModel } from '../models/table.ts'
import type { Range } from './json/json-bytes.ts'

/** How many tokens the output of a request may have, and the model that is to write it. */
export interface OutputLimit {
  readonly model: AskedModel
  readonly tokens: number
}

/** Where the fields stand that a lower limit has to do with (`RequestHead.limits`). */
export type LimitPlaces = ReadonlyMap<string, Range>

/**
 * Writes a lower output limit into a body, and changes no other byte; null where its wire lets none so low stand there. Without the
 * places the body is walked over once more.
 */
export type LimitOutput = (body: Buffer, limit: OutputLimit, places?: LimitPlaces) => Buffer | null

/** Where the fields of a body stand in pieces that replace parts of it; undefined where one of them is none of the body's own. */
export function placesIn(pieces: readonly Buffer[], body: Buffer, places: LimitPlaces): LimitPlaces | undefined {
  const moved = new Map<string, { start: number; end: number }>()
  for (const [name, { start, end }] of places) {
    let before = 0
    for (const piece of pieces) {
      const from = piece.buffer === body.buffer ? piece.byteOffset - body.byteOffset : -1
      if (from >= 0 && from <= start && end <= Math.min(from + piece.length, body.length)) {
        moved.set(name, { start: before + start - from, end: before + end - from })
      }
      before += piece.length
    }
    if (!moved.has(name)) return undefined
  }
  return moved
}
