import { PROBLEMS, type ProblemCode } from '../contract/problems.ts'
import type { Problem as ProblemBody } from '../contract/wire-values.ts'
import type { FieldForm } from '../core/field-forms.ts'

/**
 * What stops a request of the console API, written as RFC 9457 problem details. Its message is public: it says what is
 * wrong and what to do, and contains no secret.
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
    return PROBLEMS[this.code].status
  }
}

export interface ProblemDetails {
  /** The field at fault, as a path like `rate_limit.spend.0.usd`. */
  readonly field?: string
  /** What that field takes. */
  readonly takes?: FieldRequirement
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number
  /** The methods that a path knows. */
  readonly allow?: string
  /** The version of the object as it is stored, where the sender named another. */
  readonly version?: string
  /** Where one signs in. */
  readonly address?: string
  /** What stands and what the sender would have set, where they differ. */
  readonly differences?: readonly FieldDifference[]
  /** What went wrong, for the log alone. */
  readonly cause?: unknown
}

/** One field of which two people want something else. Never a secret. */
export interface FieldDifference {
  readonly field: string
  readonly current: unknown
  readonly yours: unknown
}

/** What a field takes: the word for it, and the size or the choices. */
export interface FieldRequirement {
  readonly form: FieldForm
  readonly values?: readonly string[]
  /** The field was not sent at all. */
  readonly isMissing?: boolean
}

/**
 * A field whose value is not valid; `sentence` says what it takes, and `takes` the same for those who read another language.
 * The path names the field as the sender wrote it.
 */
export function fieldProblem(field: string, sentence: string, takes?: FieldRequirement): Problem {
  return new Problem('field_invalid', sentence, { field, ...(takes === undefined ? {} : { takes }) })
}

/** What does not exist and what belongs to another account get the same answer, word for word. */
export function notFound(what: string): Problem {
  return new Problem('not_found', `This ${what} was not found. Check its id, and whether it was deleted.`)
}

/** What was looked for. Throws Problem where there is none. */
export function existing<Thing>(thing: Thing | null | undefined, what: string): Thing {
  if (thing == null) throw notFound(what)
  return thing
}

export function notSignedIn(): Problem {
  return new Problem(
    'credential_missing',
    'You are not signed in, or your session has expired. Sign in to the console, or send "Authorization: Bearer" with an access token.',
  )
}

export function confirmationNeeded(): Problem {
  return new Problem(
    'confirmation_needed',
    'Confirm your credentials again with POST /api/auth/confirm, then send the request again.',
  )
}

/** Something from the declarative file. */
export function managed(what: string): Problem {
  return new Problem(
    'managed',
    `This ${what} comes from the declarative file: change it there, and apply it (tollgate apply, SIGHUP, or a restart).`,
  )
}

/** The body as it goes out. */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { field, takes, version, differences, address, retryAfterSeconds } = problem.details
  return {
    type: `/docs/errors/${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    ...(field === undefined ? {} : { field }),
    ...(takes === undefined
      ? {}
      : {
          takes: { form: takes.form, values: [...(takes.values ?? [])], is_missing: takes.isMissing ?? false },
        }),
    ...(version === undefined ? {} : { version }),
    ...(differences === undefined ? {} : { differences: differences.map((each) => ({ ...each })) }),
    ...(address === undefined ? {} : { address }),
    request_id: requestId,
    ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
  }
}
