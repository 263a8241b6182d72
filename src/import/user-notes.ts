const DISCOVERY = '/.well-known/openid-configuration'

/** Whether an issuer, or the address of its document, as the source names it, is the one that people sign in by here. */
export function isSameIssuer(named: string, here: string | null): boolean {
  return here !== null && plain(named) !== '' && plain(named) === plain(here)
}

function plain(issuer: string): string {
  const text = issuer.trim()
  const bare = text.endsWith(DISCOVERY) ? text.slice(0, -DISCOVERY.length) : text
  return bare.endsWith('/') ? bare.slice(0, -1) : bare
}

/** What is said of users whose sign-in by OIDC cannot be carried. */
export const OTHER_ISSUER =
  'sign-in by OIDC is not carried, as its issuer is not TOLLGATE_OIDC_ISSUER here: they sign in by password or a link'

/** What is said of a low balance that is a user’s own. */
export const ONE_THRESHOLD = ': a low balance is the same for all here, TOLLGATE_LOW_BALANCE_USD'
