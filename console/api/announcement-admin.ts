import type { AnnouncementView } from '../../src/contract/announcements.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { patch, post, read, remove } from './request.ts'

/** The API's largest page, and as many as there may be. */
const MOST = 200

/** All of them, also those of others, past and to come. */
export const allAnnouncementsQuery = read<Page<AnnouncementView>>(['announcements', 'all'], '/api/announcements', {
  which: 'all',
  limit: MOST,
})

/** What an admin sets of one; `starts_at` left out: now. */
export interface AnnouncementSettings extends Pick<
  AnnouncementView,
  'kind' | 'level' | 'title' | 'text' | 'audience' | 'shows' | 'ends_at'
> {
  readonly starts_at?: string
}

const pathOf = (id: string): string => `/api/announcements/${encodeURIComponent(id)}`

export function createAnnouncement(body: AnnouncementSettings, idempotencyKey: string): Promise<AnnouncementView> {
  return post('/api/announcements', body, idempotencyKey)
}

/** `version`: of the announcement as it was read. */
export function changeAnnouncement(
  id: string,
  body: Partial<AnnouncementSettings>,
  version: string,
): Promise<AnnouncementView> {
  return patch(pathOf(id), body, version)
}

export function deleteAnnouncement(id: string): Promise<void> {
  return remove(pathOf(id))
}
