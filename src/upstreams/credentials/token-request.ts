import { CollectedBytes } from '../../core/collected-bytes.ts'
import { fieldsIn } from '../../core/credential-secret.ts'
import { CredentialFailure } from '../cloud-upstream.ts'

/** A token with all that is said of it is a few kilobytes. */
const ANSWER_LIMIT_BYTES = 262_144
const MOST_WORDS = 300

interface TokenRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

interface TokenAnswer {
  readonly fields: Readonly<Record<string, unknown>>
  /** Epoch milliseconds by its `Date`; null: it has none. */
  readonly dateMs: number | null
}

/**
 * Asks a service for a token: once, following no redirect, for a bounded answer. Rejects with a CredentialFailure in the words
 * of one that refuses.
 */
export async function requestToken(
  fetching: typeof fetch,
  url: string,
  { method = 'POST', headers, body, signal }: TokenRequest,
): Promise<TokenAnswer> {
  const response = await fetching(url, {
    method,
    headers: { accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal,
  })
  const text = await boundedText(response)
  const fields = jsonIn(text)
  if (!response.ok) throw new CredentialFailure(wordsOfRefusal(response.status, fields))
  const dateMs = Date.parse(response.headers.get('date') ?? '')
  return { fields: fields ?? {}, dateMs: Number.isNaN(dateMs) ? null : dateMs }
}

/** A field that a good answer has. Throws CredentialFailure. */
export function textIn(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw new CredentialFailure(`The service that issues tokens answered without ${name}.`)
}

/** How long a token is good for, by the seconds that came with it. Throws CredentialFailure. */
export function lifeIn(fields: Readonly<Record<string, unknown>>, name = 'expires_in'): number {
  const seconds = Number(fields[name])
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1_000
  throw new CredentialFailure(`The service that issues tokens answered without ${name}.`)
}

/** The forms of errors of OAuth (RFC 6749, 5.2), of Google's APIs and of Anthropic's. */
function wordsOfRefusal(status: number, fields: Readonly<Record<string, unknown>> | null): string {
  const error = fields?.['error']
  const inner = fieldsIn(error)
  const code = typeof error === 'string' ? error : (inner?.['status'] ?? inner?.['type'])
  const said = fields?.['error_description'] ?? inner?.['message'] ?? fields?.['message']
  const words = [code, said].filter((each) => typeof each === 'string').join(': ')
  // What has none of these forms may hold anything.
  return words === ''
    ? `The service that issues tokens answered with the status ${status}.`
    : words.slice(0, MOST_WORDS)
}

function jsonIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return fieldsIn(JSON.parse(text))
  } catch {
    return null
  }
}

async function boundedText(response: Response): Promise<string> {
  const bytes = new CollectedBytes()
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    if (bytes.add(Buffer.from(chunk), ANSWER_LIMIT_BYTES)) continue
    throw new CredentialFailure('The service that issues tokens answered with more than a token.')
  }
  return bytes.whole().toString()
}
