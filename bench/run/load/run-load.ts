/** Sends the requests of one job and counts what comes back. */
import { type RecordableHistogram, createHistogram } from 'node:perf_hooks'
import { Connection, type ConnectionEvents } from './connection.ts'
import type { Expectation, Latency, LoadJob, LoadReport } from './job.ts'
import type { Answer } from './response-reader.ts'
import { readStamps } from '../../../tools/fake-upstream/time-stamp.ts'

/** How long the last requests may take after the job's time is over. */
const GRACE_MS = 15_000
/** A subject that fails so often isn't being measured any more. */
const MOST_ERRORS = 20

/** Runs the job. Rejects when no connection can be opened; everything later is counted in the report. */
export async function runLoad(job: LoadJob): Promise<LoadReport> {
  const run = new LoadRun(job)
  await run.open()
  try {
    await run.finished()
    return run.report()
  } finally {
    run.close()
  }
}

/** A connection's place: it stays when the connection itself is opened again. */
interface Lane {
  connection: Connection | null
  readonly latency: RecordableHistogram
  requests: number
}

class LoadRun {
  readonly #job: LoadJob
  readonly #request: Buffer
  readonly #lanes: Lane[] = []
  readonly #laneOf = new Map<Connection, Lane>()
  readonly #idle: Lane[] = []
  readonly #latency = createHistogram()
  readonly #done = Promise.withResolvers<void>()
  #startMs = 0
  #endMs = 0
  /** Requests sent so far, and how many of them have no end yet. */
  #sent = 0
  #open = 0
  #timer: NodeJS.Timeout | undefined
  #stopping = false
  readonly #count = { requests: 0, errors: 0, reconnects: 0, bodyBytes: 0, events: 0, reads: 0 }
  #firstError: string | null = null
  readonly #chunkDelay = createHistogram()
  readonly #events: ConnectionEvents = {
    arrived: (bytes) => {
      if (this.#job.readsStamps) readStamps(bytes, this.#noteDelay)
    },
    answered: (connection, answer, sinceMs) => this.#answered(connection, answer, sinceMs),
    failed: (connection, reason) => this.#failed(connection, reason),
    closedIdle: (connection) => this.#reopen(connection),
  }

  readonly #noteDelay = (ageUs: number): void => this.#chunkDelay.record(Math.max(1, ageUs * 1000))

  constructor(job: LoadJob) {
    this.#job = job
    this.#request = writeRequest(job)
  }

  async open(): Promise<void> {
    for (let i = 0; i < this.#job.connections; i++) {
      const lane: Lane = { connection: null, latency: createHistogram(), requests: 0 }
      this.#lanes.push(lane)
      await this.#connect(lane)
    }
  }

