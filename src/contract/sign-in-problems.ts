import type { ProblemKind } from './wire-values.ts'

/** Problems of signing in, and of an account's ways to sign in. */
export const SIGN_IN_PROBLEMS = {
  credentials_wrong: {
    status: 401,
    title: 'Wrong email or password',
    remedy: 'Check both. "Forgot password" on the sign-in page sends a link for a new password.',
  },
  second_step_wrong: {
    status: 401,
    title: 'Wrong code',
    remedy: 'Enter the code that the app shows now. Each backup code works once.',
  },
  second_step_expired: {
    status: 401,
    title: 'The second step has expired',
    remedy: 'Sign in again, beginning with the password.',
  },
  passkey_refused: {
    status: 401,
    title: 'The passkey was not accepted',
    remedy: 'Try again, or sign in another way.',
  },
  registration_closed: {
    status: 403,
    title: 'Registration is closed',
    remedy: 'Ask an admin for an account.',
  },
  invitation_needed: {
    status: 403,
    title: 'Registration requires an invitation',
    remedy: 'Ask an admin for an invitation link.',
  },
  passkeys_impossible: {
    status: 403,
    title: 'Passkeys cannot be used at this address',
    remedy: 'Open the console over https, by its host name.',
  },
  oidc_email_unverified: {
    status: 403,
    title: 'The provider has not verified the email address',
    remedy: 'Verify the address at the provider, then sign in again.',
  },
  /** There is an account with this address; its owner has to sign in and link the provider. */
  oidc_not_linked: {
    status: 403,
    title: 'The account is not linked to the provider',
    remedy: 'Sign in another way, then link the provider in the console under Account.',
  },
  oidc_failed: {
    status: 403,
    title: 'The response of the provider was not accepted',
    remedy: 'Sign in again. If it persists, an admin finds more in the log.',
  },
  oidc_not_configured: {
    status: 404,
    title: 'No OIDC provider',
    remedy: 'Sign in another way. An admin can configure a provider.',
  },
  email_taken: {
    status: 409,
    title: 'Another account has this email address',
    remedy: 'Choose another address, or sign in to that account.',
  },
  last_way_in: {
    status: 409,
    title: 'This is the only way to sign in',
    remedy: 'Set a password or add another way to sign in first.',
  },
  totp_already_on: {
    status: 409,
    title: 'Two-step sign-in is already on',
    remedy: 'Turn it off first to set it up again.',
  },
  totp_not_on: {
    status: 409,
    title: 'Two-step sign-in is off',
    remedy: 'Turn it on first.',
  },
  /** Used, expired, withdrawn or mistyped: indistinguishable on purpose. */
  link_invalid: {
    status: 410,
    title: 'The link is not valid',
    remedy: 'It was used, has expired or is incomplete. Ask for a new one.',
  },
  oidc_unavailable: {
    status: 502,
    title: 'The OIDC provider does not respond',
    remedy: 'Try again in a moment, or sign in another way.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>

export type SignInProblemCode = keyof typeof SIGN_IN_PROBLEMS
