import type { IncomingMessage } from 'node:http'

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
