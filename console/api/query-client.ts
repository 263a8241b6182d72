import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import type { SignInProblemCode } from '../../src/contract/sign-in-problems.ts'
import { ApiProblem, isUnreachable } from './api-problem.ts'
import { isDown } from './connection.ts'

const FRESH_MS = 15_000
const TRIES = 2
/** A change that takes longer than this replaces no session. */
const CHANGE_MS = 10_000
/** How long after a failure that passes the query is sent again. */
const AGAIN_MS = 15_000

/** What the cache of the API's answers asks of the page around it. */
export interface SessionWatch {
  /** Whether the session that the browser holds now is a good one. */
  isSignedIn(): Promise<boolean>
  /** Called when the session has ended. */
  onSignedOut(): void
}

/**
 * The cache of what the API said. An answer of 401 may belong to a session that another request has just replaced (turning
 * two-step sign-in on, or a new password, does that), so the end of the session is believed only when it is asked for anew;
 * a query that was refused in between is asked again, once. The browser has the new session with the answer of the change that
 * replaced it, so a change that is on its way is waited for.
 */
export function createQueryClient(watch: SessionWatch): QueryClient {
  const askedAgain = new Set<string>()
  const onUnauthorized = async (query?: Query<unknown, unknown>): Promise<void> => {
    const wasAskedAgain = query !== undefined && askedAgain.has(query.queryHash)
    if (wasAskedAgain || !(await isSignedInAfterChanges(client, watch))) return watch.onSignedOut()
    if (query === undefined) return
    askedAgain.add(query.queryHash)
    await query.fetch().catch(() => {})
  }
  const isEnd = (error: unknown): boolean =>
    error instanceof ApiProblem && error.status === 401 && !isAboutTheForm(error)
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => void (isEnd(error) && onUnauthorized(query)),
      onSuccess: (_, query) => void askedAgain.delete(query.queryHash),
    }),
    mutationCache: new MutationCache({ onError: (error) => void (isEnd(error) && onUnauthorized()) }),
    defaultOptions: {
      // Whether the browser has the internet says nothing of a gateway on this machine or in this network.
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < TRIES && isWorthAnotherTry(error),
        // While the gateway is down it is asked for by itself alone; once it is back, everything is read again.
        refetchInterval: ({ state }) => (isWorthAnotherTry(state.error) && !isDown() ? AGAIN_MS : false),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}

/** Asks once no change is on its way; and again where one was answered meanwhile, which may have brought another session. */
async function isSignedInAfterChanges(client: QueryClient, watch: SessionWatch): Promise<boolean> {
  for (let asked = 0; asked < TRIES; asked++) {
    let isChanged = false
    const stop = client.getMutationCache().subscribe(() => (isChanged = true))
    try {
      await withoutChanges(client)
      isChanged = false
      if (await watch.isSignedIn()) return true
      if (!isChanged) return false
    } finally {
      stop()
    }
  }
  return watch.isSignedIn()
}

/** Resolves when no change is on its way, or after a while. */
async function withoutChanges(client: QueryClient): Promise<void> {
  if (client.isMutating() === 0) return
  const idle = Promise.withResolvers<void>()
  const stop = client.getMutationCache().subscribe(() => {
    if (client.isMutating() === 0) idle.resolve()
  })
  const timer = setTimeout(idle.resolve, CHANGE_MS)
  await idle.promise
  clearTimeout(timer)
  stop()
}

/** A wrong password is answered with 401 too, and belongs to the form that asked for it. */
const ABOUT_THE_FORM: ReadonlySet<string> = new Set([
  'credentials_wrong',
  'second_step_wrong',
  'second_step_expired',
  'passkey_refused',
] satisfies SignInProblemCode[])

function isAboutTheForm(problem: ApiProblem): boolean {
  return ABOUT_THE_FORM.has(problem.code)
}

function isWorthAnotherTry(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof ApiProblem && (error.status === 502 || error.status === 503))
}
