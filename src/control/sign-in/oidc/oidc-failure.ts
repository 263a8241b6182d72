import type { ProblemCode } from '../../../contract/problems.ts'
import { shownText } from '../../../core/shown-text.ts'

/** Why a sign-in by the OIDC provider failed: `code` for the person, the message for the admin who reads the log. */
export class OidcFailure extends Error {
  override readonly name = 'OidcFailure'
  readonly code: ProblemCode

  constructor(code: ProblemCode, message: string) {
    super(message)
    this.code = code
  }
}

const WORDS_KEPT = 200
/** Longer runs of the characters of tokens are taken for one, and what begins as a JWT does. An id such as a UUID has 36. */
const LIKE_A_TOKEN = /[\w-]{37,}|\beyJ[\w-]+/g

/**
 * Words of a provider for one line of the log: bounded, without control characters, without these secrets in whatever
 * encoding, and without anything else that looks like a token.
 */
export function providerWords(words: string, secrets: readonly string[] = []): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret), new URLSearchParams({ v: secret }).toString().slice(2)])
    .reduce((text, secret) => text.replaceAll(secret, '[removed]'), words.slice(0, WORDS_READ))
  return boundedLine(hidden.replace(LIKE_A_TOKEN, '[removed]'))
}

/** Foreign text that need not be hidden, such as an issuer, for one line of the log. */
export function boundedLine(text: string): string {
  return shownText(text.slice(0, WORDS_READ)).slice(0, WORDS_KEPT)
}

/** Longer words are cut before they are looked through. */
const WORDS_READ = 20_000
