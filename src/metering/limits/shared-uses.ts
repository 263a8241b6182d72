import { invariant } from '../../core/invariant.ts'
import { MOST_WORKERS } from '../../core/limits.ts'
import type { OverdrawnTokenWindow } from './overdrawn-token-window.ts'
import { isIdle, type KeyUse, type Uses } from './key-use.ts'
import { POOLED_TOKENS_LENGTH, PooledTokenWindow } from './pooled-token-window.ts'
import { SharedLock } from './shared-lock.ts'
import { SLIDING_COUNT_LENGTH, SlidingCount } from '../../core/sliding-count.ts'

/** Keys and accounts with limits that are used within a minute, of one process. A power of two. */
const PLACES = 8_192
/** A key stands at one of so many places, by its hash. */
const PROBES = 64
/** Bytes of an id, with its length before them. */
const ID_BYTES = 64

const TOKENS_AT = SLIDING_COUNT_LENGTH
const OWED_AT = TOKENS_AT + SLIDING_COUNT_LENGTH
const USED_AT = OWED_AT + POOLED_TOKENS_LENGTH
const RUNNING_AT = USED_AT + 1
const PRESENT_AT = RUNNING_AT + MOST_WORKERS
const RESERVED_AT = PRESENT_AT + MOST_WORKERS
const WIDTH = RESERVED_AT + MOST_WORKERS

const LOCK_BYTES = 64
const HASHES_AT = LOCK_BYTES
const LIVES_AT = HASHES_AT + PLACES * 4
const IDS_AT = LIVES_AT + PLACES * 4
const NUMBERS_AT = IDS_AT + PLACES * ID_BYTES

/** The memory that the threads of one process count in. It takes room only as it is used: 5 KB a key. */
export function sharedUsesMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(NUMBERS_AT + PLACES * WIDTH * 8)
}

/**
 * What keys did lately, in memory that the threads of a process share, under one lock. What a thread has running stands apart
 * for each thread, so that it can be taken back when the thread dies.
 */
export class SharedUses implements Uses {
  readonly isShared = true
  readonly #lock: SharedLock
  readonly #thread: number
  /** 0: nothing has stood at the place yet. */
  readonly #hashes: Int32Array
  /** Counts the keys that stood at a place. */
  readonly #lives: Int32Array
  readonly #ids: Uint8Array
  readonly #numbers: Float64Array
  readonly #known = new Map<string, SharedUse>()

  /** `thread`: this one's number, from 0 on, as no other living one has it. */
  constructor(memory: SharedArrayBuffer, thread: number) {
    invariant(thread < MOST_WORKERS, 'a thread has a column of its own')
    this.#thread = thread
    this.#lock = new SharedLock(new Int32Array(memory, 0, LOCK_BYTES / 4), thread, () => this.#repair())
    this.#hashes = new Int32Array(memory, HASHES_AT, PLACES)
    this.#lives = new Int32Array(memory, LIVES_AT, PLACES)
    this.#ids = new Uint8Array(memory, IDS_AT, PLACES * ID_BYTES)
    this.#numbers = new Float64Array(memory, NUMBERS_AT, PLACES * WIDTH)
  }

  /** How many there are of this thread's making. */
  get size(): number {
    return this.#known.size
  }

  enter(): void {
    this.#lock.take()
  }

  leave(): void {
    this.#lock.release()
  }

