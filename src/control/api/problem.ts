import { PROBLEM_STATUS, type ProblemCode } from '../../contract/problems.ts'
import type { Problem as ProblemBody } from '../../contract/wire-values.ts'

/**
 * What stops a request of the console API. Thrown by whoever notices; the front writes it as RFC 9457 problem details. Its
 * message is public: it says what is wrong and what to do, and holds no secret.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    const { cause, ...rest } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Problem'
    this.code = code
    this.details = rest
  }

  get status(): number {
    return PROBLEM_STATUS[this.code]
  }
}

export interface ProblemDetails {
  /** The field at fault, as a path like `rate_limit.spend.0.usd`. */
  readonly field?: string
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number
  /** The methods that a path knows. */
  readonly allow?: string
  /** For the log only. */
  readonly cause?: unknown
}

/** A field that cannot be taken; `takes` is the whole sentence. The path names the field as the sender wrote it. */
export function fieldProblem(field: string, sentence: string): Problem {
  return new Problem('field_invalid', sentence, { field })
}

/** What does not exist and what belongs to somebody else are answered alike, word for word. */
export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}. Check its id, and whether it was deleted.`)
}

/** Something from the declarative file. */
export function managed(what: string): Problem {
  return new Problem('managed', `This ${what} comes from the declarative file: change it there, and restart.`)
}

/** The body as it goes out. */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { field, retryAfterSeconds } = problem.details
  return {
    type: `/docs/errors/${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    ...(field === undefined ? {} : { field }),
    request_id: requestId,
    ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
  }
}

/** One kind of problem: what its page in the documentation says beside the code. */
interface ProblemKind {
  readonly title: string
  /** What to do about it, in a sentence or two. */
  readonly remedy: string
}

