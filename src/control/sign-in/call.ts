import type { z } from '@hono/zod-openapi'
import type { Authenticators } from './authenticator/authenticators.ts'
import type { RequestOrigin, SignedIn, SignInParts } from './parts.ts'
import { notSignedIn } from './refusal.ts'

/** One request under /api/auth/, as a route works with it. */
export interface Call<Body = unknown> {
  readonly parts: SignInParts
  readonly request: Request
  readonly from: RequestOrigin
  readonly body: Body
  /** What stands at `{id}` in the path. */
  readonly id: string
  /** null: nobody. */
  readonly signedIn: SignedIn | null
  readonly authenticators: Authenticators
  /** Asks better-auth; its cookies go along with the answer. */
  ask(inner: InnerRequest): Promise<Asked>
}

/** A request to better-auth, by its own paths below /api/auth. */
export interface InnerRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
  /** How a session that comes of it began. */
  readonly beganBy?: string
  readonly invitation?: string
  /** It needs the OIDC provider. */
  readonly usesOidc?: boolean
}

export interface Asked {
  readonly body: Readonly<Record<string, unknown>>
  /** Set-Cookie lines. */
  readonly cookies: readonly string[]
  /** Where it sends the browser. */
  readonly location: string | null
}

/** Who may call a route. `fresh`: credentials were shown within the last minutes. */
export type RouteAccess = 'anyone' | 'signed_in' | 'fresh' | 'admin' | 'fresh_admin'

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below /api/auth; `{id}` stands for one part. */
  readonly path: string
  readonly access: RouteAccess
  readonly body: z.ZodType | null
  answer(call: Call): Promise<Answer>
}

/** `redirect`: where the browser goes on. */
export interface Answer {
  readonly status: number
  readonly body?: object
  readonly cookies?: readonly string[]
  readonly redirect?: string
}

/** A route whose body has this shape. */
export function route<Schema extends z.ZodType>(definition: {
  readonly method: 'POST'
  readonly path: string
  readonly access: RouteAccess
  readonly body: Schema
  answer(call: Call<z.output<Schema>>): Promise<Answer>
}): Route {
  // The front has read the body by this very schema.
  return { ...definition, answer: (call) => definition.answer(call as Call<z.output<Schema>>) }
}

export function signedInOf(call: Call): SignedIn {
  if (call.signedIn === null) throw notSignedIn()
  return call.signedIn
}

export function done(cookies: readonly string[] = []): Answer {
  return { status: 204, cookies }
}
