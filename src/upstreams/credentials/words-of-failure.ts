import { CredentialFailure } from '../cloud-upstream.ts'
import { whyUnreachable } from '../why-unreachable.ts'
import { MINT_MS } from './minter.ts'

const MOST_WORDS = 300
/** Shorter ones are words, not secrets. */
const SHORTEST_SECRET = 6

/**
 * Why no token came, in the words of the one who refused it: on one line, and without what is secret. Where a connection failed,
 * its cause alone, as messages may name addresses.
 */
export function wordsOfFailure(error: unknown, secrets: readonly string[]): string {
  const words = plainWords(error)
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((text, secret) => text.replaceAll(secret, '***'), words)
  return hidden.replace(LONG_TOKENS, '***').replace(/\s+/g, ' ').trim().slice(0, MOST_WORDS)
}

/** Assertions and tokens that libraries repeat in their messages. */
const LONG_TOKENS = /\beyJ[\w-]+(?:\.[\w-]+){1,2}|\b(?:ya29\.|sk-ant-|FwoG|IQoJ)[\w.+/=-]{16,}/g

function plainWords(error: unknown): string {
  if (!(error instanceof Error)) return 'No token could be had.'
  if (error instanceof CredentialFailure) return error.message
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return `The service that issues tokens did not answer within ${MINT_MS / 1000} s.`
  }
  const cause = causeOf(error)
  if (cause !== null) return `The service that issues tokens: ${whyUnreachable(cause)}`
  const name = error.name === 'Error' ? '' : `${error.name}: `
  return `${name}${error.message}`
}

const DEPTH = 4

/** The failure of a connection that stands behind an error; null: there is none. */
function causeOf(error: Error): Error | null {
  let each: unknown = error
  for (let depth = 0; depth < DEPTH && each instanceof Error; depth += 1, each = each.cause) {
    const code: unknown = 'code' in each ? each.code : undefined
    if (typeof code === 'string' && /^(?:E[A-Z]{3,}|CERT_|UND_ERR|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
      return each
  }
  return null
}
