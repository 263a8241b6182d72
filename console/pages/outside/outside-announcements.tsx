import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PublicAnnouncement } from '../../../src/contract/announcements.ts'
import { request } from '../../api/request.ts'
import { AnnouncementNotice } from '../../shell/announcements.tsx'

const announcedOutsideQuery = queryOptions({
  queryKey: ['announcements', 'outside'],
  queryFn: ({ signal }) => request<{ data: readonly PublicAnnouncement[] }>('/api/public/announcements', { signal }),
})

/** What is announced to those who are not signed in. Where it cannot be read, nothing is. */
export default function OutsideAnnouncements(): ReactNode {
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
