import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../core/bounds.ts'
import { ROLES } from '../core/roles.ts'
import { listOf, PLAIN_NAME, pageQuery, textOf, time, version } from './wire-values.ts'

const { title: ofTitle, text: ofText, groups: ofGroups } = BOUNDS.announcement
const line = z.string().trim().min(ofTitle.least).max(ofTitle.most).regex(PLAIN_NAME, 'must be one line')
const text = z.string().trim().max(ofText.most)

const audience = z
  .discriminatedUnion('to', [
    z.object({ to: z.literal('all') }),
    z.object({ to: z.literal('staff') }),
    z.object({ to: z.literal('signed_out') }),
    z.object({ to: z.literal('role'), role: z.enum(ROLES) }),
    z.object({ to: z.literal('groups'), groups: listOf(textOf(BOUNDS.group.name), ofGroups) }),
  ])
  .describe(
    '`all`: all accounts. `staff`: those with another role than `user`. `groups`: accounts that have a key in one of them, or a running subscription to one. `signed_out`: no account, but the page to sign in on and the public pages',
  )

const kind = z.enum(['notice', 'maintenance'])
const level = z.enum(['info', 'warning', 'critical'])
const shows = z.enum(['once', 'until_dismissed'])
const title = z.object({ en: line, 'zh-CN': line })
const texts = z.object({ en: text, 'zh-CN': text })

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
    kind: kind.describe('`maintenance` to all is said in answers of the gateway with 503 as well, while it lasts'),
    level,
    title,
    /** May be empty. */
    text: texts,
    audience,
    shows: shows.describe('`once`: it is gone when it was seen'),
    starts_at: time,
    /** null: it has no end. */
    ends_at: time.nullable(),
    state: z.enum(['scheduled', 'running', 'over']),
  })
  .openapi('Announcement')

/** `GET /api/public/announcements` */
export const publicAnnouncements = z
  .object({
    data: z.array(announcement.pick({ id: true, kind: true, level: true, title: true, text: true, ends_at: true })),
  })
  .openapi('PublicAnnouncements')

/** `POST /api/announcements` */
export const announcementCreate = z
  .object({
    kind: kind.default('notice'),
    level: level.default('info'),
    title,
    text: texts.default({ en: '', 'zh-CN': '' }),
    audience: audience.default({ to: 'all' }),
    shows: shows.default('until_dismissed'),
    /** Left out: now. */
    starts_at: time.optional(),
    ends_at: time.nullable().default(null),
  })
  .strict()

/** `PATCH /api/announcements/{id}`: what is left out stays. */
export const announcementPatch = z
  .object({
    kind: kind.optional(),
    level: level.optional(),
    title: title.optional(),
    text: texts.optional(),
    audience: audience.optional(),
    shows: shows.optional(),
    starts_at: time.optional(),
    ends_at: time.nullable().optional(),
  })
  .strict()

export type PublicAnnouncement = z.output<typeof publicAnnouncements>['data'][number]
export type AnnouncementView = z.output<typeof announcement>
