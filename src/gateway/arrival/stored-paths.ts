import { STORED_RESPONSE_ID_CHARACTERS } from '../../core/limits.ts'
import type { Wire } from '../../core/wire.ts'

/** What may be asked of a response that its upstream keeps. */
export interface StoredResponseRoute {
  readonly kind: 'stored_response'
  readonly wire: Wire
  readonly responseId: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Where the upstream that made it has it, below its base URL. */
  readonly upstreamPath: string
}

/** The endpoints in the words of messages. */
export const STORED_ENDPOINTS = [
  'GET /v1/responses/{id}',
  'DELETE /v1/responses/{id}',
  'POST /v1/responses/{id}/cancel',
  'GET /v1/responses/{id}/input_items',
] as const

/** Finds what is asked of a stored response; null: the path is of another kind, or has no such method. */
export function recogniseStored(method: string, path: string): StoredResponseRoute | null {
  const [, responseId, part = ''] = STORED.exec(path) ?? []
  const known = responseId === undefined ? undefined : METHODS[part]?.find((each) => each === method)
  if (responseId === undefined || known === undefined) return null
  const upstreamPath = `/responses/${responseId}${part}`
  return { kind: 'stored_response', wire: 'openai-responses', responseId, method: known, upstreamPath }
}

const METHODS: Readonly<Record<string, readonly StoredResponseRoute['method'][]>> = {
  '': ['GET', 'DELETE'],
  '/cancel': ['POST'],
  '/input_items': ['GET'],
}

/**
 * Ids are those that are remembered: no endpoint beside them, and nothing that a client appends to a base URL that ends in
 * `/responses`.
 */
const STORED = new RegExp(
  `^/v1/responses/(?!(?:compact|input_tokens|models|responses|usage)(?:/|$))([\\w-]{1,${STORED_RESPONSE_ID_CHARACTERS}})(/cancel|/input_items)?$`,
)
