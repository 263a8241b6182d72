import { queryOptions } from '@tanstack/react-query'
import type { LimitsReport } from '../../src/contract/account-limits.ts'
import type { Me, MePatch } from '../../src/contract/me.ts'
import { ApiProblem } from './api-problem.ts'
import { answerOf, patch, read, request } from './request.ts'

/** Who is signed in. Pages below the shell may count on it being there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => withRights(await (earlyMe() ?? request<Me>('/api/me', { signal }))),
})

/** The limits of the own account for all of its keys together, and how they stand. */
export const myLimitsQuery = read<LimitsReport>(['me', 'limits'], '/api/me/limits')

/** Asks anew whether this browser has a session; one that cannot be asked for counts as there. */
export async function isSignedIn(): Promise<boolean> {
  try {
    await request<Me>('/api/me')
    return true
  } catch (error) {
    return !(error instanceof ApiProblem && error.status === 401)
  }
}

export async function changeMe(change: MePatch): Promise<Me> {
  return withRights(await patch<Me>('/api/me', change))
}

const ALL_RIGHTS: Me['rights'] = ['staff', 'catalogue', 'prices', 'books', 'admin']

/** While nodes of an earlier version answer as well, which knows users and admins alone. */
function withRights(me: Omit<Me, 'rights'> & { readonly rights?: Me['rights'] }): Me {
  return { ...me, rights: me.rights ?? (me.role === 'admin' ? ALL_RIGHTS : []) }
}

declare global {
  interface Window {
    /** Asked for by `first-paint.ts` before anything else was loaded. */
    tollgateMe?: Promise<Response>
  }
}

/** The answer that was asked for before the first paint, once. */
function earlyMe(): Promise<Me> | undefined {
  const early = window.tollgateMe
  delete window.tollgateMe
  return early?.then(
    (response) => answerOf<Me>(response),
    () => request<Me>('/api/me'),
  )
}
