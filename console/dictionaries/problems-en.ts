import type { SignInCode } from '../../src/contract/sign-in.ts'

/**
 * One sentence per problem code that people meet often; the others show what the server said. `{detail}` is that,
 * `{seconds}` the time to wait.
 */
export const problemsEn = {
  request_invalid: '{detail}',
  unreachable: 'The server could not be reached. Check the connection and try again.',
  unreadable: 'The server’s answer made no sense. Something between it and you may have changed it.',
  internal: 'Something went wrong on the server.',
  store_unavailable: 'The server’s database does not answer right now. Try again in a moment.',
  draining: 'The server is about to restart. Try again in a moment.',
  session_missing: 'You are signed out. Sign in again.',
  path_unknown: 'The server does not know this. It may be older than the console: load the page again.',
  body_too_large: 'That is too large for one request.',
  not_found: 'It is not there any more.',
  credentials_wrong: 'E-mail or password is wrong.',
  second_step_wrong: 'That code is not right. Codes change every 30 seconds, and each backup code works once.',
  second_step_expired: 'That took too long. Start again with your password.',
  passkey_refused: 'That passkey was not accepted here.',
  passkeys_impossible: 'Passkeys can’t be used at this address.',
  account_disabled: 'This account is disabled. Ask an admin.',
  confirmation_needed: 'Confirm first that it is you.',
  cross_site: 'The request came from another site and was refused. Load the page again.',
  admin_needed: 'Only an admin may do that.',
  custom_key_unavailable: 'This can’t be a key: choose another one, or let it be generated, which is better.',
  custom_key_locked:
    'Too many secrets of your own were refused. Let it be generated, or try again in {seconds} seconds.',
  managed: 'This comes from the configuration file and can only be changed there.',
  nodes_behind: 'The change is stored, but not every node has confirmed it yet. It need not be made again.',
  managed_by_file: 'This comes from the configuration file and can only be changed there.',
  registration_closed: 'Nobody can register here. Ask an admin for an account.',
  invitation_needed: 'You need an invitation to register here.',
  oidc_email_unverified: 'The sign-in service has not confirmed your e-mail address. Confirm it there, then try again.',
  oidc_not_linked:
    'There is an account with this e-mail already. Sign in another way, then link the service under Account, Security.',
  oidc_failed: 'Signing in with the other service did not work. Try again.',
  oidc_not_configured: 'Single sign-on is not set up here.',
  oidc_unavailable: 'The sign-in service did not answer. Try again, or use another way.',
  email_taken: 'There is an account with this e-mail already. Sign in instead.',
  last_way_in: 'This is your only way to sign in. Add another one first.',
  totp_already_on: 'Two-step sign-in is on already.',
  totp_not_on: 'Two-step sign-in is not on.',
  link_invalid: 'This link does not work: it was used, has expired, or is incomplete. Ask for a new one.',
  password_unfit: 'Choose another password: at least 8 characters, and none that is easy to guess.',
  sign_in_throttled: 'Too many tries. Wait {seconds} seconds and try again.',
  redeem_code_invalid: 'That is no code of this place. Copy it again, whole.',
  redeem_code_used: 'This code has been used already. Each works once.',
  redeem_code_expired: 'This code has expired.',
  balance_too_large: 'The balance would become larger than is allowed here.',
  redeem_locked: 'Too many wrong codes. Try again in an hour, with the right one.',
}

// Whatever signing in can be refused for has a sentence.
problemsEn satisfies Record<SignInCode, string>

export type ProblemTexts = typeof problemsEn
