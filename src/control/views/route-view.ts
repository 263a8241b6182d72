import type { z } from '@hono/zod-openapi'
import type { routeStep } from '../../contract/usage.ts'
import { isAsked } from '../../core/route-reasons.ts'
import type { RouteStep } from '../../routing/route-trace.ts'

/** How the names of upstreams are shown: as they are to admins; to others as `upstream-1` and so on, in order of appearance. */
export function shownNames(isStaff: boolean): (name: string) => string {
  if (isStaff) return (name) => name
  const numbers = new Map<string, number>()
  return (name) => {
    const number = numbers.get(name) ?? numbers.size + 1
    numbers.set(name, number)
    return `upstream-${number}`
  }
}

/** One candidate of a request, as the API writes it. */
export function routeStepView(
  { name, reason, restSeconds, shadow = [] }: RouteStep,
  shownName: (name: string) => string,
): z.output<typeof routeStep> {
  return {
    upstream: shownName(name),
    decision: isAsked(reason) ? 'taken' : 'skipped',
    reason,
    rest_seconds: restSeconds,
    shadow: [...shadow],
  }
}
