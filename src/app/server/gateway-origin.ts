import { BlockList, isIP } from 'node:net'
import { sitePath } from '../../core/site-path.ts'
import type { ClientRequest, ClientSocket } from '../../gateway/client-connection.ts'

/** Where requests come from and at which address they reach us, believing `X-Forwarded-*` of trusted proxies alone. */
export interface RequestOrigins {
  addressOf(request: AskedFrom): string
  /** scheme://host, followed by the path that a reverse proxy serves the gateway under, if any. No slash at the end. */
  originOf(request: AskedFrom): string
  /** Leaves `publicUrl` out. */
  askedOriginOf(request: AskedFrom): string
}

/** What is looked at of a request. */
type AskedFrom = Pick<ClientRequest, 'headers'> & { readonly socket: Pick<ClientSocket, 'remoteAddress'> }

/** `trustedProxies`: `address/prefix` each. `publicUrl`: the address to show whatever was asked; null: the request's. */
export function requestOrigins(options: {
  trustedProxies: readonly string[]
  publicUrl: string | null
}): RequestOrigins {
  const trusted = new BlockList()
  for (const range of options.trustedProxies) {
    const [address = '', prefix = ''] = range.split('/')
    trusted.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  const isTrusted = (address: string) =>
    options.trustedProxies.length > 0 &&
    isIP(address) !== 0 &&
    trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return {
    addressOf(request) {
      const peer = plain(request.socket.remoteAddress ?? '')
      if (!isTrusted(peer)) return peer
      const forwarded = String(request.headers['x-forwarded-for'] ?? '')
      // The rightmost address that is not a proxy of ours: what is left of it is hearsay.
      const hops = forwarded.split(',').map((hop) => plain(withoutPort(hop.trim())))
      const caller = hops.findLast((hop) => !isTrusted(hop))
      return caller !== undefined && isIP(caller) !== 0 ? caller : peer
    },
    originOf: (request) => options.publicUrl ?? askedOriginOf(request),
    askedOriginOf,
  }

  function askedOriginOf(request: AskedFrom): string {
    const isBelieved = isTrusted(plain(request.socket.remoteAddress ?? ''))
    const forwarded = (name: string) => (isBelieved ? firstOf(request.headers[name]) : undefined)
    const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
    const host = hostOrLocal(forwarded('x-forwarded-host') ?? request.headers.host)
    const prefix = forwarded('x-forwarded-prefix')
    return `${scheme}://${host}${prefix === undefined ? '' : sitePath(prefix)}`
  }
}

/** Where several reverse proxies add to one header, the first is the one that the browser asked. */
function firstOf(header: string | readonly string[] | undefined): string | undefined {
  const first =
    String(header ?? '')
      .split(',', 1)[0]
      ?.trim() ?? ''
  return first === '' ? undefined : first
}

/** Some hops come with their port: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop
}

/** IPv4 addresses come as `::ffff:1.2.3.4` where a socket listens for both versions. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
}

/** The header is the client's own text and comes back in messages: anything but a host and port is left out. */
function hostOrLocal(host: string | undefined): string {
  return host !== undefined && /^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : 'localhost'
}

/** `http://host:port`, the host as a URL has it. */
export function listeningOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The wildcard addresses are for listening: to reach this machine from itself, one names its loopback. */
export function reachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
