import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PublicAnnouncement } from '../../../src/contract/announcements.ts'
import { request } from '../../api/request.ts'
import { withShellTexts } from '../../dictionaries/shell.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const announcedOutsideQuery = queryOptions({
  queryKey: ['announcements', 'outside'],
  queryFn: ({ signal }) => request<{ data: readonly PublicAnnouncement[] }>('/api/public/announcements', { signal }),
})

const AnnouncementNotice = lazyPart(
  withShellTexts(async () => ({ default: (await import('../../shell/announcements.tsx')).AnnouncementNotice })),
  null,
  { isForFew: true },
)

/** What is announced to those who are not signed in. Where it cannot be read, nothing is. */
export function OutsideAnnouncements(): ReactNode {
  const { data } = useQuery(announcedOutsideQuery)
  if (data === undefined || data.data.length === 0) return null
  return (
    <ul className="mb-4 grid gap-2 print:hidden">
      {data.data.map((each) => (
        <li key={each.id}>
          <AnnouncementNotice announcement={each} />
        </li>
      ))}
    </ul>
  )
}
