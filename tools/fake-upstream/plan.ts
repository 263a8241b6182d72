/** A plan: every byte of one answer, in the writes and with the pauses in which it leaves, and how it ends. */
import type { Failure } from './failures.ts'
import type { Script, Sentinel } from './model-name.ts'
import type { Usage } from './usage.ts'

/** Bytes that leave in one write. */
export interface Write {
  readonly bytes: Buffer
  /** The bytes as an HTTP chunk, with the mark of the end where the answer ends; in a plan that is not framed, `bytes`. */
  readonly chunk: Buffer
  /** How many stream events end in these bytes; 1 for the last write of an answer other than a stream. */
  readonly events: number
  /** The usage that a reader knows after these bytes, where they say something about it. */
  readonly reports: Usage | null
}

export interface Plan {
  readonly status: number
  /** Flat list of names and values, without the request's id. */
  readonly headers: readonly string[]
  readonly writes: readonly Write[]
  /** True: the writes bring their framing as HTTP chunks with them. */
  readonly framed: boolean
  /** `end`: the answer ends by the rules of HTTP. `cut`: the socket is destroyed. `hold`: silence first, then as `cut`. */
  readonly ending: 'end' | 'cut' | 'hold'
  /** False: this answer is not meant to be whole, so the books count it as failed on purpose. */
  readonly whole: boolean
  readonly pace: Pace
  readonly closesConnection: boolean
}

/** See `time-stamp.ts` for `stamped`. */
export type Pace = Pick<Script, 'firstDelayMs' | 'delayMs' | 'holdMs' | 'earlyHeaders' | 'stamped'>

const NO_PAUSES: Pace = { firstDelayMs: 0, delayMs: 0, holdMs: 0, earlyHeaders: false, stamped: false }

/** A part of an answer as it was written by a wire, before it is cut into writes. */
export interface Part {
  readonly bytes: Buffer
  readonly reports: Usage | null
}

const STREAM_TYPE = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache']
const JSON_TYPE = ['content-type', 'application/json']

export function planStream(script: Script, parts: readonly Part[], headers: readonly string[]): Plan {
  const { kept, ending, whole } = endOf(script, parts)
  return {
    status: 200,
    headers: [...STREAM_TYPE, ...headers],
    writes: frame(cutIntoWrites(script, kept), ending),
    framed: true,
    ending,
    whole: whole && script.sentinel !== 'error-event',
    pace: script,
    closesConnection: script.sentinel === 'closes-keepalive',
  }
}

/** An answer in one document. Where something happens in its middle, it leaves in two halves. */
export function planWhole(script: Script, part: Part, headers: readonly string[]): Plan {
  const middle = Math.floor(part.bytes.length / 2)
  const halves = [
    { bytes: part.bytes.subarray(0, middle), reports: null },
    { bytes: part.bytes.subarray(middle), reports: part.reports },
  ]
  const inHalves = script.delayMs > 0 || BREAKS[script.sentinel] !== undefined
  const { kept, ending, whole } = endOf(script, inHalves ? halves : [part])
  const cuts = cutIntoWrites(script, kept)
  const writes = cuts.map((write, index) => ({ ...write, events: whole && index === cuts.length - 1 ? 1 : 0 }))
  // A clean end before the announced length would not be one.
  const length = script.sentinel === 'end-mid-stream' ? [] : ['content-length', String(part.bytes.length)]
  return {
    status: 200,
    headers: [...JSON_TYPE, ...length, ...headers],
    writes,
    framed: false,
    ending,
    whole,
    pace: script,
    closesConnection: script.sentinel === 'closes-keepalive',
  }
}

/** An error answer. With a script its delays hold here too. */
export function planFailure(failure: Failure, pace: Pace = NO_PAUSES): Plan {
  return {
    status: failure.status,
    headers: [...failure.headers, 'content-length', String(failure.body.length)],
    writes: [{ bytes: failure.body, chunk: failure.body, events: 0, reports: null }],
    framed: false,
    ending: 'end',
    whole: false,
    pace,
    closesConnection: false,
  }
}

/** Endings in mid-answer. Absent: the answer is whole. */
const BREAKS: Partial<Record<Sentinel, Plan['ending']>> = {
  'never-answers': 'hold',
  'cut-mid-stream': 'cut',
  'end-mid-stream': 'end',
  'stalls-mid-stream': 'hold',
}

function endOf(script: Script, parts: readonly Part[]): Pick<Plan, 'ending' | 'whole'> & { kept: readonly Part[] } {
  const ending = BREAKS[script.sentinel]
  if (ending === undefined) return { kept: parts, ending: 'end', whole: true }
  const half = Math.max(1, Math.floor(parts.length / 2))
  return { kept: parts.slice(0, script.sentinel === 'never-answers' ? 0 : half), ending, whole: false }
}

function cutIntoWrites(script: Script, parts: readonly Part[]): Write[] {
  if (!script.burst && script.splitBytes === 0) return parts.map((part) => ({ ...part, chunk: part.bytes, events: 1 }))
  const all = Buffer.concat(parts.map((part) => part.bytes))
  const size = script.burst ? all.length : script.splitBytes
  const writes: Write[] = []
  let next = 0
  let endOfNext = parts[0]?.bytes.length ?? 0
  for (let at = 0; at < all.length; at += size) {
    let events = 0
    let reports: Usage | null = null
    while (next < parts.length && endOfNext <= at + size) {
      events++
      reports = parts[next]?.reports ?? reports
      next++
      endOfNext += parts[next]?.bytes.length ?? 0
    }
    const bytes = all.subarray(at, at + size)
    writes.push({ bytes, chunk: bytes, events, reports })
  }
  return writes
}

/** Frames writes ahead of time: done by node for each write anew it takes a quarter of a stream's time. */
function frame(writes: readonly Write[], ending: Plan['ending']): Write[] {
  return writes.map((write, index) => {
    const isEnd = ending === 'end' && index === writes.length - 1
    const head = Buffer.from(`${write.bytes.length.toString(16)}\r\n`)
    const chunk = Buffer.concat([head, write.bytes, Buffer.from(isEnd ? '\r\n0\r\n\r\n' : '\r\n')])
    return { ...write, chunk, bytes: chunk.subarray(head.length, head.length + write.bytes.length) }
  })
}
