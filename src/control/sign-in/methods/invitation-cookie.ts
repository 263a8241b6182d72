const NAME = 'tollgate.invitation'
const KEPT_S = 600
const FORM = /^[\w-]{20,128}$/

/** Keeps an invitation while its holder is at the OIDC provider. What cannot be one is forgotten: it is the sender's own text. */
export function keepInvitation(origin: string, given: string): string {
  const token = FORM.test(given) ? given : ''
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  const life = token === '' ? 0 : KEPT_S
  return `${NAME}=${token}; Max-Age=${life}; Path=/api/auth/callback; HttpOnly; SameSite=Lax${secure}`
}

export function forgetInvitation(origin: string): string {
  return keepInvitation(origin, '')
}

/** Empty: there is none. */
export function invitationIn(headers: Headers): string {
  return /(?:^|;\s*)tollgate\.invitation=([\w-]{20,128})/.exec(headers.get('cookie') ?? '')?.[1] ?? ''
}
