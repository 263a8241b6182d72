/** Names that our routes and better-auth share, in a file that does not load the library. */

const COOKIE_PREFIX = 'tollgate'

/**
 * How cookies begin at this origin. Over https a browser takes `__Host-` cookies from this host alone, so that no sibling of
 * its domain can plant one (RFC 6265bis, 4.1.3.2); it wants `Secure`, `Path=/` and no `Domain` for them.
 */
export function cookiePrefix(isSecure: boolean): string {
  return isSecure ? `__Host-${COOKIE_PREFIX}` : COOKIE_PREFIX
}

/** The cookie that holds a session's token, as `token.signature`. */
export function sessionCookie(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.session_token`
}

/** The cookie that holds what a sign-in at the OIDC provider is for, signed. */
export function stateCookie(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.oauth_state`
}

/** Whether browsers reach this origin over https. */
export function isSecureOrigin(origin: string): boolean {
  return origin.startsWith('https:')
}

/** Headers with which our routes tell the hooks what better-auth does not know. Clients cannot send them. */
export const ADDRESS_HEADER = 'x-tollgate-address'
export const BEGAN_BY_HEADER = 'x-tollgate-began-by'
