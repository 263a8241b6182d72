import type { FactsOf } from '../core/fault-facts.ts'
import { resembles } from './key-vendors.ts'

/** What can be said of a well-formed secret that no key of this gateway has. */
export function strangerFacts(secret: string): FactsOf<'key_unknown'> {
  if (secret.startsWith(ACCESS_TOKEN_PREFIX)) return { access_token: true }
  const foreign = resembles(secret)
  return foreign === null ? { end: secret.slice(-4) } : { foreign }
}

/** The prefix of access tokens. */
export const ACCESS_TOKEN_PREFIX = 'tg-pat-'
