import { Fault } from '../../core/faults.ts'
import type { WireFamily } from '../../core/wire.ts'
import type { JsonFields } from './json.ts'

/** A request that the simulator does not take, with what its own provider would say. Thrown while reading a request. */
export class Refusal extends Error {
  readonly status: 400 | 404
  /** The request field at fault, for OpenAI's `param`. */
  readonly param: string | null
  readonly code: string | null

  /** The refusal of a field that the wire's own reader found wrong; null for every other error. */
  static ofFault(cause: unknown): Refusal | null {
    if (!(cause instanceof Fault) || cause.code !== 'request_invalid') return null
    const { param } = cause.details
    return new Refusal(cause.message, param === undefined ? {} : { param })
  }

  constructor(message: string, details: { status?: 400 | 404; param?: string; code?: string } = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = details.status ?? 400
    this.param = details.param ?? null
    this.code = details.code ?? null
  }
}

/** The body of the answer, in the shape of the protocol that was spoken. */
export function refusalBody(refusal: Refusal, family: WireFamily, serial: string): JsonFields {
  return BODIES[family](refusal, serial)
}

const BODIES: Readonly<Record<WireFamily, (refusal: Refusal, serial: string) => JsonFields>> = {
  openai: ({ message, param, code }) => ({ error: { message, type: 'invalid_request_error', param, code } }),
  anthropic: ({ message, status }, serial) => {
    const type = status === 404 ? 'not_found_error' : 'invalid_request_error'
    return { type: 'error', error: { type, message }, request_id: `req_${serial}` }
  },
  gemini: ({ message, status }) => {
    return { error: { code: status, message, status: status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT' } }
  },
}
