import type { QueryClient } from '@tanstack/react-query'
import { ADMIN_PATHS } from './admin-pages.ts'
import { attentionQuery } from './api/attention.ts'
import { instanceQuery } from './api/instance.ts'
import { keysQuery } from './api/keys.ts'
import { meQuery } from './api/me.ts'
import { PATHS } from './paths.ts'

/** The key that was used last. */
const LAST_KEY = { status: 'active', sort: 'last_used_at', order: 'desc', limit: 1 } as const

/**
 * The page on which the console opens: the overview of the own account. Those who run the gateway come to Operations instead
 * while its list of first steps is open, and when they have no key of their own, as their overview has nothing to show then.
 * The demo's key is there to be tried first: an overview with it is one press away from an answer.
 */
export async function homePage(queries: QueryClient): Promise<typeof PATHS.overview | typeof ADMIN_PATHS.operations> {
  const { rights } = await queries.ensureQueryData(meQuery)
  if (!rights.includes('staff')) return PATHS.overview
  try {
    const [keys, { setup }, { demo }] = await Promise.all([
      queries.fetchQuery(keysQuery(LAST_KEY)),
      queries.fetchQuery(attentionQuery),
      queries.ensureQueryData(instanceQuery),
    ])
    const [key] = keys.data
    if (key === undefined) return ADMIN_PATHS.operations
    const isServing = setup.provider && setup.model && setup.group && setup.answered
    return isServing || (demo && key.last_used_at === null) ? PATHS.overview : ADMIN_PATHS.operations
  } catch {
    // Whatever is wrong, the overview says it.
    return PATHS.overview
  }
}
