import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { systemClock as clock } from '../../core/clock.ts'
import { WORKER_RESTARTS, WORKER_RESTARTS_WITHIN_MS, METRICS_WITHIN_MS } from '../../core/limits.ts'
import type { Logger } from '../../core/log.ts'
import { createServer } from '../../core/node-http.ts'
import type { Store } from '../../store/store.ts'
import { type Figures, merged, withoutGauges } from '../../telemetry/figures.ts'
import type { Settings } from '../installation/environment.ts'
import { listen } from '../server/listen.ts'
import type { Listener } from '../server/lazy-listener.ts'
import { LAST_SETTLES_MS } from '../server/stop-serving.ts'
import { controlReceiver } from './control-handover.ts'
import type { FromWorker, ToWorker, WorkerData } from './worker-thread.ts'
import { newStartFlag, raise, type WorkerSlot } from '../server/worker-slot.ts'
import { randomUUID } from 'node:crypto'
import { thisHost } from '../../cluster/host-process.ts'
import { SharedUses, sharedUsesMemory } from '../../metering/limits/shared-uses.ts'
import type { OpenInstallation } from '../opening/open-installation.ts'

export interface WorkerPoolOptions {
  readonly settings: Settings
  readonly secret: string
  readonly sealing: readonly string[]
  readonly store: Pick<Store, 'share' | 'nodes' | 'check'>
  /** How many threads carry requests, the main thread included. */
  readonly threads: number
  readonly host: string
  readonly limits: SharedArrayBuffer
  readonly log: Logger
  /** A thread has ended, and its counts with it. */
  onEnded(index: number): void
}

interface Member {
  readonly index: number
  readonly worker: Worker
  /** The ids under which the thread joined the nodes, or was about to. */
  readonly nodeIds: string[]
  readonly ended: Promise<void>
}

/** How long a thread may take beyond the time of its requests and twice that of their settlements, before it is ended. */
const ENDS_WITHIN_MS = 10_000
const STORE_CHECK_MS = 2_000
const STORE_LOOK_MS = 500

