import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Slots } from '../../core/slots.ts'
import { type EngineResult, storeClosed } from '../engine/engine.ts'
import type { Bindable } from '../engine/values.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import type { ConnectionName, ThreadMessage, ThreadQuestion, ThreadRequest } from './thread-messages.ts'

/** Folding a large write-ahead file back takes time, but not this long. */
const CLOSE_MS = 30_000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export interface ThreadListeners {
  /** Another process changed the database. */
  readonly onCommitted: () => void
  /** What no caller waits for, for the log. */
  readonly onTrouble: (error: Error) => void
}

const DEAF: ThreadListeners = { onCommitted: () => {}, onTrouble: () => {} }

/** The thread that holds the database file, seen from the main thread. When it ends, every call rejects, now and later. */
export class Thread {
  readonly #worker: Worker
  readonly #waiting = new Slots<Waiting>()
  readonly #listeners: ThreadListeners
  #closed: Error | null = null

  private constructor(listeners: ThreadListeners) {
    this.#listeners = listeners
    this.#worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { name: 'sqlite' })
    this.#worker.on('message', (message: ThreadMessage) => this.#heard(message))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('messageerror', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end())
  }

  /** Rejects when the file cannot be opened. */
  static async start(file: string, role: 'writer' | 'reader', listeners = DEAF): Promise<Thread> {
    const thread = new Thread(listeners)
    try {
      await thread.#ask({ kind: 'open', file, role })
    } catch (error) {
      await thread.#worker.terminate()
      throw error
    }
    return thread
  }

  get isOver(): boolean {
    return this.#closed !== null
  }

  run(on: ConnectionName, sql: string, parameters: readonly Bindable[] = []): Promise<EngineResult> {
    return this.#ask({ kind: 'run', on, sql, parameters }) as Promise<EngineResult>
  }

  settle(batch: Uint8Array, mayJournal: boolean): Promise<number> {
    return this.#ask({ kind: 'settle', batch, mayJournal }) as Promise<number>
  }

  async openJournal(): Promise<void> {
    await this.#ask({ kind: 'openJournal' })
  }

  async fold(): Promise<void> {
    await this.#ask({ kind: 'fold' })
  }

  async watch(everyMs: number | null): Promise<void> {
    await this.#ask({ kind: 'watch', everyMs })
  }

  async close(): Promise<void> {
    if (this.#closed !== null) return
    const exit = once(this.#worker, 'exit')
    const timer = setTimeout(() => void this.#worker.terminate(), CLOSE_MS)
    // Should the thread end by itself meanwhile, there is nothing left to close.
    await this.#ask({ kind: 'close' }).catch(() => {})
    await exit
    clearTimeout(timer)
  }

  #ask(question: ThreadQuestion): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(this.#closed)
    return new Promise((resolve, reject) => {
      const id = this.#waiting.add({ resolve, reject })
      const request: ThreadRequest = { id, question }
      this.#worker.postMessage(request)
    })
  }

  #heard(message: ThreadMessage): void {
    if (message.kind === 'committed') return this.#listeners.onCommitted()
    if (message.kind === 'trouble') return this.#listeners.onTrouble(new Error(message.message))
    const waiting = this.#waiting.remove(message.id)
    if (message.kind === 'answer') waiting?.resolve(message.value)
    else waiting?.reject(sqliteFailure(message.message, message.code))
  }

  #end(cause?: unknown): void {
    this.#closed ??= storeClosed(cause)
    for (const { reject } of this.#waiting) reject(this.#closed)
  }
}
