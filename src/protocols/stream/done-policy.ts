import type { Fault } from '../../core/faults.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { UnitCounts } from '../../core/units.ts'
import { openaiError } from '../fault-body.ts'
import type { StreamReader } from '../protocol.ts'
import { readErrorObject } from '../reading/upstream-error.ts'
import type { UsageReport } from '../reading/usage-report.ts'
import { UsageTally } from '../reading/usage-tally.ts'
import { fieldsOfEvent } from './event-fields.ts'
import { EventStream, failed, PASS, type EventPolicy, type EventAction } from './event-stream.ts'
import { KEEP_ALIVE_COMMENT } from './keep-alive-comment.ts'
import type { TextShape } from './produced-text.ts'
import { namedEvent, type ServerEvent } from '../reading/server-event.ts'

/** A wire of OpenAI's whose streams end with an event that says so and holds all usage: images, sound, transcripts. */
export interface DoneStreamShape {
  /** Types of the events that end it. */
  readonly done: readonly string[]
  readonly text: TextShape
  /** What such an event's `usage` says of tokens; null: nothing. */
  readonly reportOf: (usage: unknown) => UsageReport | null
  /** And of units; `events`: how many such events have come. */
  readonly unitsOf: (usage: unknown, events: number) => UnitCounts | null
}

/** Opens such a stream. It ends with the `ends`-th of its terminal events: images come one by one. */
export function doneStream(shape: DoneStreamShape, ends: number): StreamReader {
  return new EventStream({ marker: MARKER, sign: SIGN, text: shape.text }, new DonePolicy(shape, ends))
}

/** Matches the name of every terminal event; base64 may hold these letters as well, which the sign tells apart. */
const MARKER = /completed|done|DONE\]|error/g
const SIGN = /\.(?:completed|done)|\[DONE\]|"error"|event: ?error/
const WANTED = new Set(['type', 'usage', 'error', 'message'])

class DonePolicy implements EventPolicy {
  readonly #shape: DoneStreamShape
  readonly #ends: number
  readonly #tally = new UsageTally({ inputIncludesCache: true })
  #units: UnitCounts | null = null
  #events = 0
  usageIsFinal = false

  constructor(shape: DoneStreamShape, ends: number) {
    this.#shape = shape
    this.#ends = ends
  }

  get usage(): TokenCounts {
    return { ...this.#tally.counts, units: this.#units }
  }

  judge(event: ServerEvent): EventAction {
    if (event.data.length < 16 && event.data.toString('latin1').trim() === '[DONE]') return { kind: 'end' }
    const fields = fieldsOfEvent(event, WANTED)
    if (fields === null) return PASS
    const error = fields.get('error') ?? null
    if (error !== null) return failed(readErrorObject({ error }))
    if (event.name === 'error') return failed(readErrorObject(Object.fromEntries(fields)))
    const type = fields.get('type') ?? event.name
    if (typeof type !== 'string' || !this.#shape.done.includes(type)) return PASS
    this.#events += 1
    const usage = fields.get('usage')
    this.#tally.add(this.#shape.reportOf(usage))
    this.#units = this.#shape.unitsOf(usage, this.#events)
    if (this.#events < this.#ends) return PASS
    this.usageIsFinal = this.#tally.counts.output !== null
    return { kind: 'end' }
  }

  /** A comment, as these wires have no event that says nothing. */
  keepAlive(): Buffer {
    return Buffer.from(KEEP_ALIVE_COMMENT)
  }

  writeFault(fault: Fault, requestId: string): Buffer {
    return Buffer.from(namedEvent('error', openaiError(fault, requestId)))
  }

  finishEarly(): never {
    throw new Error('broken invariant: what is held at once is never ended early')
  }
}
