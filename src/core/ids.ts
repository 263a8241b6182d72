import { randomFillSync } from 'node:crypto'

/** Prefixes of the identifiers that people see. The prefix says what the id names. */
export type IdPrefix =
  | 'key'
  | 'grp'
  | 'mdl'
  | 'ups'
  | 'acc'
  | 'req'
  | 'pln'
  | 'sub'
  | 'led'
  | 'lse'
  | 'bud'
  | 'nod'
  | 'rdc'
  | 'pat'
  | 'aud'
  | 'gss'
  | 'ses'
  | 'idn'
  | 'vrf'
  | 'sfa'
  | 'psk'
  | 'lnk'
  | 'ann'

// Crockford's base 32 in lower case: sorts like the number it writes, and has no letters that look alike.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * A new id: the prefix, ten digits of `nowMs` (epoch milliseconds), sixteen random ones (80 bits).
 * Ids of the same prefix sort by the time they were made.
 */
export function newId(prefix: IdPrefix, nowMs: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const start = used
  used += 10
  return prefix + '_' + timeDigits(nowMs) + randomDigits(start)
}

/** Comes before every id of this prefix that was made at `nowMs` or later, and behind all that were made before. */
export function firstIdAt(prefix: IdPrefix, nowMs: number): string {
  return prefix + '_' + timeDigits(nowMs)
}

let lastMs = -1
let lastDigits = ''

function timeDigits(nowMs: number): string {
  if (nowMs === lastMs) return lastDigits
  let rest = nowMs
  let digits = ''
  for (let i = 0; i < 10; i++) {
    digits = (DIGITS[rest % 32] ?? '') + digits
    rest = Math.floor(rest / 32)
  }
  lastMs = nowMs
  lastDigits = digits
  return digits
}

function randomDigits(start: number): string {
  let digits = ''
  for (let i = start; i < start + 10; i += 5) {
    // Five bytes are eight digits; 2^40 is exact in a double.
    let rest = pool.readUIntBE(i, 5)
    for (let k = 0; k < 8; k++) {
      digits += DIGITS[rest % 32] ?? ''
      rest = Math.floor(rest / 32)
    }
  }
  return digits
}
