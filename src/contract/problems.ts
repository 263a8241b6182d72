import { SIGN_IN_PROBLEMS } from './sign-in-problems.ts'
import type { ProblemKind } from './wire-values.ts'

/** Problems of every part of the console API. Those of signing in stand in sign-in-problems.ts. */
const GENERAL_PROBLEMS = {
  body_malformed: {
    status: 400,
    title: 'The request body cannot be read',
    remedy: 'Send one complete JSON object in UTF-8.',
  },
  credential_missing: {
    status: 401,
    title: 'You are not signed in',
    remedy: 'Sign in to the console, or send "Authorization: Bearer" with an access token or the admin token.',
  },
  credential_unknown: {
    status: 401,
    title: 'The credential is unknown',
    remedy: 'Access tokens begin with tg-pat-. Copy it again, or create a new one in the console under Account.',
  },
  credential_expired: {
    status: 401,
    title: 'The credential has expired',
    remedy: 'Create a new access token in the console under Account, or sign in again.',
  },
  credential_of_gateway: {
    status: 401,
    title: 'This is the secret of an API key',
    remedy: 'API keys call models. For the console API, create an access token in the console under Account.',
  },
  signature_invalid: {
    status: 401,
    title: 'The signature is not valid',
    remedy: 'Sign the body as it is sent, for the purpose of the path, with the present time. See docs/payments.md.',
  },
  cross_site: {
    status: 403,
    title: 'The request comes from another site',
    remedy:
      'Browsers may only send writes from the console itself. Programs use an access token. Behind a reverse proxy, set TOLLGATE_PUBLIC_URL or TOLLGATE_TRUSTED_PROXIES.',
  },
  account_disabled: {
    status: 403,
    title: 'The account is disabled',
    remedy: 'Ask an admin to enable it again.',
  },
  admin_needed: {
    status: 403,
    title: 'Only admins may do this',
    remedy: 'Ask an admin of this server.',
  },
  role_insufficient: {
    status: 403,
    title: 'Your role may not do this',
    remedy: 'The detail names the roles that may. Ask an admin of this server.',
  },
  scope_insufficient: {
    status: 403,
    title: 'The access token may only read',
    remedy: 'Create an access token with the scope "write".',
  },
  session_needed: {
    status: 403,
    title: 'This requires a session',
    remedy: 'Sign in to the console and do it there. Access tokens and the admin token are not accepted.',
  },
  confirmation_needed: {
    status: 403,
    title: 'Credentials have to be confirmed again',
    remedy: 'Confirm them with POST /api/auth/confirm, then send the request again.',
  },
  see_as_ended: {
    status: 403,
    title: 'Seeing this account as its owner has ended',
    remedy: 'Leave x-tollgate-see-as out, or begin anew with POST /api/accounts/{id}/see-as.',
  },
  see_as_read_only: {
    status: 403,
    title: 'An account that is seen as its owner sees it can only be read',
    remedy: 'Leave x-tollgate-see-as out to act as yourself.',
  },
  path_unknown: {
    status: 404,
    title: 'There is nothing at this path',
    remedy: 'See /api/docs for the available paths.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    remedy: 'Check the id. Objects of other accounts get the same answer.',
  },
  record_deleted: {
    status: 410,
    title: 'The usage record is older than what is kept',
    remedy:
      'What it cost stays in the sums of usage and in the ledger. Admins have its archive: see docs/operating.md.',
  },
  key_unreadable: {
    status: 404,
    title: 'No key can be read with this secret',
    remedy:
      'Copy the secret again. It may have been deleted or replaced, or be limited to other addresses; the answer is the same for all of these.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    remedy: 'The header "allow" lists the methods that it supports.',
  },
  managed: {
    status: 409,
    title: 'This comes from the declarative file',
    remedy: 'Change it in the file that TOLLGATE_CONFIG names, and apply it: tollgate apply, SIGHUP, or a restart.',
  },
  name_taken: {
    status: 409,
    title: 'The name is taken',
    remedy: 'Choose another name, or change the object that has it.',
  },
  in_use: {
    status: 409,
    title: 'Something else still uses it',
    remedy: 'The detail names what uses it: change that first.',
  },
  conflict: {
    status: 409,
    title: 'This is not possible in its current state',
    remedy: 'Read the object again and decide whether the change still applies.',
  },
  reference_taken: {
    status: 409,
    title: 'The account has an entry with this reference',
    remedy: 'It was credited before: see its ledger. Another payment has a reference of its own.',
  },
  refund_unsettled: {
    status: 409,
    title: 'An earlier refund of the order is not settled',
    remedy: 'Send the earlier one again, with its amount and its reason. Once it is settled, ask for the other one.',
  },
  too_many_keys: {
    status: 409,
    title: 'The account has as many API keys as it may have',
    remedy: 'Delete a key that is not needed any more, or ask an admin to raise "max_keys".',
  },
  too_many_devices: {
    status: 409,
    title: 'The account is signed in on as many devices as it may be',
    remedy: 'Sign out a device that is not needed any more: see GET /api/devices.',
  },
  last_admin: {
    status: 409,
    title: 'This is the last active admin',
    remedy: 'Give another account the role admin first.',
  },
  balance_insufficient: {
    status: 409,
    title: 'Insufficient balance',
    remedy:
      'The detail says how much is available: the rest is used, or held for requests that run or have just ended. Those give it back within 20 s.',
  },
  balance_too_large: {
    status: 409,
    title: 'The balance would become too large',
    remedy: 'Add a smaller amount.',
  },
  subscription_cancelled: {
    status: 409,
    title: 'The subscription is cancelled',
    remedy: 'Open a new one: a cancelled subscription cannot be resumed.',
  },
  redeem_code_used: {
    status: 409,
    title: 'You have already redeemed this code',
    remedy: 'Each code can be redeemed once. See your ledger and your subscriptions.',
  },
  redeem_code_expired: {
    status: 409,
    title: 'The redeem code has expired',
    remedy: 'Ask for another one where you got it.',
  },
  payments_off: {
    status: 409,
    title: 'Payments are not set up',
    remedy: 'An admin sets them up in the console under Payments.',
  },
  payment_held: {
    status: 409,
    title: 'The payment is held',
    remedy: 'The detail says why. An admin decides what becomes of it.',
  },
  payment_differs: {
    status: 409,
    title: 'The amount is not that of the order',
    remedy: 'Send the currency of the order, and no more than was paid.',
  },
  idempotency_running: {
    status: 409,
    title: 'The same request is still running',
    remedy: 'Wait as long as "retry_after" says, and send it again with the same Idempotency-Key.',
  },
  idempotency_unclear: {
    status: 409,
    title: 'It is unknown whether the first request took effect',
    remedy:
      'The request with this Idempotency-Key was interrupted. Check whether it took effect; if not, send it with a new key.',
  },
  version_mismatch: {
    status: 412,
    title: 'It was changed meanwhile',
    remedy: 'Read it again, or send the request with the version of this answer as If-Match, if yours is to stand.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large',
    remedy: 'Bodies may have at most 1 MB, and 64 KB where no sign-in is needed.',
  },
  content_type_wrong: {
    status: 415,
    title: 'The request body has the wrong type',
    remedy: 'Send JSON with "content-type: application/json".',
  },
  field_invalid: {
    status: 422,
    title: 'A field is not valid',
    remedy: '"field" names it, and the detail says what it takes.',
  },
  cursor_invalid: {
    status: 422,
    title: 'The cursor does not belong to this list',
    remedy: 'Pass "next_cursor" as it was returned, with the same filters; or begin without a cursor.',
  },
  account_needed: {
    status: 422,
    title: 'The admin token has no account of its own',
    remedy: 'Name an account with account_id.',
  },
  custom_key_unavailable: {
    status: 422,
    title: 'This value cannot be used as a key',
    remedy: 'Choose another one, or leave custom_key out: a generated secret is the better choice.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request. A repeated request must have the same path and body.',
  },
  redeem_code_invalid: {
    status: 422,
    title: 'This redeem code is not valid',
    remedy: 'Check every character. Codes that were redeemed by others get the same answer.',
  },
  redeem_locked: {
    status: 429,
    title: 'Too many wrong redeem codes',
    remedy: 'Wait as long as "retry_after" says.',
  },
  custom_key_locked: {
    status: 429,
    title: 'Too many custom keys were refused',
    remedy: 'Leave custom_key out, or wait as long as "retry_after" says.',
  },
  credential_throttled: {
    status: 429,
    title: 'Too many wrong credentials',
    remedy: 'Correct the credential, then wait as long as "retry_after" says.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait as long as "retry_after" says.',
  },
  payment_provider_failed: {
    status: 502,
    title: 'The payment provider did not answer',
    remedy: 'Try again in a moment. If it persists, an admin finds more in the log.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    remedy: 'Try again. If it persists, give the request id to an admin, who finds more in the log.',
  },
  nodes_behind: {
    status: 503,
    title: 'The change is stored, but not every node has confirmed it',
    remedy: 'Restart the node that the detail names. The change itself is made and need not be sent again.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database cannot be reached',
    remedy: 'Wait as long as "retry_after" says, and try again.',
  },
  draining: {
    status: 503,
    title: 'The gateway is shutting down',
    remedy: 'Try again in a moment.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>

/** Every `code` that the console API returns. A code is public and never changes its meaning. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = { ...GENERAL_PROBLEMS, ...SIGN_IN_PROBLEMS }

export type ProblemCode = keyof typeof GENERAL_PROBLEMS | keyof typeof SIGN_IN_PROBLEMS

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code)
}
