/** Timers that run on demand, and one exchange driven through the upstream client's interface. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../src/core/faults.ts'
import { createDemoUpstream } from '../../src/upstreams/demo-upstream.ts'
import type { UpstreamExchange, UpstreamHandler } from '../../src/upstreams/upstream-client.ts'
import { type JsonFields, objectOf } from '../../src/upstreams/demo/json.ts'
import type { Schedule } from '../../src/upstreams/demo/playback.ts'

/** Bound on every loop here: far more steps than any answer takes. */
const STEPS_LIMIT = 10_000

export class TestTimers {
  readonly #waiting: { callback: () => void; delayMs: number }[] = []
  /** Milliseconds that the timers which ran had asked for. */
  passedMs = 0

  readonly schedule: Schedule = (callback, delayMs) => {
    const timer = { callback, delayMs }
    this.#waiting.push(timer)
    return () => {
      const at = this.#waiting.indexOf(timer)
      if (at !== -1) this.#waiting.splice(at, 1)
    }
  }

  get pending(): number {
    return this.#waiting.length
  }

  /** Runs the oldest; false when there is none. */
  runOne(): boolean {
    const timer = this.#waiting.shift()
    if (timer === undefined) return false
    this.passedMs += timer.delayMs
    timer.callback()
    return true
  }

  runAll(): void {
    for (let step = 0; this.runOne(); step++) {
      if (step === STEPS_LIMIT) throw new Error('the timers do not come to an end')
    }
  }
}

/** What a handler received, in order: `head`, `data`, `end` or `failure`. */
export interface Report {
  readonly calls: string[]
  status: number
  headers: IncomingHttpHeaders
  readonly chunks: string[]
  fault: Fault | null
}

export function newReport(): Report {
  return { calls: [], status: 0, headers: {}, chunks: [], fault: null }
}

/** Writes everything into the report; `onCall` runs inside each call of the handler, after it is noted. */
export function reportingHandler(report: Report, onCall: (count: number) => void = () => {}): UpstreamHandler {
  const note = (call: string): void => {
    report.calls.push(call)
    onCall(report.calls.length)
  }
  return {
    onHead: (status, headers) => {
      Object.assign(report, { status, headers })
      note('head')
    },
    onData: (chunk) => {
      report.chunks.push(chunk.toString('utf8'))
      note('data')
    },
    onEnd: () => note('end'),
    onFailure: (fault) => {
      report.fault = fault
      note('failure')
    },
  }
}

export interface Demo {
  readonly timers: TestTimers
  send(path: string, body: unknown, handler: UpstreamHandler): UpstreamExchange
  /** Runs one request to its end. */
  ask(path: string, body: unknown): Report
  close(): Promise<void>
}

export function startDemo(): Demo {
  const timers = new TestTimers()
  const clock = { now: () => 1_790_000_000_000, elapsed: () => 0 }
  const client = createDemoUpstream({ clock, schedule: timers.schedule })
  const send: Demo['send'] = (path, body, handler) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return client.send({ method: 'POST', path, headers: {}, body: [Buffer.from(text)] }, handler)
  }
  const ask: Demo['ask'] = (path, body) => {
    const report = newReport()
    send(path, body, reportingHandler(report))
    timers.runAll()
    return report
  }
  return { timers, send, ask, close: () => client.close() }
}

export function jsonOf(report: Report): JsonFields {
  return objectOf(JSON.parse(report.chunks.join('')))
}

/** One event of a stream: its name, when it has one, and its data; `[DONE]` as text. */
export interface StreamEvent {
  readonly event: string | null
  readonly data: unknown
}

export function eventsOf(report: Report): readonly StreamEvent[] {
  const blocks = report.chunks.join('').split('\n\n')
  if (blocks.pop() !== '') throw new Error('the stream ends inside an event')
  return blocks.map((block) => {
    const lines = block.split('\n')
    const data = lines.find((line) => line.startsWith('data: '))?.slice(6) ?? ''
    const event = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? null
    return { event, data: data === '[DONE]' ? data : JSON.parse(data) }
  })
}

/** The names of the events; a run of the same name is written once, with `…`. A chunk without a name is `chunk`. */
export function sequenceOf(report: Report): readonly string[] {
  const names = eventsOf(report).map(({ event, data }) => event ?? (typeof data === 'string' ? data : 'chunk'))
  const runs = names.map((name, at) => (names[at + 1] === name ? `${name}…` : name))
  return runs.filter((_, at) => names[at - 1] !== names[at])
}
