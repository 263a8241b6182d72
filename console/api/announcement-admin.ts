import type { AnnouncementView } from '../../src/contract/announcements.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { apiPath, patch, post, read, remove } from './request.ts'

/** The API's largest page, and as many as there may be. */
const MOST = 200

/** All of them, also those of others, past and to come. */
export const allAnnouncementsQuery = read<Page<AnnouncementView>>(['announcements', 'all'], '/api/announcements', {
  query: { which: 'all', limit: MOST },
})

/** What an admin sets of one; `starts_at` left out: now. */
export interface AnnouncementSettings extends Pick<
  AnnouncementView,
  'kind' | 'level' | 'title' | 'text' | 'audience' | 'shows' | 'ends_at'
> {
  readonly starts_at?: string
}

export const createAnnouncement = (body: AnnouncementSettings, idempotencyKey: string) =>
  post<AnnouncementView>('/api/announcements', body, idempotencyKey)

/** `version`: of the announcement as it was read. */
export const changeAnnouncement = (id: string, body: Partial<AnnouncementSettings>, version: string) =>
  patch<AnnouncementView>(apiPath`/api/announcements/${id}`, body, version)

export const deleteAnnouncement = (id: string) => remove(apiPath`/api/announcements/${id}`)