  /** Starts sending; resolves when the last answer is in. */
  finished(): Promise<void> {
    this.#startMs = performance.now()
    const { durationMs } = this.#job
    const stop = setTimeout(() => this.#stop(), durationMs)
    const giveUp = setTimeout(() => this.#giveUp(), durationMs + GRACE_MS)
    if (this.#job.requestsPerSecond === null) for (const lane of this.#idle.splice(0)) this.#sendNext(lane)
    else this.#tick()
    return this.#done.promise.finally(() => {
      clearTimeout(stop)
      clearTimeout(giveUp)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const lane of this.#lanes) lane.connection?.close()
  }

  report(): LoadReport {
    for (const lane of this.#lanes) this.#leave(lane)
    return {
      ...this.#count,
      firstError: this.#firstError,
      elapsedMs: this.#endMs - this.#startMs,
      latency: latencyOf(this.#latency),
      chunkDelay: latencyOf(this.#chunkDelay),
      perConnection: this.#lanes.map((lane) => ({ requests: lane.requests, ...latencyOf(lane.latency) })),
    }
  }

  async #connect(lane: Lane): Promise<void> {
    const connection = await Connection.open(this.#job.port, this.#events)
    lane.connection = connection
    this.#laneOf.set(connection, lane)
    this.#idle.push(lane)
  }

  #answered(connection: Connection, answer: Answer, sinceMs: number): void {
    const now = performance.now()
    this.#open--
    const wrong = whatIsWrong(answer, this.#job.expect)
    if (wrong !== null) this.#countError(wrong)
    const lane = this.#laneOf.get(connection)
    if (lane === undefined) return
    if (wrong === null) {
      const tookNs = Math.max(1, Math.round((now - sinceMs) * 1e6))
      this.#count.requests++
      this.#count.bodyBytes += answer.bodyBytes
      this.#count.events += answer.events
      this.#latency.record(tookNs)
      lane.latency.record(tookNs)
      lane.requests++
    }
    if (answer.keepsAlive) this.#sendNext(lane)
    else {
      connection.close()
      this.#reopen(connection)
    }
  }

  #failed(connection: Connection, reason: string): void {
    this.#open--
    this.#countError(reason)
    this.#reopen(connection)
  }

  #countError(reason: string): void {
    this.#count.errors++
    this.#firstError ??= reason
    if (this.#count.errors >= MOST_ERRORS) this.#stop()
  }

  /** Notes what a connection counted, before it is forgotten. */
  #leave(lane: Lane): void {
    if (lane.connection === null) return
    this.#count.reads += lane.connection.reads
    this.#laneOf.delete(lane.connection)
    const place = this.#idle.indexOf(lane)
    if (place !== -1) this.#idle.splice(place, 1)
    lane.connection.close()
    lane.connection = null
  }

  #reopen(connection: Connection): void {
    const lane = this.#laneOf.get(connection)
    if (lane === undefined) return
    this.#leave(lane)
    this.#endWhenDone()
    if (this.#stopping) return
    this.#count.reconnects++
    void this.#openAgain(lane)
  }

  async #openAgain(lane: Lane): Promise<void> {
    try {
      await this.#connect(lane)
    } catch (error) {
      this.#countError(String(error))
      return this.#stop()
    }
    const free = this.#idle.pop()
    if (free !== undefined) this.#sendNext(free)
  }

  /** The lane's connection is free: sends what is due, or lets it wait. */
  #sendNext(lane: Lane): void {
    const { requestsPerSecond, maxRequests } = this.#job
    if (this.#sent >= maxRequests) this.#stopping = true
    if (this.#stopping) return this.#endWhenDone()
    if (requestsPerSecond === null) return this.#send(lane, performance.now())
    const dueMs = this.#dueMs(requestsPerSecond)
    // A request that had to wait for a connection has been waiting since it was due.
    if (dueMs <= performance.now()) this.#send(lane, dueMs)
    else this.#idle.push(lane)
  }

  /** Offered rate: sends what has become due, on connections that are free. */
  #tick(): void {
    const { requestsPerSecond } = this.#job
    if (requestsPerSecond === null || this.#stopping) return
    let now = performance.now()
    while (this.#sent < this.#job.maxRequests && this.#dueMs(requestsPerSecond) <= now) {
      const lane = this.#idle.shift()
      if (lane === undefined) break
      this.#send(lane, now)
      now = performance.now()
    }
    this.#timer = setTimeout(() => this.#tick(), Math.max(1, this.#dueMs(requestsPerSecond) - performance.now()))
  }

  #dueMs(requestsPerSecond: number): number {
    return this.#startMs + (this.#sent * 1000) / requestsPerSecond
  }

  #send(lane: Lane, sinceMs: number): void {
    this.#sent++
    this.#open++
    lane.connection?.send(this.#request, sinceMs)
  }

  #stop(): void {
    this.#stopping = true
    this.#endWhenDone()
  }

  #endWhenDone(): void {
    if (!this.#stopping || this.#open > 0) return
    if (this.#endMs === 0) this.#endMs = performance.now()
    this.#done.resolve()
  }

  #giveUp(): void {
    this.#count.errors += this.#open
    this.#firstError ??= `${this.#open} requests had no answer in time`
    this.#open = 0
    this.#stop()
  }
}

function writeRequest(job: LoadJob): Buffer {
  const body = Buffer.from(job.body)
  const headers = { host: `127.0.0.1:${job.port}`, ...job.headers, 'content-length': String(body.length) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`POST ${job.path} HTTP/1.1\r\n${lines.join('')}\r\n`), body])
}

/** What an answer lacks, in words; null when it is right. */
function whatIsWrong(answer: Answer, expect: Expectation): string | null {
  if (answer.status !== 200) return `status ${answer.status}`
  if (expect.kind === 'object')
    return answer.tail.trimEnd().endsWith('}') ? null : 'the body is not a whole JSON object'
  if (!answer.tail.endsWith(expect.end)) return 'the stream has no right end'
  return answer.events === expect.events ? null : `${answer.events} events instead of ${expect.events}`
}

/** Sums up a histogram of nanoseconds. */
function latencyOf(histogram: RecordableHistogram): Latency {
  if (histogram.count === 0) return { p50Us: 0, p90Us: 0, p99Us: 0, maxUs: 0 }
  return {
    p50Us: microseconds(histogram.percentile(50)),
    p90Us: microseconds(histogram.percentile(90)),
    p99Us: microseconds(histogram.percentile(99)),
    maxUs: microseconds(histogram.max),
  }
}

function microseconds(ns: number): number {
  return Math.round(ns / 100) / 10
}
