/**
 * The names of JSON as strings. Requests and answers have the same few dozen again and again, and to make a string of bytes
 * takes longer than to see that it is the one that was made before.
 */

/**
 * The text between the quotes of a name, `start` and `end` being the offsets of its first byte and behind its last. null: it
 * has a backslash or is not ASCII, and has to be read by other means.
 */
export function plainKey(bytes: Buffer, start: number, end: number): string | null {
  let hash = end - start
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === BACKSLASH || byte > 0x7f) return null
    hash = (Math.imul(hash, 31) + byte) | 0
  }
  const place = (hash ^ (hash >>> 10)) & (PLACES - 1)
  const known = KNOWN[place] ?? ''
  if (known.length === end - start && isAt(bytes, start, known)) return known
  const key = bytes.toString('latin1', start, end)
  if (key.length <= LONGEST) KNOWN[place] = key
  return key
}

function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}

const BACKSLASH = 0x5c
/** One key in each place: what another body calls its fields may take it, and costs this one a string more. */
const PLACES = 1_024
const LONGEST = 32
const KNOWN: string[] = Array.from({ length: PLACES }, () => '')
