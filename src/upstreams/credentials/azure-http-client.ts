import type { TokenCredentialOptions } from '@azure/identity'
import { MINT_MS } from './minter.ts'

type HttpClient = NonNullable<TokenCredentialOptions['httpClient']>
type PipelineAnswer = Awaited<ReturnType<HttpClient['sendRequest']>>

/**
 * How Microsoft's library asks: by our own fetch, without redirects, and each request within the time for a token. It keeps the
 * first one that it gets for all managed identities of the process, so that nothing of one minting may stand in it.
 */
export function azureHttpClient(fetching: typeof fetch): HttpClient {
  return {
    async sendRequest(request): Promise<PipelineAnswer> {
      const { body } = request
      const response = await fetching(request.url, {
        method: request.method,
        headers: request.headers.toJSON(),
        ...(typeof body === 'string' ? { body } : {}),
        redirect: 'manual',
        signal: AbortSignal.timeout(MINT_MS),
      })
      return {
        request,
        status: response.status,
        headers: headersOf(response.headers),
        bodyAsText: await response.text(),
      }
    },
  }
}

/** The headers of an answer, as the library reads them. */
function headersOf(headers: Headers): PipelineAnswer['headers'] {
  return {
    get: (name) => headers.get(name) ?? undefined,
    has: (name) => headers.has(name),
    set: (name, value) => headers.set(name, String(value)),
    delete: (name) => headers.delete(name),
    toJSON: () => Object.fromEntries(headers),
    [Symbol.iterator]: () => headers[Symbol.iterator](),
  }
}