  find(id: string): KeyUse | null {
    const known = this.#known.get(id)
    if (known !== undefined && known.life === this.#lives[known.place]) return known
    const hash = hashOf(id)
    for (let probe = 0; probe < PROBES; probe++) {
      const place = (hash + probe) & (PLACES - 1)
      const there = this.#hashes[place]
      if (there === 0) return null
      if (there === hash && this.#isAt(place, id)) return this.#know(id, place)
    }
    return null
  }

  of(id: string, elapsed: number): KeyUse | null {
    const found = this.find(id)
    if (found !== null) return found
    const hash = hashOf(id)
    for (let probe = 0; probe < PROBES; probe++) {
      const place = (hash + probe) & (PLACES - 1)
      if (this.#hashes[place] !== 0 && !isIdle(this.#useAt(place), elapsed)) continue
      this.#settleAt(place, id, hash)
      return this.#know(id, place)
    }
    return null
  }

  /** Places are taken over by others when nothing counts there; this thread's views of them go. */
  forgetIdle(elapsed: number): void {
    this.enter()
    try {
      for (const [id, use] of this.#known) {
        if (use.life !== this.#lives[use.place] || isIdle(use, elapsed)) this.#known.delete(id)
      }
    } finally {
      this.leave()
    }
  }

  /** A thread has died: nothing of it runs any more. What its requests were counted with stays, as nothing better is known. */
  forgetThread(thread: number): void {
    this.#lock.breakOf(thread)
    this.enter()
    try {
      for (let place = 0; place < PLACES; place++) {
        if (this.#hashes[place] === 0) continue
        this.#numbers[place * WIDTH + RUNNING_AT + thread] = 0
        this.#numbers[place * WIDTH + PRESENT_AT + thread] = 0
        this.#numbers[place * WIDTH + RESERVED_AT + thread] = 0
      }
    } finally {
      this.leave()
    }
  }

  #know(id: string, place: number): SharedUse {
    const use = this.#useAt(place)
    if (this.#known.size >= PLACES) this.#known.clear()
    this.#known.set(id, use)
    return use
  }

  #useAt(place: number): SharedUse {
    const numbers = this.#numbers.subarray(place * WIDTH, (place + 1) * WIDTH)
    return new SharedUse(numbers, { place, life: this.#lives[place] ?? 0, thread: this.#thread })
  }

  #settleAt(place: number, id: string, hash: number): void {
    invariant(id.length < ID_BYTES, 'an id is short')
    this.#numbers.fill(0, place * WIDTH, (place + 1) * WIDTH)
    this.#lives[place] = (this.#lives[place] ?? 0) + 1
    this.#hashes[place] = hash
    const start = place * ID_BYTES
    this.#ids[start] = id.length
    for (let at = 0; at < id.length; at++) this.#ids[start + 1 + at] = id.charCodeAt(at)
  }

  #isAt(place: number, id: string): boolean {
    const start = place * ID_BYTES
    if (this.#ids[start] !== id.length) return false
    for (let at = 0; at < id.length; at++) if (this.#ids[start + 1 + at] !== id.charCodeAt(at)) return false
    return true
  }

  #repair(): void {
    for (let place = 0; place < PLACES; place++) if (this.#hashes[place] !== 0) this.#useAt(place).repair()
  }
}

/** One key's use as one thread sees it: all of it, but only its own part of what runs is its to change. */
class SharedUse implements KeyUse {
  readonly place: number
  /** The life of the place, which tells a key that has gone from the one that came after it. */
  readonly life: number
  readonly requests: SlidingCount
  readonly tokens: OverdrawnTokenWindow
  readonly #tokenCount: SlidingCount
  readonly #numbers: Float64Array
  readonly #thread: number

  constructor(numbers: Float64Array, { place, life, thread }: { place: number; life: number; thread: number }) {
    this.place = place
    this.life = life
    this.#numbers = numbers
    this.#thread = thread
    this.requests = new SlidingCount(numbers.subarray(0, SLIDING_COUNT_LENGTH))
    this.#tokenCount = new SlidingCount(numbers.subarray(TOKENS_AT, TOKENS_AT + SLIDING_COUNT_LENGTH))
    this.tokens = new PooledTokenWindow(this.#tokenCount, numbers.subarray(OWED_AT, OWED_AT + POOLED_TOKENS_LENGTH))
  }

  get running(): number {
    return this.#sum(RUNNING_AT)
  }

  set running(count: number) {
    this.#setOwn(RUNNING_AT, count)
  }

  get present(): number {
    return this.#sum(PRESENT_AT)
  }

  set present(count: number) {
    this.#setOwn(PRESENT_AT, count)
  }

  get reserved(): number {
    return this.#sum(RESERVED_AT)
  }

  set reserved(tokens: number) {
    this.#setOwn(RESERVED_AT, tokens)
  }

  get usedAt(): number {
    return this.#numbers[USED_AT] ?? 0
  }

  set usedAt(elapsed: number) {
    this.#numbers[USED_AT] = elapsed
  }

  repair(): void {
    this.requests.repair()
    this.#tokenCount.repair()
  }

  #sum(from: number): number {
    let sum = 0
    for (let thread = 0; thread < MOST_WORKERS; thread++) sum += this.#numbers[from + thread] ?? 0
    return sum
  }

  /** The sum becomes `total` by this thread's part of it. */
  #setOwn(from: number, total: number): void {
    const at = from + this.#thread
    this.#numbers[at] = (this.#numbers[at] ?? 0) + total - this.#sum(from)
  }
}

/** FNV-1a over the characters; never 0. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash === 0 ? 1 : hash
}
