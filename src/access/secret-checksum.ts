import { crc32 } from 'node:zlib'

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
