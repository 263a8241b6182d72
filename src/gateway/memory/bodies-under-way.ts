import { addressKey } from '../../access/address-key.ts'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { Fault } from '../../core/faults.ts'
import {
  BODIES_UNDER_WAY_LIMIT_BYTES,
  BODY_GRACE_MS,
  BODY_LIMIT_BYTES,
  BODY_LOWEST_BYTES,
  BODY_LOWEST_PART,
  BODY_OVERHEAD_BYTES,
  BODY_PERIOD_MS,
  SMALL_BODIES_LIMIT_BYTES,
  SMALL_BODY_BYTES,
} from '../../core/limits.ts'
import { Slots } from '../../core/slots.ts'
import { threadPart } from '../../core/thread-part.ts'
import { limitReached } from '../../metering/admission/exhaustion.ts'

/** The caller whose body arrives, and its address. */
export interface BodySender {
  readonly caller: KeyWithOwner
  readonly address: string
}

/**
 * Bodies that have begun to arrive and are not whole, and large ones that are being read, of all requests together: what is
 * half sent must neither fill the memory nor keep others out. The beginning of every body counts in a room of its own, so that
 * small requests are served while large ones have taken theirs; and of either room a key, an account and an address have a part
 * each.
 */
export class BodiesUnderWay {
  readonly #rooms: Rooms
  readonly #bodies = new Slots<BodyUnderWay>()
  /** Bodies of each key that has some. */
  readonly #counts = new Map<string, number>()

