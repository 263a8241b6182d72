import { Fault } from '../../core/faults.ts'
import { TRANSLATED_PARTS_LIMIT } from '../../core/limits.ts'

/** Fields that may be dropped when a request is translated for another wire, by path without positions: why that is harmless. */
export type Hints = Readonly<Record<string, string>>

/** More names than this would make a header that no client reads. */
const DROPPED_LIMIT = 32

/** What translating one request for another wire dropped, and the one voice in which it refuses. */
export class Notes {
  readonly #hints: Hints
  readonly #dropped = new Set<string>()
  #parts = 0

  constructor(hints: Hints) {
    this.#hints = hints
  }

  /**
   * Counts `more` parts of the request, which stand at `at`. Throws the fault `request_invalid` where there are too many:
   * reading them takes time from all requests.
   */
  countParts(more: number, at: string): void {
    this.#parts += more
    if (this.#parts <= TRANSLATED_PARTS_LIMIT) return
    throw new Fault(
      'request_invalid',
      `\`${at}\` cannot be translated for this model's upstream: a translated request may have ` +
        `${TRANSLATED_PARTS_LIMIT} messages, parts and tools in total. Shorten the conversation, or join short parts.`,
      { param: at },
    )
  }

  /** Paths in the client's body, without positions, each once; at most 32. */
  get dropped(): readonly string[] {
    return [...this.#dropped].slice(0, DROPPED_LIMIT)
  }

  /** `at`: the path of what is dropped, with or without positions. */
  drop(at: string): void {
    this.#dropped.add(withoutPositions(at))
  }

  /** For a field that no reader knows: drops it where it is a hint, throws otherwise. */
  unknown(at: string): void {
    if (!Object.hasOwn(this.#hints, withoutPositions(at))) this.refuse(at, 'it has no field of that kind')
    this.drop(at)
  }

  /** Throws the fault `request_invalid`. `why` goes on from «which speaks another protocol: ». */
  refuse(at: string, why: string): never {
    throw new Fault(
      'request_invalid',
      `\`${at}\` cannot be translated for this model's upstream, which speaks another protocol: ${why}. ` +
        'Leave it out, or use a model that is served in your client’s own protocol.',
      { param: at },
    )
  }
}

function withoutPositions(at: string): string {
  return at.replace(/\[\d+\]/g, '[]')
}
