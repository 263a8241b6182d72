import { Fault } from '../../core/faults.ts'

/** Fields that may be dropped when a request is translated for another wire, by path without positions: why that is harmless. */
export type Hints = Readonly<Record<string, string>>

/** More names than this would make a header that no client reads. */
const DROPPED_LIMIT = 32

/** What translating one request for another wire dropped, and the one voice in which it refuses. */
export class Notes {
  readonly #hints: Hints
  readonly #dropped = new Set<string>()

  constructor(hints: Hints) {
    this.#hints = hints
  }

  /** Paths in the client's body, without positions, each once; at most 32. */
  get dropped(): readonly string[] {
    return [...this.#dropped].slice(0, DROPPED_LIMIT)
  }

  /** `at`: the path of what is dropped, with or without positions. */
  drop(at: string): void {
    this.#dropped.add(withoutPositions(at))
  }

  /** Drops a mark for the cache, for wires that have none. */
  dropCache({ at, cache }: { readonly at: string; readonly cache?: unknown }): void {
    if (cache !== undefined) this.drop(`${at}.cache_control`)
  }

  /** Drops a field that no reader knows where it is a hint, and throws otherwise. */
  unknown(at: string): void {
    if (!Object.hasOwn(this.#hints, withoutPositions(at))) this.refuse(at, 'it has no field of that kind')
    this.drop(at)
  }

  /** Refuses content that the answer may depend on. Throws the fault `request_invalid`; lenient notes drop it. */
  dropOrRefuse(at: string, why: string): void {
    this.refuse(at, why)
  }

  /** Throws the fault `request_invalid`. `why` goes on from «which speaks another protocol: ». */
  refuse(at: string, why: string, remedy = OTHER_MODEL): never {
    throw new Fault(
      'request_invalid',
      `\`${at}\` cannot be translated for this model's upstream, which speaks another protocol: ${why}. ${remedy}`,
      { param: at },
    )
  }
}

const OTHER_MODEL = 'Leave it out, or use a model that is served in your client’s own protocol.'

/**
 * Notes on a request that is answered here and translated for no upstream, by a model that takes what it understands: fields that no reader
 * knows are dropped, as is content that only some provider could use.
 */
export class LenientNotes extends Notes {
  constructor() {
    super({})
  }

  override unknown(at: string): void {
    this.drop(at)
  }

  override dropOrRefuse(at: string): void {
    this.drop(at)
  }

  override refuse(at: string, why: string, remedy = 'Leave it out.'): never {
    throw new Fault('request_invalid', `\`${at}\` is not supported by this model: ${why}. ${remedy}`, { param: at })
  }
}

function withoutPositions(at: string): string {
  return at.replace(/\[\d+\]/g, '[]')
}
