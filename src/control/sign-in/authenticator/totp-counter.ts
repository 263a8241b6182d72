import { createHmac, timingSafeEqual } from 'node:crypto'
import { symmetricDecrypt } from 'better-auth/crypto'
import { systemClock } from '../../../core/clock.ts'
import type { Authenticator } from './authenticator.ts'

const STEP_MS = 30_000
const DIGITS = 6

/**
 * The step of 30 s that a code of the second factor belongs to (RFC 6238), among those that better-auth takes: this one, the one
 * before and the one after; null: none. `sealed`: the factor's secret as it is stored. By the system's clock, since
 * better-auth goes by it too.
 */
export async function totpCounter(authenticator: Authenticator, sealed: string, code: string): Promise<number | null> {
  const { secretConfig } = await authenticator.$context
  const secret = await symmetricDecrypt({ key: secretConfig, data: sealed })
  const now = Math.floor(systemClock.now() / STEP_MS)
  // The latest first: should two steps have one code, it is spent for both.
  return [now + 1, now, now - 1].find((counter) => isSame(code, codeAt(secret, counter))) ?? null
}

function codeAt(secret: string, counter: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac('sha1', secret).update(message).digest()
  const at = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(at) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
