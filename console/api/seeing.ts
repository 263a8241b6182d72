import { atSite } from '../site.ts'

/**
 * The account whose console an admin sees in this tab as its owner does. The grant goes with every request to the API, so it stands
 * where a tab keeps what is its own; `first-paint.ts` reads it there as well. With each change the page is loaded anew,
 * so that nothing of the one is shown to the other.
 */
export interface Seeing {
  readonly accountId: string
  readonly grant: string
  readonly until: string
  /** The admin's own account. Left out by an earlier version. */
  readonly viewerId?: string
}

const NAME = 'tollgate.see-as'

let current: Seeing | null = remembered()

/** null: the reader sees what is their own. */
export function seeingNow(): Seeing | null {
  return current
}

/** Shows the account's own console in this tab. */
export function beginSeeing(seeing: Seeing): void {
  sessionStorage.setItem(NAME, JSON.stringify(seeing))
  location.assign(atSite('/console/overview'))
}

/** Makes the reader themselves again from the next request on; returns what they saw until now. */
export function forgetSeeing(): Seeing | null {
  const before = current
  current = null
  if (before !== null) sessionStorage.removeItem(NAME)
  return before
}

/** Back to the page of the account, as an admin. */
export function leaveSeeing(): void {
  const before = forgetSeeing()
  if (before !== null) location.assign(atSite(`/console/admin/accounts/${encodeURIComponent(before.accountId)}`))
}

/** A browser may forbid storage altogether, and something else may have written there. */
function remembered(): Seeing | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? 'null')
    return isSeeing(found) ? found : null
  } catch {
    return null
  }
}

function isSeeing(found: unknown): found is Seeing {
  if (typeof found !== 'object' || found === null) return false
  return ['accountId', 'grant', 'until'].every((name) => typeof Reflect.get(found, name) === 'string')
}
