import { BASE62, checksumOf, isWholeSecret, RANDOM_DIGITS, SECRET_PREFIX } from '../causes/secret-checksum.ts'
import { type KeyFacts, mistakeIn } from '../causes/key-mistakes.ts'

/** A new secret: `sk-tg-`, 40 random base62 digits, 6 of checksum. `randomBytes` is that of node:crypto, or a test's. */
export function newSecret(randomBytes: (count: number) => Uint8Array): string {
  const body = SECRET_PREFIX + randomDigits(randomBytes)
  return body + checksumOf(body)
}

/** What the characters of a presented secret say, before anything is looked up. */
export type Diagnosis = { readonly kind: 'well_formed' } | { readonly kind: 'malformed'; readonly facts: KeyFacts }

/**
 * Whether the text can be a secret at all. Custom keys and other vendors' keys are well formed: whether they exist, only
 * a look-up says. Called for every request, so a whole secret costs one CRC and nothing else.
 */
export function diagnose(text: string): Diagnosis {
  if (isWholeSecret(text)) return WELL_FORMED
  const facts = mistakeIn(text)
  return facts === null ? WELL_FORMED : { kind: 'malformed', facts }
}

/** The parts of a secret that are kept for recognising it: its first ten and its last four characters. */
export function displayParts(secret: string): { readonly start: string; readonly end: string } {
  return { start: secret.slice(0, 10), end: secret.slice(-4) }
}

const WELL_FORMED: Diagnosis = { kind: 'well_formed' }

/** 248 is the largest multiple of 62 in a byte: what is above would make some digits likelier than others. */
const UNIFORM_BELOW = 248
const DRAWS_LIMIT = 20

/** Forty base62 digits, each as likely as any other. */
export function randomDigits(randomBytes: (count: number) => Uint8Array): string {
  let digits = ''
  for (let draw = 0; draw < DRAWS_LIMIT; draw++) {
    for (const byte of randomBytes(64)) {
      if (byte < UNIFORM_BELOW) digits += BASE62[byte % 62] ?? ''
      if (digits.length === RANDOM_DIGITS) return digits
    }
  }
  throw new Error('the source of randomness gives nothing that can be used')
}
