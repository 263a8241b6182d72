import { ApiProblem } from './api/api-problem.ts'
import { NotLoaded } from './loaded-once.ts'

/**
 * Reports what broke in a part of the page. What could not be fetched is said on the page, and is fetched again; and where
 * the session has ended, the page to sign in is on its way.
 */
export function reportBroken(error: unknown): void {
  if (error instanceof NotLoaded || (error instanceof ApiProblem && error.status === 401)) return
  reportError(error)
}
