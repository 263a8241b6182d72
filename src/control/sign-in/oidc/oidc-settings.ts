import { OIDC_PROVIDER } from '../../../access/sign-in-records.ts'

/** The OIDC provider of an installation, as its environment names it. */
export interface OidcSettings {
  /** The name in the console’s "Sign in with …". */
  readonly name: string
  /** The issuer, without `/.well-known/…`. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** TOLLGATE_OIDC_TRUST_EMAIL: an admin vouches for every address that the provider names. */
  readonly trustsEmail: boolean
}

/** What asking a provider needs of the rest of the program. */
export interface ProviderNetwork {
  /** Why it cannot be reached, in words, by the error's code. */
  whyUnreachable(cause: unknown): string
  /** What is to be called with the `date` of the answer to a request that is sent now; null: it is not wanted. */
  askDate(host: string): ((date: string) => void) | null
  /** Milliseconds by which the clock here is ahead of the provider's at the least, by those dates; null: not known. */
  clockAheadMs(): number | null
}

/** Where the provider sends the browser back to, under this origin. */
export function redirectUriAt(origin: string): string {
  return `${origin}/api/auth/callback/${OIDC_PROVIDER}`
}
