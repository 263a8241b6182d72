import { createHmac } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

/** What an authenticator app shows for this key (RFC 6238: SHA-1, six digits, 30 seconds), `steps` from `nowMs`. */
export function totpCode(base32: string, steps = 0, nowMs = Date.now()): string {
  let bits = ''
  for (const letter of base32.toUpperCase()) {
    if (LETTERS.includes(letter)) bits += LETTERS.indexOf(letter).toString(2).padStart(5, '0')
  }
  const key = Buffer.from(
    Array.from({ length: bits.length >> 3 }, (_, at) => parseInt(bits.slice(at * 8, at * 8 + 8), 2)),
  )
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / STEP_MS) + steps))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) % 16
  return String((digest.readUInt32BE(offset) % 0x8000_0000) % 1_000_000).padStart(6, '0')
}
