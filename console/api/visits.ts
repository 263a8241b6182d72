import { queryOptions } from '@tanstack/react-query'
import type { VisitsView } from '../../src/contract/see-as.ts'
import { read, remove } from './request.ts'
import { forgetSeeing } from './seeing.ts'
import { atSite } from '../site.ts'

/** When admins saw the own account as its owner does. */
export const visitsQuery = queryOptions({
  ...read<VisitsView>(['me', 'visits'], '/api/me/visits'),
  staleTime: 600_000,
})

/** The admin is again who they are; that it ended is written down. */
export async function endSeeing(): Promise<void> {
  const before = forgetSeeing()
  if (before === null) return
  const path = `/api/accounts/${encodeURIComponent(before.accountId)}`
  // What was seen ends here in any case: the audit has the end of its time.
  await remove(`${path}/see-as`).catch(() => {})
  location.assign(atSite(`/console/admin/accounts/${encodeURIComponent(before.accountId)}`))
}
