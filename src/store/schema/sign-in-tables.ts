import type { SignInLink } from '../../access/sign-in-link.ts'
import type { RowOf } from './row-of.ts'

export interface SessionRow {
  id: string
  /** The hash of the token in the cookie. */
  token_hash: string
  account_id: string
  created_at: number
  updated_at: number
  expires_at: number
  /** When credentials were shown last. */
  signed_in_at: number
  /** How it began. */
  began_by: string
  address: string
  /** What the browser calls itself. */
  client: string
}

/** An account at an OIDC provider that signs in as one here. */
export interface IdentityRow {
  id: string
  provider: string
  /** The provider's name for the person. */
  subject: string
  account_id: string
  created_at: number
  updated_at: number
}

export interface VerificationRow {
  id: string
  identifier: string
  content: string
  expires_at: number
  created_at: number
  updated_at: number
}

/** Secret and backup codes are encrypted. */
export interface SecondFactorRow {
  id: string
  account_id: string
  secret: string
  backup_codes: string
  is_confirmed: boolean
  failures: number
  locked_until_at: number | null
  /** The step of 30 s of the last code that was used; 0: none was. */
  last_counter: number
}

export interface PasskeyRow {
  id: string
  account_id: string
  name: string | null
  credential_id: string
  public_key: string
  counter: number
  device_type: string
  is_synced: boolean
  transports: string | null
  aaguid: string | null
  created_at: number | null
}

export type SignInLinkRow = RowOf<SignInLink> & { token_hash: string }
