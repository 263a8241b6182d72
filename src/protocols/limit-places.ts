import type { LimitPlaces } from './reading/output-limit.ts'

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
