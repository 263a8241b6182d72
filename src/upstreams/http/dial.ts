import { connect as connectTcp, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { ConnectionError } from '../connection-error.ts'

/** What happens on a connection that is being opened and read. */
export interface SocketEvents {
  /** The connection is ready, with TLS where that is spoken. Called once, never before `Dial` has returned. */
  onReady(): void
  /** Bytes came, which the next read of any connection writes over. False: reading stops until the socket's `resume`. */
  onRead(bytes: Buffer): boolean
}

/** What a connection is written to and read from. */
export type UpstreamSocket = Duplex & { ref(): unknown; unref(): unknown }

/** Opens a connection to one upstream: straight to it, or through a proxy (`dial-through.ts`). */
export type Dial = (events: SocketEvents) => UpstreamSocket

/** Reads are synchronous, and nothing of one outlives its `onRead`: one buffer is enough for all connections of a thread. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536)

/** Finds hosts that vanished without a word, where the system's own two hours would be too long. */
const PROBE_AFTER_MS = 60_000

/**
 * The direct way to the origin of `url`: over TLS for https, with the host's name to choose the certificate, which is checked
 * against Node's own and `NODE_EXTRA_CA_CERTS`, and with the last session resumed. A host with several addresses is tried at
 * the next one when the first is silent (RFC 8305), as Node does by itself.
 */
export function dialTo(url: URL, timeoutMs: number): Dial {
  const isSecure = url.protocol === 'https:'
  const { host, port } = placeOf(url)
  const servername = serverName(host)
  let session: Buffer | undefined
  return ({ onReady, onRead }) => {
    const callback = (bytes: number) => onRead(READ_BUFFER.subarray(0, bytes))
    const to = { host, port, onread: { buffer: READ_BUFFER, callback } }
    // TLS is loaded with the first connection that needs it: 3 MB, and 6 ms of a start.
    const socket = isSecure
      ? process
          .getBuiltinModule('node:tls')
          .connect({ ...to, servername, ...(session && { session }), ALPNProtocols: ['http/1.1'] })
      : connectTcp(to)
    if (isSecure) socket.on('session', (fresh: Buffer) => (session = fresh))
    socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS)
    const late = setTimeout(() => {
      socket.destroy(new ConnectionError('UPSTREAM_CONNECT_TIMEOUT', `no connection within ${timeoutMs} ms`))
    }, timeoutMs)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      onReady()
    })
    return socket.once('close', () => clearTimeout(late))
  }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'socks5:': 1080 }

/** Host and port of a URL, an address of IPv6 without its brackets. */
export function placeOf(url: URL): { readonly host: string; readonly port: number } {
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 80) : Number(url.port)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port }
}

/** The name by which a certificate is chosen: none for an address. */
export function serverName(host: string): string {
  return isIP(host) === 0 ? host : ''
}
