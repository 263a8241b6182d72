/** What a fault has to look like to the client of each protocol, written down apart from the code that writes it. */
import { type ChatWire, familyOf } from '../../../src/core/wire.ts'
import type { Tried } from './table.ts'

interface Names {
  readonly openai: string
  readonly anthropic: string
}

/** The types by which the SDKs of OpenAI and Anthropic know them. */
const NAMES: Readonly<Record<string, Names>> = {
  upstream_rejected: { openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  upstream_rate_limited: { openai: 'rate_limit_error', anthropic: 'rate_limit_error' },
  upstream_overloaded: { openai: 'rate_limit_error', anthropic: 'overloaded_error' },
  upstream_unavailable: { openai: 'api_error', anthropic: 'api_error' },
  upstream_malformed: { openai: 'api_error', anthropic: 'api_error' },
  upstream_timeout: { openai: 'api_error', anthropic: 'timeout_error' },
}

/** `google.rpc.Code` by HTTP status. */
const GOOGLE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  413: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

interface Sent {
  readonly type?: string
  readonly code?: string
  readonly request_id?: string
  readonly error?: {
    readonly type?: string
    readonly code?: string | number | null
    readonly message?: string
    readonly status?: string
    readonly details?: readonly { readonly reason?: string }[]
  }
  readonly message?: string
  readonly response?: { readonly status?: string; readonly error?: { readonly code?: string } | null }
}

/** What a cell's client got of a fault and what it should have got, as texts; null: it got no fault. */
export function faultShapes({ cell, outcome }: Tried): { readonly got: string; readonly should: string } | null {
  const { received, record } = outcome
  if (record.fault === null) return null
  const { client } = cell
  const fault = record.fault
  const sent = JSON.parse(received.fault === null ? lastEvent(received.text) : received.text) as Sent
  const names = NAMES[fault] ?? { openai: '?', anthropic: '?' }
  const isWhole = received.fault !== null
  const shown = (parts: readonly unknown[]) => `${cell.ailment.name}, ${client}: ${parts.join(' ')}`
  if (familyOf(client) === 'anthropic') {
    const type = received.status === 413 ? 'request_too_large' : names.anthropic
    return {
      got: shown([sent.type, sent.error?.type, sent.request_id]),
      should: shown(['error', type, received.requestId]),
    }
  }
  if (familyOf(client) === 'gemini') {
    const code = isWhole ? received.status : Number(sent.error?.code)
    return {
      got: shown([sent.error?.code, sent.error?.status, sent.error?.details?.[0]?.reason]),
      should: shown([code, GOOGLE[code], fault]),
    }
  }
  if (!isWhole && client === EVENTS_OF_ITS_OWN) {
    return { got: shown([sent.response?.error?.code ?? sent.code]), should: shown([fault]) }
  }
  // A refusal has the upstream's own code, which clients look at.
  const code = fault === 'upstream_rejected' ? sent.error?.code : fault
  return { got: shown([sent.error?.type, sent.error?.code]), should: shown([names.openai, code]) }
}

const EVENTS_OF_ITS_OWN: ChatWire = 'openai-responses'

/** The JSON of a stream's last event. */
function lastEvent(text: string): string {
  return /^data: (\{.*\})$/m.exec(text.trim().split('\n\n').at(-1) ?? '')?.[1] ?? '{}'
}
