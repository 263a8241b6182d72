/** Keeps an answer within the output limit of its call, as providers do. */
import type { Usage } from './usage.ts'

/** No text of the fake upstream has fewer bytes in a token, by its own count: few real texts have more tokens. */
const BYTES_PER_TOKEN = 4

/** What an answer has of text and tokens. */
export interface Written {
  readonly pieces: readonly string[]
  readonly usage: Usage
}

/** The part of an answer that `limit` tokens have, and its usage; null where all of it is within the limit. */
export function withinLimit({ pieces, usage }: Written, limit: number): Written | null {
  const bytes = Buffer.byteLength(pieces.join(''))
  const tokens = Math.max(usage.output, Math.ceil(bytes / BYTES_PER_TOKEN))
  if (tokens <= limit) return null
  const output = Math.min(usage.output, limit)
  return {
    pieces: firstBytes(pieces, Math.floor((bytes * limit) / tokens)),
    usage: { ...usage, output, reasoning: Math.min(usage.reasoning, output) },
  }
}

/** The pieces up to so many bytes; a character that does not fit is left out. */
function firstBytes(pieces: readonly string[], bytes: number): string[] {
  const kept: string[] = []
  let room = bytes
  for (const piece of pieces) {
    const encoded = Buffer.from(piece)
    // As in the middle of a stream, the decoder keeps half a character for what follows.
    const fitting = new TextDecoder().decode(encoded.subarray(0, room), { stream: true })
    if (fitting !== '') kept.push(fitting)
    room -= encoded.length
    if (room <= 0) break
  }
  return kept
}
