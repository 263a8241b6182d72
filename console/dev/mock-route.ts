/** One request to the mock. */
export interface MockCall {
  /** What stands at `:name` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly state: MockState
}

/** What the mock is told to be, and what a session changes. */
export interface MockState {
  isSignedIn: boolean
  /** Every list is empty. */
  readonly isEmpty: boolean
}

/** A JSON answer; undefined: 204. A problem is a status of 400 or more with `{code, detail, field}`. */
export interface MockAnswer<Body = unknown> {
  readonly status?: number
  readonly body?: Body
}

/** `'GET /api/keys/:id'` → its answer. */
export type MockRoutes = Readonly<Record<string, (call: MockCall) => MockAnswer>>

/** An answer of the contract's type: the one place where the mock's data is held against it. */
export function answer<Body>(body: NoInfer<Body>, status = 200): MockAnswer<Body> {
  return { status, body }
}

export function problem(status: number, code: string, field?: string): MockAnswer {
  const detail = `The mock refuses this (${code}).`
  return {
    status,
    body: { type: `/docs/errors/${code}`, title: code, status, code, detail, field, request_id: 'req_mock' },
  }
}
