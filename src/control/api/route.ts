import type { z } from '@hono/zod-openapi'
import type { AuditNote } from '../../access/audit.ts'
import type { Right } from '../../core/roles.ts'
import type { Actor, Reach } from '../who/actor.ts'
import type { Position } from './paging.ts'
import type { VersionedEdit } from './version.ts'
import type { ChangeableStores } from '../changeable-stores.ts'
import type { ControlParts } from '../parts.ts'
import type { ProblemCode } from '../../contract/problems.ts'

/** One route of the console API, with everything that its documentation says. Made by `routesOf`. */
export interface ApiRoute {
  readonly method: Method
  readonly path: string
  readonly tag: Tag
  readonly summary: string
  readonly description: string | null
  readonly who: Who
  readonly limits: RouteLimits
  readonly query: z.ZodType | null
  readonly body: z.ZodType | null
  readonly answer: z.ZodType | null
  /** The type of an answer other than JSON; null: JSON, or no body. */
  readonly mediaType: string | null
  readonly status: AnswerStatus
  readonly problems: readonly ProblemCode[]
  readonly secretFields: readonly string[]
  readonly example: { readonly body?: unknown; readonly answer?: unknown }
  handle(call: ApiCall, parts: ControlParts): Promise<unknown>
}

/**
 * Declares the routes of one tag: `route('get /api/plans', { … })`. What is written there is validated, documented and tested
 * alike. The handler gets what was checked, and returns the body (checked by its type), or a `Response` of its own for anything
 * but JSON. The path is as OpenAPI writes it: `/api/keys/{id}`.
 */
export function routesOf(tag: Tag) {
  return function route<
    const Line extends `${Method} /api/${string}`,
    Allowed extends Who,
    Query extends z.ZodType | null = null,
    Body extends z.ZodType | null = null,
    Answer extends z.ZodType | null = null,
  >(
    line: Line,
    declared: Description & {
      readonly who: Allowed
      readonly query?: Query
      readonly body?: Body
      /** Left out: 204, without a body. */
      readonly answer?: Answer
      handle(
        call: ApiCall<Allowed, ParametersOf<Line>, Parsed<Query>, Parsed<Body>>,
        parts: ControlParts,
      ): Promise<(Answer extends z.ZodType ? z.output<Answer> : void) | Response>
    },
  ): ApiRoute {
    const { summary, who, handle } = declared
    const [method, path] = line.split(' ') as [Method, string]
    const hasAnswer = declared.answer != null
    const erased: unknown = handle
    return {
      method,
      path,
      tag,
      summary,
      description: declared.description ?? null,
      who,
      limits: {
        isReadOnly: method === 'get',
        needsSession: false,
        needsConfirmation: false,
        isRepeatable: method === 'post' && who !== 'anyone',
        asksAddress: false,
        takesAnyBody: false,
        ...declared.limits,
      },
      query: declared.query ?? null,
      body: declared.body ?? null,
      answer: declared.answer ?? null,
      mediaType: declared.mediaType ?? null,
      status: declared.status ?? (hasAnswer ? 200 : 204),
      problems: declared.problems ?? [],
      secretFields: declared.secretFields ?? [],
      example: declared.example ?? {},
      handle: erased as ApiRoute['handle'],
    }
  }
}

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'
export type AnswerStatus = 200 | 201 | 202 | 204 | 302
export type Tag = 'Sign-in' | 'Account' | 'Keys' | 'Catalogue' | 'Usage' | 'Billing' | 'Administration' | 'Instance'

/** `anyone`: also without a credential. `account`: every account. Else who has this right, and the admin token. */
export type Who = 'anyone' | 'account' | Right

export interface RouteLimits {
  /** Changes nothing, though its method may be POST: an access token of the scope `read` may call it. */
  readonly isReadOnly: boolean
  /** Access tokens and the admin token may not: for what would let a stolen one live on. */
  readonly needsSession: boolean
  /** The session's credentials must have been shown lately (`/api/auth/confirm`). Implies a session where one is used. */
  readonly needsConfirmation: boolean
  /**
   * Takes an `Idempotency-Key`, so its answer is stored for a day. Not for signing in, whose questions and answers are
   * secrets throughout. Only a POST of an actor can be.
   */
  readonly isRepeatable: boolean
  /** Has the gateway ask an address that a person typed, there or before: so often a minute by each actor. */
  readonly asksAddress: boolean
  /** Another program chooses its form: the body is only `rawBody`, of whatever type, and no other site is kept out. */
  readonly takesAnyBody: boolean
}

/** What the documentation says of a route beside its schemas. */
interface Description {
  /** A few words, beginning with a verb. */
  readonly summary: string
  /** What is not plain from the schemas. */
  readonly description?: string
  readonly limits?: Partial<RouteLimits>
  /** The type of an answer other than JSON, for which the handler returns a `Response`. */
  readonly mediaType?: string
  readonly status?: AnswerStatus
  /** Codes beside those that every route has. */
  readonly problems?: readonly ProblemCode[]
  /** Fields of the answer that are said once: null in a repeated answer, and never stored. */
  readonly secretFields?: readonly string[]
  readonly example?: { readonly body?: unknown; readonly answer?: unknown }
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : null

type ParametersOf<Line extends string> = Line extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParametersOf<Rest>
  : unknown

/** The part of a call that decides what its reader is shown. */
export type ViewerCall = Pick<ApiCall<'account'>, 'actor' | 'nowMs'>

/** One request that may go on. */
export interface ApiCall<Allowed extends Who = Who, Parameters = unknown, Query = unknown, Body = unknown> {
  readonly actor: Allowed extends 'anyone' ? null : Actor
  /** Whether the route changes anything. */
  readonly reach: Reach
  /** The parameters of the path; any text of 1 to 200 characters. */
  readonly params: Parameters
  readonly query: Query
  readonly body: Body
  /** The body as it came, for what is signed; empty where nothing was sent. */
  readonly rawBody: string
  /** Epoch milliseconds: when it came. */
  readonly nowMs: number
  readonly requestId: string
  readonly address: string
  readonly origin: string
  readonly headers: Headers
  /** The repeatable name the sender gave it, bound to the actor; for stores that have a `once`. null: none. */
  readonly idempotencyKey: string | null
  /** Where the page begins, for a list; null: at its beginning. Only ever what `nextCursor` was given for these filters. */
  readonly position: Position | null
  nextCursor(position: Position): string
  /** Set-Cookie lines that go along with the answer, if the handler succeeds. */
  setCookies(lines: readonly string[]): void
  /**
   * Called in the edits of a PATCH, once the object is locked. Throws Problem `version_mismatch` where the request names another
   * version of it (`If-Match`) than stands.
   */
  requireVersion(edit: VersionedEdit): void
  /**
   * Makes a change and writes its audit entry, in one transaction: both are kept, or neither. What `work` throws undoes all
   * of it. `work` may run again, and holds up other writers meanwhile: it waits for the database alone, and writes by the
   * stores that it is given alone.
   */
  change<Made>(
    work: (store: ChangeableStores, audit: (note: AuditNote) => Promise<void>) => Promise<Made>,
  ): Promise<Made>
  /**
   * Resolves when every running gateway acts on the changes, so that what was revoked or lowered is refused once this call
   * has returned. To be called after `change`. Throws Problem `nodes_behind`.
   */
  reachNodes(...changes: readonly ({ readonly seq: number | null } | null)[]): Promise<void>
}
