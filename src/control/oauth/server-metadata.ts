import type { OAuthCall } from './oauth-call.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const REFRESH_GRANT = 'refresh_token'

/** What the sign-in of programs offers (RFC 8414), at the address that the program asked. */
export function serverMetadata({ askedOrigin }: OAuthCall): object {
  return {
    issuer: askedOrigin,
    device_authorization_endpoint: `${askedOrigin}/oauth/device_authorization`,
    token_endpoint: `${askedOrigin}/oauth/token`,
    revocation_endpoint: `${askedOrigin}/oauth/revoke`,
    grant_types_supported: [DEVICE_GRANT, REFRESH_GRANT],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
    // Claude Code (2.1.332) reads it before it offers to sign in.
    gateway_protocol_version: 1,
  }
}

/**
 * Whether tokens may pass at this address: it is HTTPS, or of this machine alone. Behind a reverse proxy that is not trusted the
 * address is not known to be HTTPS, unless it is the one that is set as the public one.
 */
export function isSecureOrigin(asked: string, publicOrigin: string | null): boolean {
  const url = URL.parse(asked)
  if (url === null) return false
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return true
  const known = publicOrigin === null ? null : URL.parse(publicOrigin)
  return known?.protocol === 'https:' && known.host === url.host
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
