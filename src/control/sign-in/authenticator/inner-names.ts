/**
 * Names that our routes and better-auth share. They stand apart, so that who only needs a name does not load the library.
 */
export const COOKIE_PREFIX = 'tollgate'

/** How better-auth knows the OIDC provider; part of the redirect URI that admins register. */
export const PROVIDER_ID = 'oidc'

/** Headers with which our routes tell the hooks what better-auth does not know. Clients cannot send them. */
export const ADDRESS_HEADER = 'x-tollgate-address'
export const BEGAN_BY_HEADER = 'x-tollgate-began-by'
export const INVITATION_HEADER = 'x-tollgate-invitation'
