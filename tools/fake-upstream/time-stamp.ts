/** The moment at which a piece of an answer left, written into it: a reader knows how long it was on its way. */

/** Microseconds since the machine started, in so many digits; they begin anew every 27 hours. */
const DIGITS = 11
const TURN_US = 10 ** DIGITS
const MARK = '@'
const MARK_BYTE = 0x40
const ZERO_BYTE = 0x30

/** A text as long as a stamp, which `stamped` writes over. */
export const UNSTAMPED = MARK.padEnd(DIGITS + 1, '0')

/** The bytes with the present moment in place of the first UNSTAMPED; as they are where there is none. */
export function stamped(bytes: Buffer, nowUs = clockUs()): Buffer {
  const at = bytes.indexOf(UNSTAMPED, 0, 'latin1')
  if (at === -1) return bytes
  const copy = Buffer.from(bytes)
  copy.write(String(nowUs % TURN_US).padStart(DIGITS, '0'), at + 1, 'latin1')
  return copy
}

/** Calls `take` with the age of each stamp in these bytes, in µs. A stamp that they have only a part of is left out. */
export function readStamps(bytes: Buffer, take: (ageUs: number) => void, nowUs = clockUs()): void {
  let at = bytes.indexOf(MARK_BYTE)
  while (at !== -1 && at + DIGITS < bytes.length) {
    let sentUs = 0
    for (let digit = at + 1; digit <= at + DIGITS; digit++) sentUs = sentUs * 10 + (bytes[digit] ?? 0) - ZERO_BYTE
    take(((nowUs % TURN_US) + TURN_US - sentUs) % TURN_US)
    at = bytes.indexOf(MARK_BYTE, at + DIGITS)
  }
}

/** The clock that all processes of a machine share. */
function clockUs(): number {
  return Math.floor(Number(process.hrtime.bigint()) / 1000)
}
