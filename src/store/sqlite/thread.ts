import { MessageChannel, type MessagePort, type Transferable, Worker } from 'node:worker_threads'
import { Slots } from '../../core/slots.ts'
import { type EngineResult, storeClosed } from '../engine/engine.ts'
import type { Bindable } from '../engine/values.ts'
import type { FoldAnswer, GivenFile, JournalKeeper } from './journal/journal-writer.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import type { ConnectionName, SqliteThreadMessage, ThreadQuestion, ThreadRequest } from './thread-messages.ts'

/** Folding a large write-ahead file back takes time, but not this long. */
const CLOSE_MS = 30_000

interface WaitingCall {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export interface ThreadListeners {
  /** Another process or thread changed the database. */
  readonly onCommitted: () => void
  /** What no caller waits for, for the log. */
  readonly onTrouble: (error: Error) => void
}

const DEAF: ThreadListeners = { onCommitted: () => {}, onTrouble: () => {} }

/**
 * The thread that holds the database file, seen from a thread that asks it. When it ends, or the line to it does, every call
 * rejects, now and later.
 */
export class Thread implements JournalKeeper {
  readonly #line: Worker | MessagePort
  readonly #waiting = new Slots<WaitingCall>()
  readonly #listeners: ThreadListeners
  #closed: Error | null = null

  private constructor(line: Worker | MessagePort, listeners: ThreadListeners) {
    this.#listeners = listeners
    this.#line = line
    line.on('message', (message: SqliteThreadMessage) => this.#heard(message))
    line.on('error', (error) => this.#end(error))
    line.on('messageerror', (error) => this.#end(error))
    line.on(endOf(line), () => this.#end())
  }

  /** Rejects when the file cannot be opened. */
  static async start(file: string, role: 'writer' | 'reader', listeners = DEAF): Promise<Thread> {
    const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { name: 'sqlite' })
    const thread = new Thread(worker, listeners)
    try {
      await thread.#ask({ kind: 'open', file, role })
    } catch (error) {
      await worker.terminate()
      throw error
    }
    return thread
  }

  /** The writer that another thread of this process started, by a line that its `share` returned. */
  static attach(line: MessagePort, listeners = DEAF): Thread {
    return new Thread(line, listeners)
  }

  /** A line to the same thread for another thread of this process, which is to be transferred there. */
  share(): MessagePort {
    if (this.#closed !== null) throw this.#closed
    const { port1, port2 } = new MessageChannel()
    this.#send({ id: UNANSWERED, question: { kind: 'share', line: port1 } }, [port1])
    return port2
  }

  /** Has the other threads look for what was committed. */
  announce(): void {
    if (this.#closed !== null) return
    this.#send({ id: UNANSWERED, question: { kind: 'announce' } })
  }

  get isOver(): boolean {
    return this.#closed !== null
  }

  run(on: ConnectionName, sql: string, parameters: readonly Bindable[] = []): Promise<EngineResult> {
    return this.#ask({ kind: 'run', on, sql, parameters }) as Promise<EngineResult>
  }

  settle(batch: Uint8Array): Promise<number> {
    return this.#ask({ kind: 'settle', batch }) as Promise<number>
  }

  async openJournal(): Promise<void> {
    await this.#ask({ kind: 'openJournal' })
  }

  async fold(): Promise<void> {
    await this.#ask({ kind: 'fold' })
  }

  takeJournal(): Promise<GivenFile | null> {
    return this.#ask({ kind: 'takeJournal' }) as Promise<GivenFile | null>
  }

  foldJournal(options: { readonly number: number; readonly durably: boolean }): Promise<FoldAnswer> {
    return this.#ask({ kind: 'foldJournal', ...options }) as Promise<FoldAnswer>
  }

  async releaseJournal(number: number): Promise<void> {
    await this.#ask({ kind: 'releaseJournal', number })
  }

  async watch(everyMs: number | null): Promise<void> {
    await this.#ask({ kind: 'watch', everyMs })
  }

  async close(): Promise<void> {
    if (this.#closed !== null) return
    const exit = new Promise((resolve) => this.#line.once(endOf(this.#line), resolve))
    const timer = setTimeout(() => stop(this.#line), CLOSE_MS)
    // Should the thread end by itself meanwhile, there is nothing left to close.
    await this.#ask({ kind: 'close' }).catch(() => {})
    await exit
    clearTimeout(timer)
  }

  #ask(question: ThreadQuestion): Promise<unknown> {
    if (this.#closed !== null) return Promise.reject(this.#closed)
    return new Promise((resolve, reject) => {
      const id = this.#waiting.add({ resolve, reject })
      this.#send({ id, question })
    })
  }

  #send(request: ThreadRequest, transferred: Transferable[] = []): void {
    this.#line.postMessage(request, transferred)
  }

  #heard(message: SqliteThreadMessage): void {
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

/** The number of questions that have no answer. */
const UNANSWERED = -1

function endOf(line: Worker | MessagePort): 'exit' | 'close' {
  return line instanceof Worker ? 'exit' : 'close'
}

function stop(line: Worker | MessagePort): void {
  if (line instanceof Worker) void line.terminate()
  else line.close()
}