/**
 * The threads beside the main one that carry requests. Each is a node like that of another process: what one held when it
 * ended, its money and its requests, is cleared up as after a dead process. One that ends by itself is started again, but
 * not again and again: then `failed` rejects, and the process is to end.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #members = new Map<number, Member>()
  readonly #failed = Promise.withResolvers<never>()
  readonly #restarts: number[] = []
  readonly #figures = new WorkerFigures()
  readonly #startFlag = newStartFlag()
  #isDraining = false
  #begin: (index: number) => Promise<void> = async () => {}

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    // Heard of only where the process waits for its end.
    this.#failed.promise.catch(() => {})
  }

  /** Rejects when a thread cannot be kept running. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  get slot(): WorkerSlot {
    return this.#slotOf(0)
  }

  /**
   * Rejects when another program listens on the port: threads that listen together take no notice of that where the other
   * allows it as well, as a second gateway does.
   */
  async refuseTakenAddress(): Promise<void> {
    const { settings } = this.#options
    if (settings.port === 0) return
    const probe = createServer()
    await listen(probe, settings)
    await new Promise((resolve) => probe.close(resolve))
  }

  /** Resolves when all of them listen on the port too. `control` answers what concerns the control plane. */
  async start({ port, control }: { port: number; control: Listener }): Promise<void> {
    const receive = controlReceiver(control)
    this.#begin = (index) => this.#launch(index, { port, receive })
    const indices = Array.from({ length: this.#options.threads - 1 }, (_, index) => index + 1)
    await Promise.race([Promise.all(indices.map((index) => this.#begin(index))), this.failed])
    if (!this.#isDraining) raise(this.#startFlag)
  }

  /** How many of them there are now. */
  get running(): number {
    return this.#members.size
  }

  /** What each of them has counted. Resolves in a bounded time: one that is busy counts as it last was. */
  figures(): Promise<readonly Figures[]> {
    return this.#figures.ask([...this.#members.values()].map(({ index, worker }) => ({ index, worker })))
  }

  /** Resolves when all have ended: their requests within `settings.drainMs` after `delayMs`, what is left with force. */
  async drain(delayMs: number): Promise<void> {
    this.#isDraining = true
    const { drainMs } = this.#options.settings
    const members = [...this.#members.values()]
    for (const { worker } of members) worker.postMessage({ kind: 'drain', delayMs } satisfies ToWorker)
    const late = setTimeout(
      () => {
        this.#options.log.error('terminating a thread that did not end in time')
        for (const { worker } of members) void worker.terminate()
      },
      delayMs + 2 * drainMs + 2 * LAST_SETTLES_MS + ENDS_WITHIN_MS,
    )
    await Promise.all(members.map(({ ended }) => ended))
    clearTimeout(late)
  }

  #isStoreThere(): Promise<boolean> {
    return this.#options.store.check(STORE_CHECK_MS).then(
      () => true,
      () => false,
    )
  }

  #slotOf(index: number): WorkerSlot {
    const { threads, host, limits } = this.#options
    return { index, count: threads, host, limits, start: this.#startFlag }
  }

  /** Resolves when it listens, or has ended before. */
  #launch(index: number, about: { port: number; receive: ReturnType<typeof controlReceiver> }): Promise<void> {
    const { settings, secret, sealing, store } = this.#options
    const link = store.share()
    const workerData: WorkerData = {
      settings: { ...settings, port: about.port },
      secret,
      sealing,
      link,
      slot: this.#slotOf(index),
    }
    const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      name: `gateway ${index}`,
      workerData,
      transferList: link === null ? [] : [link.line],
    })
    const ready = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const member: Member = { index, worker, nodeIds: [], ended: ended.promise }
    this.#members.set(index, member)
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'node') member.nodeIds.push(message.id)
      else if (message.kind === 'ready') ready.resolve()
      else if (message.kind === 'control') about.receive(message.connection)
      else this.#figures.said(index, message.figures)
    })
    worker.on('error', (error) =>
      this.#options.log.error({ err: error, thread: index }, 'received an error from a thread'),
    )
    worker.once('exit', () => {
      ready.resolve()
      this.#ended(member)
        .catch((error: unknown) => this.#failed.reject(error))
        .finally(() => ended.resolve())
    })
    return ready.promise
  }

  async #ended(member: Member): Promise<void> {
    const { store, log, onEnded } = this.#options
    this.#members.delete(member.index)
    this.#figures.ended(member.index)
    onEnded(member.index)
    // Off the list, what it held is cleared up at the next look of any node.
    await store.nodes.remove(member.nodeIds).catch((error: unknown) => {
      log.warn({ err: error }, 'failed to remove the node of a thread that ended; it will be taken for dead')
    })
    // A thread cannot begin without the database. The process must not end by that: what its
    // other threads have not written yet would be lost.
    const wasThere = await this.#isStoreThere()
    if (!wasThere) {
      log.warn({ thread: member.index }, 'restarting a thread that ended, once the database answers')
      while (!this.#isDraining && !(await this.#isStoreThere())) await pause(STORE_LOOK_MS)
    }
    if (this.#isDraining) return
    if (!wasThere) return this.#begin(member.index)
    const now = clock.elapsed()
    this.#restarts.push(now)
    if (this.#restarts.length > WORKER_RESTARTS) this.#restarts.shift()
    const [oldest = now] = this.#restarts
    if (this.#restarts.length === WORKER_RESTARTS && now - oldest < WORKER_RESTARTS_WITHIN_MS) {
      this.#failed.reject(new Error('a thread that carries requests ended again and again'))
      return
    }
    log.error({ thread: member.index }, 'restarting a thread that ended')
    await this.#begin(member.index)
  }
}

/** Makes the pool of the threads beside this one, and this one's own slot among them. None of them runs yet. */
export function startWorkers(parts: {
  readonly settings: Settings
  readonly installation: Pick<OpenInstallation, 'secret' | 'store'> & Partial<Pick<OpenInstallation, 'sealing'>>
  readonly log: Logger
  /** How many threads carry requests, the main thread included. */
  readonly threads: number
}): { readonly workers: WorkerPool; readonly slot: WorkerSlot } {
  const { settings, installation, log, threads } = parts
  const { secret, sealing = [secret], store } = installation
  const limits = sharedUsesMemory()
  const uses = new SharedUses(limits, 0)
  const workers = new WorkerPool({
    settings,
    secret,
    sealing,
    store,
    threads,
    host: thisHost(randomUUID),
    limits,
    log,
    onEnded: (thread) => uses.forgetThread(thread),
  })
  return { workers, slot: workers.slot }
}

interface WorkerThread {
  readonly index: number
  readonly worker: { postMessage(message: ToWorker): void }
}

/** What the threads beside the main one have counted, as they last said. What one had counted when it ended goes on to count. */
export class WorkerFigures {
  readonly #last = new Map<number, Figures>()
  #ofEnded: Figures = { values: [], distributions: [] }
  #waiting: { readonly left: Set<number>; readonly done: () => void }[] = []

  /** Resolves with the figures of all, those that have ended included, in `METRICS_WITHIN_MS` at most. */
  async ask(threads: readonly WorkerThread[]): Promise<readonly Figures[]> {
    if (threads.length > 0) await this.#answers(threads)
    return [...this.#last.values(), this.#ofEnded]
  }

  said(index: number, figures: Figures): void {
    this.#last.set(index, figures)
    this.#cross(index)
  }

  ended(index: number): void {
    const last = this.#last.get(index)
    this.#last.delete(index)
    if (last !== undefined) this.#ofEnded = merged([this.#ofEnded, withoutGauges(last)])
    this.#cross(index)
  }

  #answers(threads: readonly WorkerThread[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry = { left: new Set(threads.map(({ index }) => index)), done: resolve }
    this.#waiting.push(entry)
    for (const { worker } of threads) worker.postMessage({ kind: 'figures' })
    const late = setTimeout(resolve, METRICS_WITHIN_MS)
    return promise.finally(() => {
      clearTimeout(late)
      this.#waiting = this.#waiting.filter((each) => each !== entry)
    })
  }

  #cross(index: number): void {
    for (const { left, done } of this.#waiting) {
      left.delete(index)
      if (left.size === 0) done()
    }
  }
}
