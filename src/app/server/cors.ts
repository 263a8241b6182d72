import type { GatewayListener, ClientRequest, ClientResponse } from '../../gateway/client-connection.ts'

/**
 * Lets web pages of any origin call what `handle` serves: answers preflights itself, and marks every answer to a request that
 * a page sent. No page gets credentials of the browser's this way: it has to send an API key, which no other page knows.
 */
export function withCors(handle: GatewayListener, newRequestId: () => string): GatewayListener {
  return (request, response) => {
    if (isPreflight(request)) {
      response.setHeader('x-request-id', newRequestId())
      return answerPreflight(request, response)
    }
    if (request.headers.origin !== undefined) {
      response.setHeader('access-control-allow-origin', '*')
      // Everything, as no cookie is ever involved: request ids, cost, faults, limits.
      response.setHeader('access-control-expose-headers', '*')
    }
    handle(request, response)
  }
}

/** How long a browser may remember the answer; none does for longer than a day. */
const REMEMBERED_SECONDS = 86_400
/** Much more than any SDK sends. */
const LONGEST_HEADER_LIST = 4_096
const HEADER_LIST = /^[\w!#$%&'*+.^`|~, -]*$/

/** Whether a browser asks what a page of another origin may send. */
export function isPreflight({ method, headers }: Pick<ClientRequest, 'method' | 'headers'>): boolean {
  const { origin, 'access-control-request-method': wanted } = headers
  return method === 'OPTIONS' && origin !== undefined && wanted !== undefined
}

/** The headers that are asked for are allowed: SDKs send many, with new ones in each version, and what goes on is chosen later. */
function answerPreflight({ headers }: ClientRequest, response: ClientResponse): void {
  const wanted = headers['access-control-request-headers'] ?? ''
  const isListed = wanted !== '' && wanted.length <= LONGEST_HEADER_LIST && HEADER_LIST.test(wanted)
  const allowed = ['access-control-allow-origin', '*', 'access-control-allow-methods', 'GET, HEAD, POST, DELETE']
  if (isListed) allowed.push('access-control-allow-headers', wanted)
  allowed.push('access-control-max-age', String(REMEMBERED_SECONDS), 'vary', 'access-control-request-headers')
  response.writeHead(204, allowed)
  response.end()
}
