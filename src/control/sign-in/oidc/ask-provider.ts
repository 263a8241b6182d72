import { CollectedBytes } from '../../../core/collected-bytes.ts'
import { OidcFailure } from './oidc-failure.ts'
import type { ProviderNetwork } from './oidc-settings.ts'

/** The time for one answer, up to its last byte. Signing in waits for up to four of them. */
const ANSWERED_WITHIN_MS = 5_000
/** What a provider says of itself, its keys, and a person are some kilobytes. */
const ANSWER_LIMIT_BYTES = 1_048_576

export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ProviderAnswer {
  readonly status: number
  /** The parsed JSON; undefined: it is something else. */
  readonly json: unknown
  /** Epoch milliseconds by its `Date`; null: it has none. */
  readonly dateMs: number | null
  /** What was asked, for messages. */
  readonly path: string
}

/**
 * Asks the OIDC provider. Strangers cause these requests, and some carry the secret of this gateway or a token: redirects are
 * not followed, and an answer has a bounded size and time. Rejects with OidcFailure, without what was sent or received.
 */
export async function askProvider(
  network: ProviderNetwork,
  url: string,
  { method, headers = {}, body }: ProviderRequest,
): Promise<ProviderAnswer> {
  const { pathname: path, host } = new URL(url)
  const heardDate = network.askDate(host)
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    })
    const date = response.headers.get('date') ?? ''
    if (date !== '') heardDate?.(date)
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw new OidcFailure('oidc_failed', `the OIDC provider redirects ${path}, and redirects are not followed`)
    }
    const json = parsed(await boundedText(response, path))
    const dateMs = Date.parse(date)
    return { status: response.status, json, dateMs: Number.isNaN(dateMs) ? null : dateMs, path }
  } catch (error) {
    if (error instanceof OidcFailure) throw error
    throw new OidcFailure(
      'oidc_unavailable',
      `the OIDC provider did not answer ${path} at ${host}: ${wordsOf(error, network)}`,
    )
  }
}

/** The JSON of an answer that has to be a good one. Throws OidcFailure. */
export function jsonOf({ status, json, path }: ProviderAnswer): unknown {
  if (status < 200 || status >= 300)
    throw new OidcFailure('oidc_failed', `the OIDC provider answers ${path} with the status ${status}`)
  if (json === undefined)
    throw new OidcFailure('oidc_failed', `the OIDC provider answers ${path} with something other than JSON`)
  return json
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function boundedText(response: Response, path: string): Promise<string> {
  const bytes = new CollectedBytes()
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    if (bytes.add(Buffer.from(chunk), ANSWER_LIMIT_BYTES)) continue
    throw new OidcFailure('oidc_failed', `the OIDC provider answers ${path} with more than ${ANSWER_LIMIT_BYTES} bytes`)
  }
  return bytes.whole().toString()
}

function wordsOf(error: unknown, network: ProviderNetwork): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `No answer within ${ANSWERED_WITHIN_MS / 1000} s.`
  // `fetch` has the reason as the cause.
  if (error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port') {
    return 'Its port is one that web clients never ask (Fetch, 2.9): give it another.'
  }
  const words = network.whyUnreachable(error instanceof Error && error.cause !== undefined ? error.cause : error)
  return /certificate is not signed/.test(words)
    ? `${words} Name the file of its authority in NODE_EXTRA_CA_CERTS.`
    : words
}
