import { CollectedBytes } from '../../../core/collected-bytes.ts'

/** The time for one answer, up to its last byte. Signing in waits for up to three of them. */
const ANSWERED_WITHIN_MS = 5_000
/** What a provider says of itself, its keys, and a person are some kilobytes. */
const ANSWER_LIMIT_BYTES = 1_048_576

export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Asks the OIDC provider, and returns the JSON of its answer. Strangers cause these requests, and some carry the secret of
 * this gateway or a token: redirects are not followed, and an answer has a bounded size and time. Rejects with an error that
 * says why, without what was sent or received.
 */
export async function askProvider(url: string, request: ProviderRequest): Promise<unknown> {
  const { method, headers = {}, body } = request
  const response = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  })
  const path = new URL(url).pathname
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel()
    throw new Error(`the OIDC provider redirects ${path}, and redirects are not followed`)
  }
  const text = await boundedText(response, path)
  if (!response.ok) throw new Error(`the OIDC provider answers ${path} with the status ${response.status}`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the OIDC provider answers ${path} with something other than JSON`)
  }
}

async function boundedText(response: Response, path: string): Promise<string> {
  const bytes = new CollectedBytes()
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    if (bytes.add(Buffer.from(chunk), ANSWER_LIMIT_BYTES)) continue
    throw new Error(`the OIDC provider answers ${path} with more than ${ANSWER_LIMIT_BYTES} bytes`)
  }
  return bytes.whole().toString()
}