  /** `threads`: how many of the process share the room. Each has enough for two of the largest bodies. */
  constructor(threads = 1) {
    const large = Math.max(threadPart(LARGE_BODIES_LIMIT_BYTES, threads), 2 * LARGEST_BYTES)
    this.#rooms = {
      small: new Room(threadPart(SMALL_BODIES_LIMIT_BYTES, threads)),
      large: new Room(large, LARGEST_BYTES),
    }
  }

  get bytes(): number {
    return this.#rooms.small.bytes + this.#rooms.large.bytes
  }

  /**
   * A body begins to arrive. `elapsed`: as of `Clock.elapsed`; `onSlow` is called when it comes more slowly than any client sends.
   * Throws the Fault `rate_limited` where the key has as many on their way as it may have running, or its part is used up.
   */
  begin({ caller, address }: BodySender, about: { elapsed: number; onSlow: () => void }): BodyUnderWay {
    const { key, account } = caller
    const count = this.#counts.get(key.id) ?? 0
    const max = key.rateLimit?.concurrency ?? null
    if (max !== null && count >= max) {
      const refusal = { limit: 'concurrency', max, used: count, waitMs: RETRY_MS, part: max, nodes: 1 } as const
      throw limitReached(refusal, { input: 0, output: 0 })
    }
    const owners = [key.id, account.id, addressKey(address)] as const
    const fault = this.#rooms.small.take(owners, BODY_OVERHEAD_BYTES)
    if (fault !== null) throw fault
    this.#counts.set(key.id, count + 1)
    const body = new BodyUnderWay(owners, this.#rooms, { ...about, onEnd: () => this.#ended(key.id, place) })
    const place = this.#bodies.add(body)
    return body
  }

  /**
   * A large body is whole, and takes its room until it has been read as well. Returns what gives the room back, to be called once.
   * Throws the Fault `rate_limited`.
   */
  keep({ caller, address }: BodySender, bytes: number): () => void {
    const owners = [caller.key.id, caller.account.id, addressKey(address)] as const
    const fault = this.#rooms.large.take(owners, bytes)
    if (fault !== null) throw fault
    return () => this.#rooms.large.giveBack(owners, bytes)
  }

  /** Called several times a second. */
  look(elapsed: number): void {
    for (const body of this.#bodies) body.look(elapsed)
  }

  #ended(keyId: string, place: number): void {
    this.#bodies.remove(place)
    const count = (this.#counts.get(keyId) ?? 1) - 1
    if (count === 0) this.#counts.delete(keyId)
    else this.#counts.set(keyId, count)
  }
}

/** One body as it arrives. */
export class BodyUnderWay {
  readonly #owners: Owners
  readonly #rooms: Rooms
  readonly #onSlow: () => void
  readonly #onEnd: () => void
  #bytes = 0
  #bytesBefore = 0
  #periodEnds: number

  constructor(owners: Owners, rooms: Rooms, about: { elapsed: number; onSlow: () => void; onEnd: () => void }) {
    this.#owners = owners
    this.#rooms = rooms
    this.#onSlow = about.onSlow
    this.#onEnd = about.onEnd
    this.#periodEnds = about.elapsed + BODY_GRACE_MS
  }

  /** So many bytes more have come; the Fault `rate_limited` when there is no room for them. */
  add(bytes: number): Fault | null {
    const before = this.#bytes
    const small = Math.min(before + bytes, SMALL_BODY_BYTES) - Math.min(before, SMALL_BODY_BYTES)
    const ofSmall = small === 0 ? null : this.#rooms.small.take(this.#owners, small)
    if (ofSmall !== null) return ofSmall
    const ofLarge = small === bytes ? null : this.#rooms.large.take(this.#owners, bytes - small)
    if (ofLarge === null) this.#bytes += bytes
    else this.#rooms.small.giveBack(this.#owners, small)
    return ofLarge
  }

  /** The body is whole, or given up. */
  end(): void {
    const small = Math.min(this.#bytes, SMALL_BODY_BYTES)
    this.#rooms.small.giveBack(this.#owners, small + BODY_OVERHEAD_BYTES)
    this.#rooms.large.giveBack(this.#owners, this.#bytes - small)
    this.#onEnd()
  }

  look(elapsed: number): void {
    if (elapsed < this.#periodEnds) return
    const fewest = Math.max(BODY_LOWEST_BYTES, this.#bytesBefore / BODY_LOWEST_PART)
    if (this.#bytes - this.#bytesBefore < fewest) return this.#onSlow()
    this.#bytesBefore = this.#bytes
    this.#periodEnds = elapsed + BODY_PERIOD_MS
  }
}

type Owners = readonly [keyId: string, accountId: string, address: string]

interface Rooms {
  readonly small: Room
  readonly large: Room
}

/** So many bytes, of which each owner has at most its part. */
class Room {
  readonly #limit: number
  readonly #leastPart: number
  readonly #taken = new Map<string, number>()
  bytes = 0

  /** `leastPart`: no owner's part is smaller, so that the largest body fits. */
  constructor(limit: number, leastPart = 0) {
    this.#limit = limit
    this.#leastPart = leastPart
  }

  /** Takes so many for all owners at once; the Fault, and nothing is taken, when one has no room. */
  take(owners: Owners, bytes: number): Fault | null {
    if (this.bytes + bytes > this.#limit)
      return noRoom('This gateway is receiving as many large requests as it can hold')
    for (const [i, owner] of owners.entries()) {
      const [part, whose] = PARTS[i] ?? PARTS[0]
      if ((this.#taken.get(owner) ?? 0) + bytes > Math.max(this.#limit * part, this.#leastPart))
        return noRoom(TOO_MUCH_FROM + whose)
    }
    this.bytes += bytes
    for (const owner of owners) this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + bytes)
    return null
  }

  giveBack(owners: Owners, bytes: number): void {
    this.bytes -= bytes
    for (const owner of owners) {
      const left = (this.#taken.get(owner) ?? 0) - bytes
      if (left > 0) this.#taken.set(owner, left)
      else this.#taken.delete(owner)
    }
  }
}

const LARGEST_BYTES = BODY_LIMIT_BYTES
const LARGE_BODIES_LIMIT_BYTES = BODIES_UNDER_WAY_LIMIT_BYTES - SMALL_BODIES_LIMIT_BYTES
/** The shares of either room, in the order of `Owners`. One key alone fills nothing, nor does one account or one address. */
const PARTS = [
  [0.25, 'this API key'],
  [0.5, 'this account'],
  [0.5, 'this address'],
] as const
const TOO_MUCH_FROM = 'As much as may be on its way at once is being received from '
const RETRY_MS = 1_000

function noRoom(what: string): Fault {
  return new Fault('rate_limited', `${what} right now. Send this request again in a moment.`, { retryAfterSeconds: 5 })
}
