import { invariant } from '../../core/invariant.ts'
import type { SettlementValue } from '../engine/settlement-rows.ts'

/**
 * Values as cells of bytes. A cell begins with its kind; numbers and amounts follow in four or eight bytes, little endian, a
 * text in how many UTF-16 units it has: all texts stand behind the cells as one, which one call writes and one reads.
 *
 * A number and an amount of the same size are two kinds: money is bigint on the other side as well.
 */
const NULL = 0
const TEXT = 1
const SHORT_NUMBER = 2
const NUMBER = 3
const SHORT_AMOUNT = 4
const AMOUNT = 5

const WORD = 4
/** A kind, and eight bytes at most. */
const CELL_BYTES = 9
/** UTF-8 of one UTF-16 unit. */
const UNIT_BYTES = 3
const FIRST_BYTES = 64 * 1024
/** What one large batch made of it is not kept. */
const KEPT_BYTES = 4 * 1024 * 1024
const SHORT_LIMIT = 2 ** 32
const SHORT_AMOUNT_LIMIT = BigInt(SHORT_LIMIT)

/** Writes batch after batch into the same piece of memory, of which each gets a copy in its own size. */
export class CellWriter {
  #bytes = Buffer.alloc(FIRST_BYTES)
  #view = viewOf(this.#bytes)
  #at = 0
  #textsAt = 0
  #texts = ''

  /** Begins with these numbers of 32 bits; room is made for so many cells. */
  begin(head: readonly number[], cells: number): void {
    this.#texts = ''
    this.#at = 0
    this.#makeRoom((head.length + 1) * WORD + cells * CELL_BYTES)
    for (const number of head) {
      this.#view.setUint32(this.#at, number, true)
      this.#at += WORD
    }
    this.#textsAt = this.#at
    this.#at += WORD
  }

  /** Throws TypeError or RangeError for what no column holds. */
  put(value: SettlementValue): void {
    if (typeof value === 'string') {
      this.#putShort(TEXT, value.length)
      this.#texts += value
    } else if (value === null) this.#view.setUint8(this.#at++, NULL)
    else if (typeof value === 'bigint') this.#putAmount(value)
    else this.#putNumber(value)
  }

  end(): Uint8Array<ArrayBuffer> {
    const texts = this.#texts
    this.#makeRoom(this.#at + texts.length * UNIT_BYTES)
    const written = this.#bytes.write(texts, this.#at, 'utf8')
    this.#view.setUint32(this.#textsAt, this.#at, true)
    const packed = new Uint8Array(this.#at + written)
    packed.set(this.#bytes.subarray(0, packed.length))
    this.#texts = ''
    if (this.#bytes.length > KEPT_BYTES) this.#replace(Buffer.alloc(FIRST_BYTES))
    return packed
  }

  #putNumber(value: number): void {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${String(value)} is not a whole number, and fits no column`)
    if (value >= 0 && value < SHORT_LIMIT) return this.#putShort(SHORT_NUMBER, value)
    this.#view.setUint8(this.#at, NUMBER)
    this.#view.setFloat64(this.#at + 1, value, true)
    this.#at += CELL_BYTES
  }

  #putAmount(value: bigint): void {
    if (value >= 0n && value < SHORT_AMOUNT_LIMIT) return this.#putShort(SHORT_AMOUNT, Number(value))
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} is too large for any column`)
    this.#view.setUint8(this.#at, AMOUNT)
    this.#view.setBigInt64(this.#at + 1, value, true)
    this.#at += CELL_BYTES
  }

  #putShort(kind: number, value: number): void {
    this.#view.setUint8(this.#at, kind)
    this.#view.setUint32(this.#at + 1, value, true)
    this.#at += 1 + WORD
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#bytes.length) return
    const larger = Buffer.alloc(bytes * 2)
    larger.set(this.#bytes.subarray(0, this.#at))
    this.#replace(larger)
  }

  #replace(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = viewOf(bytes)
  }
}

/** Reads what a `CellWriter` wrote. Throws for bytes that it cannot have written. */
export class CellReader {
  readonly head: readonly number[]
  readonly #view: DataView
  readonly #cellsEnd: number
  readonly #bytes: Uint8Array
  /** Read when the first of them is taken. */
  #texts: string | null = null
  #at: number
  #textAt = 0

  /** `headNumbers`: how many it begins with. */
  constructor(bytes: Uint8Array, headNumbers: number) {
    this.#view = viewOf(bytes)
    this.head = Array.from({ length: headNumbers }, (_, index) => this.#view.getUint32(index * WORD, true))
    this.#cellsEnd = this.#view.getUint32(headNumbers * WORD, true)
    this.#at = (headNumbers + 1) * WORD
    invariant(this.#cellsEnd >= this.#at && this.#cellsEnd <= bytes.length, 'packed cells end within their bytes')
    this.#bytes = bytes
  }

  take(): SettlementValue {
    const at = this.#at
    const kind = this.#view.getUint8(at)
    if (kind === NULL) {
      this.#at = at + 1
      return null
    }
    if (kind === NUMBER || kind === AMOUNT) {
      this.#at = at + CELL_BYTES
      return kind === NUMBER ? this.#view.getFloat64(at + 1, true) : this.#view.getBigInt64(at + 1, true)
    }
    const short = this.#view.getUint32(at + 1, true)
    this.#at = at + 1 + WORD
    if (kind === TEXT) return this.#allTexts().slice(this.#textAt, (this.#textAt += short))
    invariant(kind === SHORT_NUMBER || kind === SHORT_AMOUNT, 'a packed cell is of a kind that is known')
    return kind === SHORT_NUMBER ? short : BigInt(short)
  }

  /** Throws when there is more, or less, than was taken. */
  end(): void {
    invariant(this.#at === this.#cellsEnd, 'all packed cells are taken')
    invariant(this.#textAt === this.#allTexts().length, 'all packed texts are taken')
  }

  #allTexts(): string {
    const { buffer, byteOffset, length } = this.#bytes
    return (this.#texts ??= Buffer.from(buffer, byteOffset + this.#cellsEnd, length - this.#cellsEnd).toString('utf8'))
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
