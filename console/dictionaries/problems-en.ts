import type { ProblemCode } from '../../src/contract/problems.ts'
import type { SignInProblemCode } from '../../src/contract/sign-in-problems.ts'

/**
 * One sentence per problem code that people meet often; the others show the server's own detail, `{detail}`;
 * `{seconds}` is the time to wait.
 */
export const problemsEn = {
  field_invalid: '{detail}',
  unreachable: 'The gateway can’t be reached. Try again in a moment.',
  unreadable: 'Unexpected response from the server. Something between you and the server may have changed it.',
  internal: 'Something went wrong on the server.',
  store_unavailable: 'The server’s database isn’t responding. Try again in a moment.',
  draining: 'The server is about to restart. Try again in a moment.',
  credential_missing: 'You are signed out. Sign in again.',
  path_unknown: 'The server doesn’t support this action. It may be older than the console. Reload the page.',
  body_too_large: 'Too large for one request.',
  not_found: 'It no longer exists.',
  credentials_wrong: 'Incorrect email or password.',
  second_step_wrong: 'Incorrect code. Codes change every 30 seconds, and each backup code works once.',
  second_step_expired: 'That took too long. Start again with your password.',
  passkey_refused: 'This passkey wasn’t accepted.',
  passkeys_impossible: 'Passkeys can’t be used at this address.',
  account_disabled: 'This account is disabled. Ask an admin.',
  confirmation_needed: 'Confirm it’s you first.',
  cross_site: 'The request came from another site and was refused. Reload the page.',
  admin_needed: 'Only an admin can do this.',
  custom_key_unavailable: 'This can’t be used as a key. Choose another one or, better, generate one.',
  custom_key_locked: 'Too many custom keys were refused. Generate one, or try again in {seconds} seconds.',
  managed: 'Managed in the configuration file. Change it there.',
  nodes_behind: 'The change was saved, but not every node has confirmed it yet. You don’t need to repeat it.',
  registration_closed: 'Sign-ups are closed. Ask an admin for an account.',
  invitation_needed: 'You need an invitation to sign up.',
  oidc_email_unverified: 'The sign-in service hasn’t confirmed your email address. Confirm it there, then try again.',
  oidc_not_linked:
    'An account with this email already exists. Sign in another way, then link the service under Account, Security.',
  oidc_failed: 'Sign-in with the other service failed. Try again.',
  oidc_not_configured: 'Single sign-on isn’t set up.',
  oidc_unavailable: 'The sign-in service didn’t respond. Try again, or sign in another way.',
  email_taken: 'An account with this email already exists. Sign in instead.',
  last_way_in: 'This is your only way to sign in. Add another one first.',
  totp_already_on: 'Two-step sign-in is already on.',
  totp_not_on: 'Two-step sign-in is off.',
  link_invalid: 'This link doesn’t work. It was used already, has expired or is incomplete. Ask for a new one.',
  credential_throttled: 'Too many attempts. Try again in {seconds} seconds.',
  too_many_keys:
    'This account has as many API keys as it may have. Delete one that is not needed any more, or ask an admin to raise the limit.',
  too_many_requests: 'Too many requests. Try again in {seconds} seconds.',
  redeem_code_invalid: 'This code isn’t valid here. Copy the full code and try again.',
  redeem_code_used: 'This code has already been used. Each code works once.',
  redeem_code_expired: 'This code has expired.',
  balance_too_large: 'This would exceed the maximum balance.',
  redeem_locked: 'Too many invalid codes. Try again in an hour.',
}

// Every reason for which a sign-in can be refused has a sentence.
problemsEn satisfies Record<SignInProblemCode, string> &
  Partial<Record<ProblemCode | 'unreachable' | 'unreadable', string>>

export type ProblemTexts = typeof problemsEn
