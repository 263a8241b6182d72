import type { HubWire } from '../../../src/core/wire.ts'

/** An answer of a good status, as an upstream sends it. */
export interface UpstreamAnswer {
  /** Continues "an answer with …". */
  readonly name: string
  readonly wire: HubWire
  readonly isStream: boolean
  /** The body, or all events. */
  readonly bytes: string
  /** What comes of the events where they come in the binary frames of Amazon Bedrock. */
  readonly frames?: readonly Buffer[]
  /** A public report of how the like was taken for what it is not. */
  readonly from: string
}

/** One in a list of a protocol. */
export type Listed = readonly [name: string, bytes: string, from: string]

export function answersOf(wire: HubWire, isStream: boolean, list: readonly Listed[]): readonly UpstreamAnswer[] {
  return list.map(([name, bytes, from]) => ({ name, wire, isStream, bytes, from }))
}

/** What the readers of one protocol are tried with. */
export interface TriedAnswers {
  /** Answers that are none. */
  readonly failed: readonly UpstreamAnswer[]
  /** Failures where they go to a client of another protocol: on its own wire a client is left what they say. */
  readonly failedWhereTranslated: readonly UpstreamAnswer[]
  /** Answers that look odd, and are good. */
  readonly good: readonly UpstreamAnswer[]
}

export function data(value: unknown): string {
  return `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
}

export function event(type: string, fields: object): string {
  return `event: ${type}\n${data({ type, ...fields })}`
}
