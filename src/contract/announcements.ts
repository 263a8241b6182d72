import { z } from '@hono/zod-openapi'
import { ANNOUNCEMENT } from './objects/announcement.ts'
import { createShape, patchShape, shownShape } from './objects/object-fields.ts'
import { pageQuery, time, version } from './wire-values.ts'

/** `GET /api/announcements`: those that run now and are for the reader, or all of them, for admins. */
export const announcementsQuery = pageQuery.extend({
  /** `all`: also those of others, past, and to come. Admins only. */
  which: z.enum(['mine', 'all']).default('mine'),
})

/** What admins say to the people who use this gateway. */
export const announcement = z
  .object({
    id: z.string(),
    version,
    created_at: time,
    ...shownShape(ANNOUNCEMENT),
    state: z.enum(['scheduled', 'running', 'over']),
  })
  .openapi('Announcement')

/** `GET /api/public/announcements` */
export const publicAnnouncements = z
  .object({
    data: z.array(announcement.pick({ id: true, kind: true, level: true, title: true, text: true, ends_at: true })),
  })
  .openapi('PublicAnnouncements')

/** `POST /api/announcements`. Without `starts_at` it starts now. */
export const announcementCreate = z.object({ ...createShape(ANNOUNCEMENT), starts_at: time.optional() }).strict()

/** `PATCH /api/announcements/{id}`: what is left out stays. */
export const announcementPatch = z.object(patchShape(ANNOUNCEMENT)).strict()

export type PublicAnnouncement = z.output<typeof publicAnnouncements>['data'][number]
export type AnnouncementView = z.output<typeof announcement>