/** What each code is called, and what to do about it. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  body_malformed: {
    title: 'The body cannot be read',
    remedy: 'Send one JSON object in UTF-8, and the whole of it.',
  },
  credential_missing: {
    title: 'Nobody is signed in',
    remedy: 'Sign in to the console, or send "Authorization: Bearer" with an access token or the admin token.',
  },
  credential_unknown: {
    title: 'The credential is not known',
    remedy: 'Access tokens begin with tg-pat-. Copy it again, or make a new one in the console under Account.',
  },
  credential_expired: {
    title: 'The credential has expired',
    remedy: 'Make a new access token in the console under Account, or sign in again.',
  },
  credential_of_gateway: {
    title: 'This is the secret of an API key',
    remedy: 'API keys call models. For the console API make an access token in the console under Account.',
  },
  cross_site: {
    title: 'The request comes from another site',
    remedy:
      'A browser session only changes things from the console itself. Programs use an access token. Behind a reverse proxy, set TOLLGATE_PUBLIC_URL or TOLLGATE_TRUSTED_PROXIES.',
  },
  account_disabled: {
    title: 'The account is disabled',
    remedy: 'An admin can enable it again.',
  },
  admin_needed: {
    title: 'Only admins may do this',
    remedy: 'Ask an admin of this installation.',
  },
  scope_insufficient: {
    title: 'The access token may only read',
    remedy: 'Make an access token with the scope "write".',
  },
  session_needed: {
    title: 'This takes a session',
    remedy: 'Sign in to the console and do it there: an access token and the admin token may not.',
  },
  confirmation_needed: {
    title: 'Credentials have to be shown again',
    remedy: 'Confirm with POST /api/auth/confirm, then send the request again.',
  },
  path_unknown: {
    title: 'There is nothing at this path',
    remedy: 'See /api/docs for the paths there are.',
  },
  not_found: {
    title: 'There is no such object',
    remedy: 'Check the id. What belongs to other accounts is answered in the same way.',
  },
  method_not_allowed: {
    title: 'The path does not know this method',
    remedy: 'The header "allow" names the methods that it knows.',
  },
  managed: {
    title: 'This comes from the declarative file',
    remedy: 'Change it in the file that TOLLGATE_CONFIG names, and restart the gateway.',
  },
  name_taken: {
    title: 'The name is taken',
    remedy: 'Choose another name, or change the object that has it.',
  },
  in_use: {
    title: 'Something else still needs it',
    remedy: 'The detail names what uses it: change that first.',
  },
  conflict: {
    title: 'This does not go with the state it is in',
    remedy: 'Read the object again, and decide anew.',
  },
  last_admin: {
    title: 'This is the last active admin',
    remedy: 'Give another account the role admin first.',
  },
  balance_insufficient: {
    title: 'The balance does not hold so much',
    remedy: 'The detail says what can be taken: the rest is used, or held by running requests.',
  },
  balance_too_large: {
    title: 'No balance can hold so much',
    remedy: 'Add less.',
  },
  subscription_cancelled: {
    title: 'The subscription is cancelled',
    remedy: 'Open a new one: what is cancelled stays so.',
  },
  redeem_code_used: {
    title: 'You have redeemed this code already',
    remedy: 'Each code can be redeemed once; see your ledger and your subscriptions.',
  },
  redeem_code_expired: {
    title: 'The redeem code has expired',
    remedy: 'Ask whoever gave it to you for another one.',
  },
  idempotency_running: {
    title: 'The same request is still running',
    remedy: 'Wait as long as "retry_after" says, and send it again with the same Idempotency-Key.',
  },
  idempotency_unclear: {
    title: 'Nobody knows whether the first request took effect',
    remedy:
      'The request with this Idempotency-Key was cut off in the middle. Look whether it took effect; if not, send it with a new key.',
  },
  body_too_large: {
    title: 'The body is too large',
    remedy: 'Bodies of the console API have at most 1 MB.',
  },
  content_type_wrong: {
    title: 'The body is of the wrong type',
    remedy: 'Send JSON with "content-type: application/json".',
  },
  field_invalid: {
    title: 'A field cannot be taken',
    remedy: '"field" names it, and the detail says what it takes.',
  },
  cursor_invalid: {
    title: 'The cursor does not belong to this list',
    remedy: 'Pass "next_cursor" as it was answered, with the same filters; or begin without a cursor.',
  },
  account_needed: {
    title: 'The admin token has no account of its own',
    remedy: 'Name the account that is meant with account_id.',
  },
  custom_key_unavailable: {
    title: 'This cannot be a key',
    remedy: 'Choose another one, or leave custom_key out: a generated secret is the better choice.',
  },
  idempotency_conflict: {
    title: 'The Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request; a repeated request must be the same in path and body.',
  },
  redeem_code_invalid: {
    title: 'This is no redeem code that can be used',
    remedy: 'Check each character. A code that somebody else redeemed is answered alike.',
  },
  redeem_locked: {
    title: 'Too many wrong redeem codes',
    remedy: 'Wait as long as "retry_after" says.',
  },
  custom_key_locked: {
    title: 'Too many custom keys were refused',
    remedy: 'Leave custom_key out, or wait as long as "retry_after" says.',
  },
  credential_throttled: {
    title: 'Too many wrong credentials from this address',
    remedy: 'Correct the credential, then wait as long as "retry_after" says. Good credentials are still accepted.',
  },
  too_many_requests: {
    title: 'Too many requests',
    remedy: 'Wait as long as "retry_after" says.',
  },
  internal: {
    title: 'Something is broken here',
    remedy: 'Try again; if it stays, give the request id to the operator, whose log tells more.',
  },
  nodes_behind: {
    title: 'The change is stored, but not every node confirmed it',
    remedy: 'Restart the node that the detail names. The change itself is made and need not be sent again.',
  },
  store_unavailable: {
    title: 'The database cannot be reached',
    remedy: 'Wait as long as "retry_after" says, and try again.',
  },
  draining: {
    title: 'The gateway is shutting down',
    remedy: 'Try again in a moment.',
  },
}
