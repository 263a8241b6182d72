import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Figures } from '../../../telemetry/figures.ts'
import { CONTENT_TYPES, exposition, formatAsked } from '../../../telemetry/exposition.ts'
import type { Listener } from '../lazy-listener.ts'

export interface MetricsPageOptions {
  /** Each may read them from anywhere, as a Bearer credential. */
  readonly tokens: readonly string[]
  /** The figures of the whole process, at this moment. */
  gather(): Promise<Figures>
  onError(error: unknown): void
}

/** `GET /metrics`: for a program on this machine, or one with a token. Scrapes that overlap get the same figures. */
export function createMetricsPage(options: MetricsPageOptions): Listener {
  let gathering: Promise<Figures> | null = null
  return (request, response) => {
    if (!mayRead(request, options.tokens)) return refuse(response)
    gathering ??= options.gather().finally(() => {
      gathering = null
    })
    gathering.then(
      (figures) => answer(request, response, figures),
      (error: unknown) => {
        options.onError(error)
        response.writeHead(500, { 'cache-control': 'no-store' }).end()
      },
    )
  }
}

/** Whether this path is that of the metrics; the query says nothing. */
export function isMetricsPath(url: string | undefined): boolean {
  return url !== undefined && (url === '/metrics' || url.startsWith('/metrics?'))
}

function answer({ headers }: IncomingMessage, response: ServerResponse, figures: Figures): void {
  const format = formatAsked(headers.accept)
  const text = exposition(figures, format)
  response.writeHead(200, { ...SAFE, 'content-type': CONTENT_TYPES[format], vary: 'accept' }).end(text)
}

function refuse(response: ServerResponse): void {
  const sentence =
    'Metrics are read on the gateway’s own machine, or with "Authorization: Bearer" and the admin token.\n'
  const headers = { ...SAFE, 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Bearer' }
  response.writeHead(401, headers).end(sentence)
}

const SAFE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function mayRead({ headers, socket }: IncomingMessage, tokens: readonly string[]): boolean {
  const { authorization } = headers
  if (authorization === undefined) return isOwnMachine(socket.remoteAddress ?? '') && !isPassedOn(headers)
  const secret = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  return secret !== undefined && tokens.some((token) => isSame(secret, token))
}

function isOwnMachine(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

/**
 * A reverse proxy on this machine connects from it for all the world, and so does a browser for a page that gave its own name this
 * machine's address. The one adds where a request came from, the other says the page's name.
 */
function isPassedOn(headers: IncomingHttpHeaders): boolean {
  if (PASSED_ON.some((name) => headers[name] !== undefined)) return true
  return !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(headers.host ?? '')
}

const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const

function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}
