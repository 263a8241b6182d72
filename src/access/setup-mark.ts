import { HOUR_MS } from '../core/durations.ts'

/** The header by which a request names the page of the console that its command was copied from. */
export const SETUP_MARK_HEADER = 'x-tollgate-setup'

/** A client is set up by then, and a mark that stays in a file says nothing any more. */
const HOURS_VALID = 12
const PROOF_LENGTH = 16

/** Hashes as the gateway hashes secrets: no secret has blanks, so no mark proves anything of one. */
type Hash = (text: string) => string

/**
 * A mark for the commands that set a key up: a request that carries it belongs to the page of that key, whatever it has for a
 * key and wherever it comes from. It opens nothing and is not a secret. Every node of an installation makes and reads the same
 * ones; within an hour they are equal.
 */
export function setupMark(keyId: string, nowMs: number, hash: Hash): string {
  const end = (Math.ceil(nowMs / HOUR_MS) + HOURS_VALID).toString(36)
  return `${keyId}.${end}.${proofOf(keyId, end, hash)}`
}

/** The key that a header's mark was made for; null: it is none, or its time is over. */
export function keyOfSetupMark(header: unknown, nowMs: number, hash: Hash): string | null {
  const [, keyId, end, proof] = (typeof header === 'string' && MARK.exec(header)) || []
  if (keyId === undefined || end === undefined || Number.parseInt(end, 36) * HOUR_MS < nowMs) return null
  return proof === proofOf(keyId, end, hash) ? keyId : null
}

const MARK = /^(key_[0-9a-z]{1,40})\.([0-9a-z]{1,8})\.([\w-]{16})$/

function proofOf(keyId: string, end: string, hash: Hash): string {
  return hash(`setup mark ${keyId} ${end}`).slice(0, PROOF_LENGTH)
}
