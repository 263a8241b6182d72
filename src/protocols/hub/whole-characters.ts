import type { StreamPart } from './neutral-answer.ts'

/**
 * Keeps characters whole that a stream cuts in two: emoji and others beyond 16 bits are two code units, and some upstreams send
 * one at the end of a delta and the other in the next. No client could write the first one as UTF-8.
 */
export class WholeCharacters {
  /** First halves by block, as long as the second has not come. */
  readonly #halves = new Map<number, string>()

  /** Joins parts; returns the same ones where nothing is cut. */
  join(parts: readonly StreamPart[]): readonly StreamPart[] {
    return this.#halves.size === 0 && !parts.some(isCut) ? parts : parts.flatMap((part) => this.#joined(part))
  }

  #joined(part: StreamPart): readonly StreamPart[] {
    if (part.kind === 'begin' || part.kind === 'stop') return [part]
    const half = this.#halves.get(part.block) ?? ''
    if (half === '' && !isCut(part)) return [part]
    if (part.kind !== 'delta' && part.kind !== 'end') return [part]
    this.#halves.delete(part.block)
    // A half without the other one goes on as it came.
    if (part.kind === 'end') return [{ kind: 'delta', block: part.block, text: half }, part]
    const text = half + part.text
    if (!isCut({ ...part, text })) return [{ ...part, text }]
    this.#halves.set(part.block, text.slice(-1))
    return text.length === 1 ? [] : [{ ...part, text: text.slice(0, -1) }]
  }
}

/** Whether the text of a delta ends with the first half of a character. */
function isCut(part: StreamPart): boolean {
  return part.kind === 'delta' && (part.text.charCodeAt(part.text.length - 1) & 0xfc00) === 0xd800
}
