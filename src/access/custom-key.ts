import { ACCESS_TOKEN_PREFIX } from '../causes/stranger-key.ts'
import { BOUNDS } from '../core/bounds.ts'
import { DEVICE_ACCESS_PREFIX, DEVICE_REFRESH_PREFIX } from './device-tokens.ts'
import { mistakeIn } from '../causes/key-mistakes.ts'
import { remainingBits } from './guessing.ts'

/** What a guesser of the key knows anyway. */
interface CustomKeyOwner {
  readonly email: string
  readonly keyName: string
}

/** 2^36 guesses at 120 a minute from one address take 1,000 years, and the estimate is low on purpose. */
const FEWEST_BITS = 36
const { least: SHORTEST, most: LONGEST } = BOUNDS.key.custom_key
const FEWEST_DISTINCT = 8

/**
 * Why a secret that a person chose may not become an API key, by the form of the contract, and by what is left to guess once
 * everything that is known or usual is taken out of it; null: it may. The words are for the admin (CLI, declarative file); a
 * user gets the same answer for every refusal.
 */
export function objectionToCustomKey(secret: string, owner: CustomKeyOwner): string | null {
  if (secret.length < SHORTEST || secret.length > LONGEST) {
    return `it has ${secret.length} characters; a custom key has ${SHORTEST} to ${LONGEST}`
  }
  if (!/^[A-Za-z0-9_-]+$/.test(secret)) return 'a custom key consists of letters, digits, "-" and "_" only'
  if (/^sk-tg-/i.test(secret)) return 'it begins with "sk-tg-", which is kept for generated keys'
  const kept = [ACCESS_TOKEN_PREFIX, DEVICE_ACCESS_PREFIX, DEVICE_REFRESH_PREFIX].find((each) =>
    secret.startsWith(each),
  )
  if (kept !== undefined) return `it begins with "${kept}", which is kept for access tokens`
  if (mistakeIn(secret) !== null) return 'it looks like a placeholder or a damaged key'
  if (new Set(secret.toLowerCase()).size < FEWEST_DISTINCT) {
    return `it has fewer than ${FEWEST_DISTINCT} different characters`
  }
  const bits = remainingBits(secret, [owner.email, owner.keyName])
  return bits < FEWEST_BITS
    ? 'it is easy to guess: add at least ten random characters that are not a word, name, date or row of keys'
    : null
}
