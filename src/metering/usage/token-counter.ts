import { Worker } from 'node:worker_threads'
import { COUNTS_OF_KEY_WAITING, COUNTS_WAITING, FREE_COUNTS_WAITING } from '../../core/limits.ts'
import { CountingQueue, type QueuedCount } from './counting-queue.ts'
import { mostTokens } from './token-counter/rule-of-thumb.ts'
import { READY, type CountingMessage, type CountingReply } from './token-counter/thread-message.ts'

/** Counts tokens where an upstream reported none. Counts are estimates: every provider has a tokenizer of its own. */
export interface TokenCounter {
  /** Tokens of a text that a model wrote. */
  countText(text: string): Promise<TokenCount>
  /** Input tokens of a JSON request body: see `request-tokens.ts`. `estimate`: what it is where nothing can count in time. */
  countRequest(body: Buffer, estimate: number): Promise<TokenCount>
}

/** `isExact`: false where nothing could count in time, and an estimate stands in that leans upwards, by up to three times. */
export interface TokenCount {
  readonly tokens: number
  readonly isExact: boolean
}

/** Counts for clients as well, which ask before they send a request. */
export interface FreeTokenCounter extends TokenCounter {
  /** Counts for a client that asks for nothing else: it comes after all that is to be settled, and `estimate` where many wait. */
  countForFree(body: Buffer, about: { readonly keyId: string; readonly estimate: number }): Promise<number>
}

/** The thread is ended after this long without work: its tables take 60 MB. */
const IDLE_MS = 60_000
/** A count that takes longer than this is replaced by the estimate, which leans upwards. */
const ANSWER_MS = 5_000
/** How long the thread may take to load its tables, on a machine that has much else to do. */
const START_MS = 60_000

type CountRequest =
  | { readonly kind: 'text'; readonly content: string }
  | { readonly kind: 'request'; readonly content: Buffer }

type WaitingCount = QueuedCount & CountRequest & Answering

/** Copied in 5 ms on a busy machine. */
const PART_BYTES = 4 * 1024 * 1024

interface Answering {
  readonly answer: (count: TokenCount) => void
  readonly fallback: () => number
  timer?: NodeJS.Timeout
}

/** What the counter uses of a worker. */
export type CountingThread = Pick<Worker, 'postMessage' | 'terminate' | 'unref' | 'on'>

/**
 * Counts in a thread of its own, started when it is first needed, so that neither start nor traffic waits for it. The thread has
 * one question at a time, so that what waits can be put in order and dropped.
 */
