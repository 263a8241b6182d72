/** What the provider knows of one protocol: how a call is read, and how an answer is written whole or as a stream. */
import type { IncomingHttpHeaders } from 'node:http'
import { type JsonFields, stringOf } from '../../../src/upstreams/demo/json.ts'
import type { Asked } from './asked.ts'
import type { Generation } from './generation.ts'

/** One write of a stream. The tokens are produced, and billed, before it goes out. */
export interface Step {
  readonly text: string
  readonly hidden?: number
  readonly visible?: number
  /** Tokens of `extra`. */
  readonly extra?: number
  /** The report of the usage is in it; the provider takes its time before. */
  readonly isReport?: true
}

export interface Arrived {
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonFields
}

export interface ProviderWireFormat {
  read(arrived: Arrived): Asked
  whole(generation: Generation, isReported: boolean): JsonFields
  stream(generation: Generation, isReported: boolean): Iterable<Step>
}

/** What a call asks for where its wire says nothing else. */
export function askedOf(wire: Asked['wire'], body: JsonFields, said: Partial<Asked>): Asked {
  return {
    wire,
    model: stringOf(body['model']),
    body,
    isStream: body['stream'] === true,
    choices: 1,
    outputLimit: null,
    tier: 'standard',
    speed: null,
    region: null,
    cacheTtl: null,
    mayReport: true,
    ...said,
  }
}

export const CREATED_AT = 1_780_000_000
/** Words in one event of a stream. */
const WORDS_OF_A_PIECE = 25

/** How a text comes in pieces. */
export function* pieces(words: number): Iterable<number> {
  for (let left = words; left > 0; left -= WORDS_OF_A_PIECE) yield Math.min(left, WORDS_OF_A_PIECE)
}

export function dataEvent(value: JsonFields): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export function numberIn(body: JsonFields, ...names: readonly string[]): number | null {
  const numbers = names.map((name) => body[name]).filter((value) => typeof value === 'number')
  return numbers.length === 0 ? null : Math.max(...numbers)
}

/** The tier by the name that the answer gives it. A model named `eager` belongs to a project whose own tier is a dear one. */
export function openAiTier(model: string, asked: unknown): string {
  if (typeof asked === 'string' && asked !== 'auto') return asked === 'fast' ? 'priority' : asked
  return model.includes('eager') ? 'priority' : 'default'
}
