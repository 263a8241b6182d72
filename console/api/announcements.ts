import type { QueryClient } from '@tanstack/react-query'
import type { AnnouncementView } from '../../src/contract/announcements.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { post, read } from './request.ts'

const RENEWED_MS = 60_000

/** What the admins announce to the account now, newest first. */
export const announcementsQuery = read<Page<AnnouncementView>>(['announcements'], '/api/announcements', {
  staleTime: RENEWED_MS,
  refetchInterval: RENEWED_MS,
})

/** Takes an announcement away at once, and for good when the server has it. */
export async function dismissAnnouncement(client: QueryClient, id: string): Promise<void> {
  client.setQueryData(announcementsQuery.queryKey, (page) =>
    page === undefined ? page : { ...page, data: page.data.filter((each) => each.id !== id) },
  )
  try {
    await noteSeen(id)
  } catch {
    await client.invalidateQueries({ queryKey: announcementsQuery.queryKey })
  }
}

/** The server does not give it again; what is shown stays. */
export const noteSeen = (id: string) => post<void>(`/api/announcements/${id}/dismiss`, {})
