import { createHmac } from 'node:crypto'

/**
 * The headers that prove to a receiver that a body is ours and new, as Standard Webhooks 1.0.0 has them
 * (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md): `v1` is the base64 of HMAC-SHA-256 over
 * `id.timestamp.body`. `id` stays the same however often the same thing is sent; the time, in whole seconds, is this try's.
 */
export function signedHeaders(body: string, about: { id: string; nowMs: number; key: Buffer }): Record<string, string> {
  const timestamp = String(Math.floor(about.nowMs / 1000))
  const signature = createHmac('sha256', about.key).update(`${about.id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': about.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const SHORTEST_KEY_BYTES = 24
/** The most that the specification allows for a key. */
const LONGEST_KEY_BYTES = 64

/**
 * The key that a secret stands for: `whsec_…` is base64, as the specification writes secrets; any other text is its own
 * bytes. null: it cannot be used, since it is too short or broken.
 */
export function signingKey(secret: string): Buffer | null {
  if (!secret.startsWith(MARK)) return /^[\x21-\x7e]{24,512}$/.test(secret) ? Buffer.from(secret) : null
  const coded = secret.slice(MARK.length)
  const key = Buffer.from(coded, 'base64')
  // The decoder leaves out what it does not understand.
  const isWhole = key.toString('base64').replace(/=+$/, '') === coded.replace(/=+$/, '')
  return isWhole && key.length >= SHORTEST_KEY_BYTES && key.length <= LONGEST_KEY_BYTES ? key : null
}

const MARK = 'whsec_'
