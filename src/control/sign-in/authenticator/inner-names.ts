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

/** Whether browsers reach this origin over https. */
export function isSecureOrigin(origin: string): boolean {
  return origin.startsWith('https:')
}

/** Sets a cookie that scripts do not see and that a return from another site brings along; a life of 0 takes it away. */
export function cookieLine(
  origin: string,
  name: string,
  { value, lifeS }: { readonly value: string; readonly lifeS: number },
): string {
  const isSecure = isSecureOrigin(origin)
  return `${cookiePrefix(isSecure)}.${name}=${value}; Max-Age=${lifeS}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** The value of one of those; empty: there is none. */
export function cookieIn(
  { headers, origin }: { readonly headers: Headers; readonly origin: string },
  name: string,
): string {
  const start = `${cookiePrefix(isSecureOrigin(origin))}.${name}=`
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? ''
}

/** Headers with which our routes tell the hooks what better-auth does not know. Clients cannot send them. */
export const ADDRESS_HEADER = 'x-tollgate-address'
export const BEGAN_BY_HEADER = 'x-tollgate-began-by'
