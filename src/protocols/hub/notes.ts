import { Fault } from '../../core/faults.ts'
import { TRANSLATED_PARTS_LIMIT } from '../../core/limits.ts'

/** Fields that may be left out when a request is carried to another wire, by path without positions: why that is harmless. */
export type Hints = Readonly<Record<string, string>>

/** More names than this would make a header that no client reads. */
const TOLD_LIMIT = 32

/** What carrying one request to another wire has left out, and the one voice in which it refuses. */
export class Notes {
  readonly #hints: Hints
  readonly #leftOut = new Set<string>()
  #parts = 0

  constructor(hints: Hints) {
    this.#hints = hints
  }

  /**
   * Counts `more` parts of the request, which stand at `at`. Throws the fault `request_invalid` where there are too many:
   * reading them takes time from all requests.
   */
  hold(more: number, at: string): void {
    this.#parts += more
    if (this.#parts <= TRANSLATED_PARTS_LIMIT) return
    throw new Fault(
      'request_invalid',
      `\`${at}\` cannot be carried. The upstream of this model speaks another protocol, and a request that is translated may ` +
        `have ${TRANSLATED_PARTS_LIMIT} messages, parts and tools in all. Shorten the conversation, or join short parts.`,
      { param: at },
    )
  }

  /** Paths in the client's body, without positions, each once; at most 32. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut].slice(0, TOLD_LIMIT)
  }

  /** `at`: the path of what is left out, with or without positions. */
  leaveOut(at: string): void {
    this.#leftOut.add(withoutPositions(at))
  }

  /** For a field that no reader knows: leaves it out where it is a hint, throws otherwise. */
  unknown(at: string): void {
    if (!Object.hasOwn(this.#hints, withoutPositions(at))) this.refuse(at, 'it has no field of that kind')
    this.leaveOut(at)
  }

  /** Throws the fault `request_invalid`. `why` goes on from «The upstream of this model speaks another protocol: ». */
  refuse(at: string, why: string): never {
    throw new Fault(
      'request_invalid',
      `\`${at}\` cannot be carried. The upstream of this model speaks another protocol: ${why}. ` +
        'Leave it out, or use a model that is served in your client’s own protocol.',
      { param: at },
    )
  }
}

function withoutPositions(at: string): string {
  return at.replace(/\[\d+\]/g, '[]')
}
