import { queryOptions } from '@tanstack/react-query'
import type { LimitsReport } from '../../src/contract/account-limits.ts'
import type { Me, MePatch } from '../../src/contract/me.ts'
import { answerOf, request } from './request.ts'

/** Who is signed in. Pages below the shell may count on it being there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => earlyMe() ?? request<Me>('/api/me', { signal }),
})

/** The limits of the own account for all of its keys together, and how they stand. */
export const myLimitsQuery = queryOptions({
  queryKey: ['me', 'limits'],
  queryFn: ({ signal }) => request<LimitsReport>('/api/me/limits', { signal }),
})

export function changeMe(change: MePatch): Promise<Me> {
  return request<Me>('/api/me', { method: 'PATCH', body: change })
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