export class ThreadTokenCounter implements FreeTokenCounter {
  readonly #start: () => CountingThread
  #worker: CountingThread | null = null
  /** Runs from the start of the thread until it can count. */
  #startTimer: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #asked: WaitingCount | null = null
  readonly #queue = new CountingQueue<WaitingCount>({
    settlements: COUNTS_WAITING,
    free: FREE_COUNTS_WAITING,
    freeOfKey: COUNTS_OF_KEY_WAITING,
  })

  /** `start`: a test's. */
  constructor(start: () => CountingThread = startThread) {
    this.#start = start
  }

  countText(text: string): Promise<TokenCount> {
    if (text === '') return Promise.resolve({ tokens: 0, isExact: true })
    const fallback = () => mostTokens(Buffer.from(text))
    return this.#count({ kind: 'text', content: text, bytes: text.length, keyId: null, fallback })
  }

  countRequest(body: Buffer, estimate: number): Promise<TokenCount> {
    return this.#count({ kind: 'request', content: body, bytes: body.length, keyId: null, fallback: () => estimate })
  }

  async countForFree(body: Buffer, { keyId, estimate }: { keyId: string; estimate: number }): Promise<number> {
    const fallback = () => estimate
    const { tokens } = await this.#count({ kind: 'request', content: body, bytes: body.length, keyId, fallback })
    return tokens
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const ended = this.#endThread()
    this.#answerAllByRule()
    await ended
  }

  #count(question: QueuedCount & CountRequest & Pick<Answering, 'fallback'>): Promise<TokenCount> {
    return new Promise((answer) => {
      const waiting: WaitingCount = { ...question, answer }
      if (!this.#queue.add(waiting)) return settleByRule(waiting)
      waiting.timer = setTimeout(() => this.#tooLate(waiting), ANSWER_MS)
      this.#askNext()
    })
  }

  #askNext(): void {
    if (this.#asked !== null) return
    const next = this.#queue.next()
    if (next === null) return this.#rest()
    clearTimeout(this.#idleTimer)
    this.#asked = next
    this.#worker ??= this.#started()
    if (next.kind === 'text') this.#worker.postMessage({ kind: 'text', text: next.content } satisfies CountingMessage)
    else this.#send(this.#worker, next, 0)
  }

  /** A body goes in parts, so that no turn of this thread copies much of it. */
  #send(worker: CountingThread, asked: WaitingCount & { readonly content: Buffer }, from: number): void {
    if (this.#worker !== worker || this.#asked !== asked) return
    const end = Math.min(from + PART_BYTES, asked.content.length)
    const part = new Uint8Array(asked.content.subarray(from, end))
    const isLast = end === asked.content.length
    worker.postMessage({ kind: 'request', part, isLast } satisfies CountingMessage, [part.buffer])
    if (!isLast) setImmediate(() => this.#send(worker, asked, end))
  }

  #started(): CountingThread {
    const worker = this.#start()
    worker.unref()
    this.#startTimer = setTimeout(() => void this.close(), START_MS).unref()
    worker.on('message', (said: CountingReply) => {
      if (said !== READY) this.#counted(worker, said)
      else if (this.#worker === worker) this.#ready()
    })
    worker.on('error', () => this.#lost(worker))
    worker.on('exit', () => this.#lost(worker))
    return worker
  }

  #counted(worker: CountingThread, tokens: number): void {
    if (this.#worker !== worker || this.#asked === null) return
    const asked = this.#asked
    this.#asked = null
    settle(asked, { tokens, isExact: true })
    this.#askNext()
  }

  /**
   * Drops a count, wherever it is: a thread that counts on would keep all others waiting for what is not wanted any more. One
   * that is only starting would have to start again.
   */
  #tooLate(waiting: WaitingCount): void {
    this.#queue.drop(waiting)
    settleByRule(waiting)
    if (this.#asked !== waiting || this.#startTimer !== undefined) return
    this.#asked = null
    void this.#endThread()
    this.#askNext()
  }

  /** What it was asked meanwhile may have been dropped, and is still counted now: that must not take long either. */
  #ready(): void {
    this.#clearStart()
    const asked = this.#asked
    if (asked === null) return
    clearTimeout(asked.timer)
    asked.timer = setTimeout(() => this.#tooLate(asked), ANSWER_MS)
  }

  #clearStart(): void {
    clearTimeout(this.#startTimer)
    this.#startTimer = undefined
  }

  async #endThread(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#clearStart()
    await worker?.terminate()
  }

  #rest(): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS)
    this.#idleTimer.unref()
  }

  #lost(worker: CountingThread): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#clearStart()
    this.#answerAllByRule()
  }

  #answerAllByRule(): void {
    const asked = this.#asked
    this.#asked = null
    const all = this.#queue.empty()
    for (const waiting of asked === null ? all : [asked, ...all]) settleByRule(waiting)
  }
}

function settle({ answer, timer }: WaitingCount, count: TokenCount): void {
  clearTimeout(timer)
  answer(count)
}

function settleByRule(waiting: WaitingCount): void {
  settle(waiting, { tokens: waiting.fallback(), isExact: false })
}

function startThread(): Worker {
  return new Worker(new URL('./token-counter/counting-thread.ts', import.meta.url))
}
