import type { VisitsView } from '../../src/contract/see-as.ts'
import { apiPath, read, remove } from './request.ts'
import { forgetSeeing } from './seeing.ts'
import { atSite } from '../site.ts'

/** When admins saw the own account as its owner does. */
export const visitsQuery = read<VisitsView>(['me', 'visits'], '/api/me/visits', { staleTime: 600_000 })

/** The admin is again who they are; that it ended is written down. */
export async function endSeeing(): Promise<void> {
  const before = forgetSeeing()
  if (before === null) return
  // What was seen ends here in any case: the audit has the end of its time.
  await remove(apiPath`/api/accounts/${before.accountId}/see-as`).catch(() => {})
  location.assign(atSite(`/console/admin/accounts/${encodeURIComponent(before.accountId)}`))
}
