import { Worker } from 'node:worker_threads'
import { mostTokens } from './token-counter/rule-of-thumb.ts'

/** Counts tokens where an upstream reported none. Counts are estimates: every provider has a tokenizer of its own. */
export interface TokenCounter {
  /** Tokens of a text that a model wrote. */
  countText(text: string): Promise<number>
  /** Input tokens of a JSON request body: of every text in it, with a flat amount for images and files. */
  countRequest(body: Buffer): Promise<number>
}

/** The thread is ended after this long without work: its tables take 60 MB. */
const IDLE_MS = 60_000
/** A count that takes longer than this is replaced by the rule of thumb, which leans upwards. */
const ANSWER_MS = 5_000

interface Waiting {
  readonly resolve: (tokens: number) => void
  readonly fallback: () => number
  readonly timer: NodeJS.Timeout
}

/** Counts in a thread of its own, started when it is first needed, so that neither start nor traffic waits for it. */
export class ThreadTokenCounter implements TokenCounter {
  #worker: Worker | null = null
  #idleTimer: NodeJS.Timeout | undefined
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  countText(text: string): Promise<number> {
    if (text === '') return Promise.resolve(0)
    return this.#ask({ kind: 'text', text }, () => mostTokens(Buffer.from(text), { withPictures: false }))
  }

  countRequest(body: Buffer): Promise<number> {
    return this.#ask({ kind: 'request', text: body.toString('utf8') }, () => mostTokens(body, { withPictures: true }))
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
    this.#answerAllByRule()
  }

  #ask(question: { kind: 'text' | 'request'; text: string }, fallback: () => number): Promise<number> {
    return new Promise((resolve) => {
      const id = (this.#lastId += 1)
      const timer = setTimeout(() => this.#answer(id, fallback()), ANSWER_MS)
      this.#waiting.set(id, { resolve, fallback, timer })
      this.#running().postMessage({ id, ...question })
    })
  }

  #running(): Worker {
    clearTimeout(this.#idleTimer)
    if (this.#worker !== null) return this.#worker
    const worker = new Worker(new URL('./token-counter/counting-thread.ts', import.meta.url))
    worker.unref()
    worker.on('message', (answer: { id: number; tokens: number }) => this.#answer(answer.id, answer.tokens))
    worker.on('error', () => this.#lost(worker))
    worker.on('exit', () => this.#lost(worker))
    this.#worker = worker
    return worker
  }

  #answer(id: number, tokens: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    waiting.resolve(tokens)
    if (this.#waiting.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS)
    this.#idleTimer.unref()
  }

  #lost(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#answerAllByRule()
  }

  #answerAllByRule(): void {
    for (const [id, waiting] of this.#waiting) this.#answer(id, waiting.fallback())
  }
}
