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
  /** Browsers would drop the cookie, or miss it on the way back: `address` says where sign-in works. */
  sign_in_address: {
    status: 403,
    title: 'Sign-in works at another address',
    remedy: 'Open the console at the address that the answer names. It is TOLLGATE_PUBLIC_URL.',
  },
  oidc_email_unverified: {
    status: 403,
    title: 'The provider has not verified the email address',
    remedy:
      'Verify the address at the provider, or ask an admin for an invitation. An admin can vouch for the provider by TOLLGATE_OIDC_TRUST_EMAIL.',
  },
  oidc_email_missing: {
    status: 403,
    title: 'The provider names no email address',
    remedy: 'Ask an admin for an invitation for your address, or sign in another way and link the provider.',
  },
  oidc_denied: {
    status: 403,
    title: 'The provider did not let you in',
    remedy: 'Sign in again and agree there. If it persists, an admin of the provider can allow you to use this server.',
  },
  /** No cookie of ours, one of another sign-in, or one that has ended. */
  oidc_state_lost: {
    status: 403,
    title: 'This sign-in has ended',
    remedy: 'Begin anew, in one browser and within ten minutes.',
  },
  oidc_clock_off: {
    status: 403,
    title: 'The clocks of this server and of the provider differ',
    remedy: 'Ask an admin: the clocks need to be set over the network.',
  },
  oidc_misconfigured: {
    status: 403,
    title: 'Single sign-on is not set up right',
    remedy: 'Trying again will not help. An admin finds the cause in the log and by "tollgate oidc test".',
  },
  /** There is an account with this address; its owner has to sign in and link the provider. */
  oidc_not_linked: {
    status: 403,
    title: 'The account is not linked to the provider',
    remedy: 'Sign in another way, then link the provider in the console under Account.',
  },
  oidc_linked_elsewhere: {
    status: 409,
    title: 'The provider is linked to another account',
    remedy: 'Sign in to that account and unlink the provider there first.',
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
