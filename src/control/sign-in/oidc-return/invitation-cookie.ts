import { cookiePrefix, isSecureOrigin } from '../authenticator/inner-names.ts'

const KEPT_S = 600
const FORM = /^[\w-]{20,128}$/

/** Keeps an invitation while its holder is at the OIDC provider. What cannot be one is forgotten: it is the sender's own text. */
export function keepInvitation(origin: string, given: string): string {
  const token = FORM.test(given) ? given : ''
  const isSecure = isSecureOrigin(origin)
  const life = token === '' ? 0 : KEPT_S
  return `${nameAt(isSecure)}=${token}; Max-Age=${life}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

export function forgetInvitation(origin: string): string {
  return keepInvitation(origin, '')
}

/** Empty: there is none. */
export function invitationIn({ headers, origin }: { readonly headers: Headers; readonly origin: string }): string {
  const start = `${nameAt(isSecureOrigin(origin))}=`
  const cookies = (headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim())
  const given = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) ?? ''
  return FORM.test(given) ? given : ''
}

function nameAt(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.invitation`
}
