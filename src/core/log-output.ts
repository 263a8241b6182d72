import { write, writeSync } from 'node:fs'

/** Lines that wait for a slow reader, in characters. Beyond them new ones are dropped, since memory is for requests. */
const WAITING_LIMIT = 4 * 1024 * 1024
/** Characters in one write. */
const WRITE_LIMIT = 64 * 1024
/** A pipe whose reader is slow is full for now. */
const AGAIN_MS = 100
const IS_FULL: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EBUSY'])
/** A process that ends waits so often, for so long each time, for the reader of its log. */
const LAST_TRIES = 10
const LAST_PAUSE_MS = 50

/**
 * Writes lines to a file descriptor, in the background and in order. What cannot be written is dropped: a disk that is full
 * or a reader that is gone neither ends the process nor keeps it from ending. When it ends, what waits is still written.
 */
export class LogOutput {
  readonly #fd: number
  #waiting: string[] = []
  #length = 0
  #isWriting = false

  constructor(fd: number) {
    this.#fd = fd
    process.once('exit', () => this.#writeRest())
  }

  write(line: string): void {
    if (this.#length + line.length > WAITING_LIMIT) return
    this.#waiting.push(line)
    this.#length += line.length
    if (!this.#isWriting) this.#writeNext()
  }

  #writeNext(): void {
    if (this.#waiting.length === 0) return
    this.#isWriting = true
    this.#writeOn(this.#take())
  }

  #writeOn(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      if (error !== null && IS_FULL.has(error.code)) {
        setTimeout(() => this.#writeOn(bytes), AGAIN_MS).unref()
        return
      }
      if (error === null && written < bytes.length) return this.#writeOn(bytes.subarray(written))
      this.#isWriting = false
      this.#writeNext()
    })
  }

  /** Several lines at once, where several wait. */
  #take(): Buffer {
    let count = 0
    let length = 0
    while (count < this.#waiting.length && (count === 0 || length < WRITE_LIMIT)) {
      length += this.#waiting[count]?.length ?? 0
      count += 1
    }
    this.#length -= length
    return Buffer.from(this.#waiting.splice(0, count).join(''))
  }

  #writeRest(): void {
    let bytes = Buffer.from(this.#waiting.join(''))
    for (let tries = 0; tries < LAST_TRIES && bytes.length > 0;) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes))
      } catch (error) {
        const isFull = error instanceof Error && 'code' in error && IS_FULL.has(String(error.code))
        if (!isFull) return
        tries += 1
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS)
      }
    }
  }
}
