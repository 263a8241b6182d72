import { isIPv4, isIPv6 } from 'node:net'
import { ConnectionError, type ConnectionErrorCode } from '../connection-error.ts'

/** What a proxy is asked for. */
export interface TunnelTarget {
  /** A name or an address; one of IPv6 without brackets. */
  readonly host: string
  readonly port: number
  /** null: the proxy wants none. */
  readonly login: { readonly user: string; readonly password: string } | null
}

/** What comes of bytes that a proxy sent. */
export type Step =
  | { readonly kind: 'more' }
  | { readonly kind: 'send'; readonly bytes: Buffer }
  /** The tunnel stands; `rest` came from its other end already. */
  | { readonly kind: 'open'; readonly rest: Buffer }

/** The talk with a proxy until the tunnel stands, without the socket. */
export interface Handshake {
  readonly first: Buffer
  /** Throws one of the errors of proxies (`UPSTREAM_PROXY_…`) for a refusal, and for anything that such a proxy does not say. */
  take(bytes: Buffer): Step
}

/** The head of a proxy's answer is read up to this length. */
const HEAD_LIMIT_BYTES = 16_384
const MORE: Step = { kind: 'more' }

/** HTTP's CONNECT (RFC 9110, 9.3.6), with a login as Basic (RFC 7617). */
export function connectHandshake({ host, port, login }: TunnelTarget): Handshake {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const basic = login === null ? '' : Buffer.from(`${login.user}:${login.password}`).toString('base64')
  const ofLogin = login === null ? '' : `proxy-authorization: Basic ${basic}\r\n`
  let received = Buffer.alloc(0)
  return {
    first: Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${ofLogin}\r\n`, 'latin1'),
    take(bytes) {
      received = Buffer.concat([received, bytes])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0 && received.length <= HEAD_LIMIT_BYTES) return MORE
      const status = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(received.subarray(0, 64).toString('latin1'))?.[1]
      if (end < 0 || end > HEAD_LIMIT_BYTES || status === undefined) throw proxyFailed('its answer is not HTTP')
      if (!status.startsWith('2')) throw refusedWith(Number(status))
      return { kind: 'open', rest: received.subarray(end + 4) }
    },
  }
}

function refusedWith(status: number): ConnectionError {
  const code =
    status === 407 ? 'UPSTREAM_PROXY_LOGIN' : status >= 500 ? 'UPSTREAM_PROXY_NO_ROUTE' : 'UPSTREAM_PROXY_REFUSED'
  return proxyFailed(`it answered with the status ${status}`, { code, status })
}

const VERSION = 5
const NO_LOGIN = 0
const BY_PASSWORD = 2
const NAME = 3

/** Replies of SOCKS 5 (RFC 1928, 6): a rule forbids it, or no connection could be made. Any other is a failure of the proxy. */
const CODES_OF_REPLIES: Readonly<Partial<Record<number, ConnectionErrorCode>>> = {
  1: 'UPSTREAM_PROXY_NO_ROUTE',
  2: 'UPSTREAM_PROXY_REFUSED',
  3: 'UPSTREAM_PROXY_NO_ROUTE',
  4: 'UPSTREAM_PROXY_NO_ROUTE',
  5: 'UPSTREAM_PROXY_NO_ROUTE',
  6: 'UPSTREAM_PROXY_NO_ROUTE',
}

/** SOCKS 5 (RFC 1928), with a login by user name and password (RFC 1929). Names are looked up by the proxy. */
export function socksHandshake(asked: TunnelTarget): Handshake {
  const { login } = asked
  let received = Buffer.alloc(0)
  let state: 'method' | 'login' | 'reply' = 'method'
  const send = (next: typeof state, bytes: Buffer, taken: number): Step => {
    received = received.subarray(taken)
    state = next
    return { kind: 'send', bytes }
  }
  return {
    first: Buffer.from(login === null ? [VERSION, 1, NO_LOGIN] : [VERSION, 2, NO_LOGIN, BY_PASSWORD]),
    take(bytes) {
      received = Buffer.concat([received, bytes])
      const [first, second] = received
      if (first === undefined || second === undefined) return MORE
      if (state === 'method') {
        if (first !== VERSION) throw proxyFailed('its answer is not SOCKS 5')
        if (second === NO_LOGIN) return send('reply', connectRequest(asked), 2)
        if (second === BY_PASSWORD && login !== null) return send('login', loginRequest(login), 2)
        throw proxyFailed(
          login === null ? 'it wants a user name and a password' : 'it takes no way of login that is known',
          { code: 'UPSTREAM_PROXY_LOGIN' },
        )
      }
      if (state === 'login') {
        if (second !== 0) {
          throw proxyFailed('it refused the user name or the password', { code: 'UPSTREAM_PROXY_LOGIN' })
        }
        return send('reply', connectRequest(asked), 2)
      }
      if (first !== VERSION) throw proxyFailed('its answer is not SOCKS 5')
      if (second !== 0) throw proxyFailed(`it answered with the code ${second}`, { code: CODES_OF_REPLIES[second] })
      const length = replyLength(received)
      return length === null || received.length < length ? MORE : { kind: 'open', rest: received.subarray(length) }
    },
  }
}

function connectRequest({ host, port }: TunnelTarget): Buffer {
  return Buffer.concat([Buffer.from([VERSION, 1, 0]), addressOf(host), Buffer.from([port >> 8, port & 255])])
}

function addressOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map(Number)])
  // Addresses of version 6 are written as names as well: every proxy that reaches one can read it.
  const name = Buffer.from(host, 'latin1')
  if (name.length > 255) throw proxyFailed('a host name is too long for it')
  return Buffer.concat([Buffer.from([NAME, name.length]), name])
}

function loginRequest({ user, password }: NonNullable<TunnelTarget['login']>): Buffer {
  const parts = [user, password].map((text) => Buffer.from(text, 'utf8'))
  if (parts.some(({ length }) => length === 0 || length > 255))
    throw proxyFailed('a login is too long for it, or empty')
  return Buffer.concat([Buffer.from([1]), ...parts.flatMap((part) => [Buffer.from([part.length]), part])])
}

/** Version, code, reserved, kind of address, address, port; null: not enough is there to tell. */
function replyLength(reply: Buffer): number | null {
  const [, , , kind, length] = reply
  if (kind === undefined || length === undefined) return null
  if (kind === 1) return 10
  if (kind === 4) return 22
  if (kind === NAME) return 7 + length
  throw proxyFailed('its answer is not SOCKS 5')
}

/** `why` names no host and no login. */
export function proxyFailed(
  why: string,
  { code = 'UPSTREAM_PROXY_FAILED', status }: { code?: ConnectionErrorCode | undefined; status?: number } = {},
): ConnectionError {
  return new ConnectionError(code, `the proxy to this upstream failed: ${why}`, status)
}
