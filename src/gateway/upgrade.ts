import type { IncomingMessage, ServerResponse } from 'node:http'
import { normalizePath } from './arrival/paths.ts'

/** Whether a client asks for the Responses API over a WebSocket. */
export function isResponsesUpgrade({ headers, url = '/' }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && normalizePath(url.split('?', 1)[0] ?? '/') === '/v1/responses'
}

/** Codex tries a WebSocket first and falls back to a POST on exactly this status. */
export function refuseUpgrade(response: ServerResponse): void {
  const message = 'This gateway speaks the Responses API over HTTP only. Send POST /v1/responses with "stream": true.'
  const body = { error: { message, type: 'invalid_request_error', param: null, code: 'path_unknown' } }
  const text = JSON.stringify(body)
  response
    .writeHead(426, {
      upgrade: 'HTTP/1.1',
      'x-tollgate-fault': 'path_unknown',
      'x-should-retry': 'false',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    })
    .end(text)
}
