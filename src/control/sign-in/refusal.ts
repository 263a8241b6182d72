import { SIGN_IN_CODES, type SignInCode } from '../../contract/sign-in.ts'

/** A request under /api/auth/ that is not granted. Its detail is public: what is wrong, and what to do. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal'
  readonly code: SignInCode
  readonly field: string | null
  readonly retryAfterSeconds: number | null

  constructor(
    code: SignInCode,
    detail: string,
    about: { readonly field?: string; readonly retryAfterSeconds?: number } = {},
  ) {
    super(detail)
    this.code = code
    this.field = about.field ?? null
    this.retryAfterSeconds = about.retryAfterSeconds ?? null
  }

  /** Problem details (RFC 9457), in the shape of all of /api. */
  response(requestId: string): Response {
    const status = SIGN_IN_CODES[this.code]
    const body = {
      type: `/docs/errors/${this.code}`,
      title: TITLES[this.code],
      status,
      detail: this.message,
      code: this.code,
      ...(this.field === null ? {} : { field: this.field }),
      request_id: requestId,
      ...(this.retryAfterSeconds === null ? {} : { retry_after: this.retryAfterSeconds }),
    }
    const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    if (this.retryAfterSeconds !== null) headers.set('retry-after', String(this.retryAfterSeconds))
    return new Response(JSON.stringify(body), { status, headers })
  }
}

/** The same for each occurrence of a code. */
export const TITLES: Record<SignInCode, string> = {
  request_invalid: 'The request is not valid',
  credentials_wrong: 'Wrong credentials',
  second_step_wrong: 'Wrong code',
  second_step_expired: 'The second step took too long',
  passkey_refused: 'The passkey was not accepted',
  session_missing: 'Not signed in',
  account_disabled: 'The account is disabled',
  confirmation_needed: 'Credentials are needed again',
  cross_site: 'Sent from another site',
  admin_needed: 'For admins only',
  managed_by_file: 'Managed by the declarative file',
  registration_closed: 'Registration is closed',
  invitation_needed: 'Registration needs an invitation',
  passkeys_impossible: 'Passkeys are not possible here',
  oidc_email_unverified: 'The provider did not verify the address',
  oidc_not_linked: 'The account is not linked',
  oidc_failed: 'The provider’s answer was not accepted',
  path_unknown: 'No such path',
  not_found: 'Not found',
  oidc_not_configured: 'No OIDC provider',
  email_taken: 'The address is in use',
  last_way_in: 'The last way in',
  totp_already_on: 'The second step is on already',
  totp_not_on: 'The second step is off',
  body_too_large: 'The body is too large',
  link_invalid: 'The link is not valid',
  password_unfit: 'The password cannot be used',
  sign_in_throttled: 'Too many tries',
  internal: 'A fault of the gateway’s own',
  oidc_unavailable: 'The OIDC provider does not answer',
}

export function notSignedIn(): SignInRefusal {
  return new SignInRefusal('session_missing', 'Nobody is signed in here, or the session ended: sign in.')
}

export function linkInvalid(): SignInRefusal {
  return new SignInRefusal(
    'link_invalid',
    'This link was used already, has expired or was taken back: ask for a new one.',
  )
}

export function notFound(what: string): SignInRefusal {
  return new SignInRefusal('not_found', `There is no such ${what}.`)
}

export function confirmationNeeded(): SignInRefusal {
  return new SignInRefusal(
    'confirmation_needed',
    'This step asks for your credentials again: confirm them by POST /api/auth/confirm, then repeat it.',
  )
}
