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
  | 'ord'
  | 'rfd'
  | 'cap'
  | 'dsc'

// Crockford's base 32 in lower case: sorts like the number it writes, and has no letters that look alike.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(4096)
let used = pool.length

/**
 * A new id: the prefix, ten digits of `nowMs` (epoch milliseconds), three that count the ids of this millisecond, thirteen
 * random ones (65 bits). Ids of the same prefix sort by the time they were made, those of one millisecond by their order in
 * this thread (32,768 of them).
 */
export function newId(prefix: IdPrefix, nowMs: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const start = used
  used += 10
  return prefix + '_' + timeDigits(nowMs) + countDigits() + randomDigits(start)
}

/** Comes before every id of this prefix that was made at `nowMs` or later, and behind all that were made before. */
export function firstIdAt(prefix: IdPrefix, nowMs: number): string {
  return prefix + '_' + timeDigits(nowMs)
}

/** When an id was made, in epoch milliseconds; null: it is not one of `newId`. */
export function timeOfId(id: string): number | null {
  const digits = id.slice(id.indexOf('_') + 1, id.indexOf('_') + 11)
  let ms = 0
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit)
    if (value < 0) return null
    ms = ms * 32 + value
  }
  return digits.length === 10 && Number.isSafeInteger(ms) ? ms : null
}

const MOST_COUNTED = 32 ** 3 - 1
let lastMs = -1
let lastDigits = ''
let count = 0

function timeDigits(nowMs: number): string {
  if (nowMs === lastMs) {
    if (count < MOST_COUNTED) count++
    return lastDigits
  }
  let rest = nowMs
  let digits = ''
  for (let i = 0; i < 10; i++) {
    digits = (DIGITS[rest % 32] ?? '') + digits
    rest = Math.floor(rest / 32)
  }
  lastMs = nowMs
  lastDigits = digits
  count = 0
  return digits
}

function countDigits(): string {
  return (DIGITS[count >> 10] ?? '') + (DIGITS[(count >> 5) & 31] ?? '') + (DIGITS[count & 31] ?? '')
}

function randomDigits(start: number): string {
  // Five bytes are eight digits; 2^40 is exact in a double. Of the next five as many as are wanted.
  return drawnDigits(start, 8) + drawnDigits(start + 5, 5)
}

function drawnDigits(at: number, wanted: number): string {
  let rest = pool.readUIntBE(at, 5)
  let digits = ''
  for (let k = 0; k < wanted; k++) {
    digits += DIGITS[rest % 32] ?? ''
    rest = Math.floor(rest / 32)
  }
  return digits
}
