import { createHash } from 'node:crypto'

/** What every wire takes: Anthropic allows these characters only, OpenAI's chat completions no more than 40 of them. */
const PORTABLE = /^[a-zA-Z0-9_-]{1,40}$/

/**
 * The id of a tool call as every provider takes it: the id itself, or another made from it, always the same, so that a call
 * and its result still belong together.
 */
export function portableToolCallId(id: string): string {
  if (PORTABLE.test(id)) return id
  return 'call_' + createHash('sha256').update(id).digest('base64url').slice(0, 24)
}

/** An id for a call that came without one. The same `seed` gives the same id, so it has to be unique in a conversation. */
export function madeUpCallId(seed: string): string {
  return 'call_' + createHash('sha256').update(seed).digest('hex').slice(0, 24)
}
