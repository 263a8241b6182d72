import { Worker } from 'node:worker_threads'
import { unsafeSqlite } from '../unsafe-sqlite.ts'
import type { CheckpointThreadData } from './thread-messages.ts'

/**
 * So many pages in the write-ahead file are brought back together: 10 MB, those of some 5,000 settlements. While the disk is
 * busy with them each settlement waits longer, so it is done seldom; a page that many have changed is written once.
 */
const DUE_PAGES = 2_500
/** The thread takes some 10 MB. It ends when there was nothing to do for this long. */
const IDLE_MS = 30_000
/** A checkpoint that is under way may have to write tens of megabytes. */
const CLOSE_MS = 10_000

/** The connection that writes. */
export interface CheckpointedWriter {
  /** How many pages of the write-ahead file are not in the database. */
  pagesAhead(): number
  /** Brings back what it can of them. */
  checkpoint(): void
}

interface Helper {
  readonly worker: Worker
  readonly closed: Int32Array<SharedArrayBuffer>
}

/**
 * Has another thread bring the write-ahead file back into the database while this one goes on writing: no settle waits for
 * it (decision 0077). The little that was written meanwhile is for this thread, by `checkpoint`, and then SQLite begins the file
 * anew. Where the thread does not keep up or does not start, SQLite does it all within a commit, as it does by itself.
 */
export class Checkpoints {
  readonly #file: string
  readonly #writer: CheckpointedWriter
  readonly #idleMs: number
  readonly #isSafe: boolean
  #helper: Helper | null = null
  #isUnderWay = false
  #idle: NodeJS.Timeout | undefined

  /** `sqlite`: its version. Some lose pages when two connections do this at one moment: there, only the writer does. */
  constructor(file: string, options: { writer: CheckpointedWriter; sqlite: string; idleMs?: number }) {
    this.#file = file
    this.#writer = options.writer
    this.#idleMs = options.idleMs ?? IDLE_MS
    this.#isSafe = unsafeSqlite(options.sqlite) === null
  }

  /** Something more was written. */
  wrote(): void {
    if (this.#isUnderWay || !this.#isSafe || this.#writer.pagesAhead() < DUE_PAGES) return
    this.#isUnderWay = true
    clearTimeout(this.#idle)
    this.#helper ??= this.#start()
    this.#helper.worker.postMessage('checkpoint')
  }

  /** Whether its thread runs. */
  get isRunning(): boolean {
    return this.#helper !== null
  }

  /** Returns when the thread has closed the file, so that the connection that is closed after it is the last one. */
  close(): void {
    clearTimeout(this.#idle)
    const helper = this.#helper
    if (helper === null) return
    this.#helper = null
    helper.worker.postMessage('close')
    Atomics.wait(helper.closed, 0, 0, CLOSE_MS)
  }

  #start(): Helper {
    const data: CheckpointThreadData = { file: this.#file, closed: new Int32Array(new SharedArrayBuffer(4)) }
    const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      name: 'checkpoint',
      workerData: data,
    })
    const helper = { worker, closed: data.closed }
    const ended = (): void => {
      // Nothing has to wait for it to close.
      Atomics.store(data.closed, 0, 1)
      Atomics.notify(data.closed, 0)
      if (this.#helper !== helper) return
      this.#helper = null
      this.#isUnderWay = false
    }
    worker.on('message', () => this.#done())
    worker.on('error', ended)
    worker.on('exit', ended)
    worker.unref()
    return helper
  }

  #done(): void {
    this.#isUnderWay = false
    if (this.#helper === null) return
    this.#idle = setTimeout(() => this.close(), this.#idleMs)
    this.#idle.unref()
    this.#writer.checkpoint()
  }
}
