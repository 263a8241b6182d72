/**
 * The end of a generated secret proves that the rest of it arrived whole: six base62 digits of the CRC-32 of everything
 * before them. It is not for security: it only distinguishes a broken copy from an unknown key without a look-up.
 */
export function checksumOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = (BASE62[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Whether this is a generated secret, whole and unchanged. */
export function isWholeSecret(text: string): boolean {
  if (text.length !== SECRET_LENGTH || !text.startsWith(SECRET_PREFIX)) return false
  return text.endsWith(checksumOf(text.slice(0, -CHECKSUM_DIGITS))) && /^[A-Za-z0-9-]+$/.test(text)
}

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const SECRET_PREFIX = 'sk-tg-'
export const RANDOM_DIGITS = 40
const CHECKSUM_DIGITS = 6
export const SECRET_LENGTH = SECRET_PREFIX.length + RANDOM_DIGITS + CHECKSUM_DIGITS

/** CRC-32 of a text in UTF-8, as `node:zlib` has it; in JavaScript, since browsers check keys as well. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of UTF8.encode(text)) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const UTF8 = new TextEncoder()
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})
