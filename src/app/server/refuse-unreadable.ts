import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from '../../core/node-http.ts'

/** Node's own answers to these have no body that a client could show, and no id. Takes the place of `requireHostHeader`. */
export function refuseUnreadable(server: Server, newRequestId: () => string): void {
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
    const message = isTooLarge ? 'The request headers are too large.' : 'This is not a well-formed HTTP request.'
    const { status, headers, body } = answer(isTooLarge ? 431 : 400, message, newRequestId())
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  })
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    refuse(response, answer(417, 'The header Expect takes 100-continue alone. Leave it out.', newRequestId()))
  })
}

/**
 * Whether a request does not say for whom it is, as RFC 9112 wants of each; it is answered then. One whose target is a whole URL is like any other
 * after this: see `toOriginForm`.
 */
export function isIllAddressed(
  request: IncomingMessage,
  response: ServerResponse,
  newRequestId: () => string,
): boolean {
  const sentence = whatIsWrong(request)
  if (sentence !== null) refuse(response, answer(400, sentence, newRequestId()))
  return sentence !== null
}

function whatIsWrong(request: IncomingMessage): string | null {
  if (request.headers.host === undefined && request.httpVersionMinor > 0) {
    return 'The request has no Host header. Send one, as HTTP/1.1 requires.'
  }
  return toOriginForm(request) ? null : 'The request target is a URL without a host, or with a user. Send a path.'
}

interface UnreadableAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function answer(status: number, message: string, requestId: string): UnreadableAnswer {
  const body = JSON.stringify({
    error: { message, type: 'invalid_request_error', param: null, code: 'request_invalid' },
  })
  const headers = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(body)),
    'x-tollgate-fault': 'request_invalid',
    'x-should-retry': 'false',
    connection: 'close',
  }
  return { status, headers, body }
}

function refuse(response: ServerResponse, { status, headers, body }: UnreadableAnswer): void {
  response.writeHead(status, headers).end(body)
}

/** Scheme, authority and the rest. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is
/** RFC 9110, 4.2.4: what is before an at sign is an attempt to deceive. */
const WITH_USER = /@/

/**
 * Rewrites a request whose target is a whole URL (RFC 9112, 3.2.2) to the path that it means, and the Host header to the host
 * of that URL, which counts instead. Returns false for a URL that cannot be meant: without a host, or with a user in it.
 */
export function toOriginForm(request: IncomingMessage): boolean {
  const { url = '' } = request
  // Nearly all begin so.
  if (url.startsWith('/')) return true
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? []
  if (authority === undefined) return true
  if (authority === '' || WITH_USER.test(authority)) return false
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  request.headers.host = authority
  const { rawHeaders } = request
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') rawHeaders[at + 1] = authority
  }
  return true
}
