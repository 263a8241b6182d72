import { connect as connectTcp } from 'node:net'
import { ConnectionError } from '../connection-error.ts'
import { type Dial, placeOf, serverName } from './dial.ts'
import { connectHandshake, proxyFailed, socksHandshake } from './tunnel-handshake.ts'
import { ProxyTunnel } from './tunnel.ts'

/**
 * The way to the origin of `url` through a proxy: `http` and `https` by CONNECT, for upstreams of both schemes, and `socks5`.
 * TLS to the upstream is spoken from here, through the tunnel, and checked as without a proxy. `timeoutMs` is for all of it.
 */
export function dialThrough(proxy: URL, url: URL, timeoutMs: number): Dial {
  const asked = { ...placeOf(url), login: loginOf(proxy) }
  const at = placeOf(proxy)
  const isSecureProxy = proxy.protocol === 'https:'
  const isSecure = url.protocol === 'https:'
  const handshake = proxy.protocol.startsWith('socks') ? socksHandshake : connectHandshake
  return ({ onReady, onRead }) => {
    const way = isSecureProxy ? tls().connect({ ...at, servername: serverName(at.host) }) : connectTcp(at)
    way.setNoDelay(true)
    const tunnel = new ProxyTunnel(way, isSecureProxy ? 'secureConnect' : 'connect', handshake(asked))
    // The certificate is checked for `host`: without it Node takes one for localhost.
    const socket = isSecure
      ? tls().connect({
          socket: tunnel,
          host: asked.host,
          servername: serverName(asked.host),
          ALPNProtocols: ['http/1.1'],
        })
      : tunnel
    const late = setTimeout(() => {
      const why = `no connection within ${timeoutMs} ms`
      socket.destroy(tunnel.isOpen ? new ConnectionError('UPSTREAM_CONNECT_TIMEOUT', why) : proxyFailed(why))
    }, timeoutMs)
    // What the tunnel fails by is what its user is to hear, not that a stream below was closed.
    if (socket !== tunnel) tunnel.once('error', (error) => socket.destroy(error))
    const ready = () => {
      clearTimeout(late)
      onReady()
    }
    if (isSecure) socket.once('secureConnect', ready)
    else tunnel.once('tunnel', ready)
    socket.on('data', (bytes: Buffer) => {
      if (!onRead(bytes)) socket.pause()
    })
    socket.once('close', () => {
      clearTimeout(late)
      tunnel.destroy()
    })
    return socket
  }
}

/** Loaded with the first connection that needs it. */
const tls = () => process.getBuiltinModule('node:tls')

function loginOf({ username, password }: URL): { readonly user: string; readonly password: string } | null {
  if (username === '' && password === '') return null
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
}
