import { z } from '@hono/zod-openapi'
import { BOUNDS } from '../../core/bounds.ts'
import { type Role, ROLES } from '../../core/roles.ts'
import { listOf, PLAIN_NAME, textOf } from '../wire-values.ts'
import { type FieldType, MOMENT, plainType, wordType } from './field-types.ts'
import { field, optional } from './object-fields.ts'

const { title: ofTitle, text: ofText, groups: ofGroups } = BOUNDS.announcement
const line = z.string().trim().min(ofTitle.least).max(ofTitle.most).regex(PLAIN_NAME, 'must be one line')
const text = z.string().trim().max(ofText.most)

type ToOthers = { to: 'all' } | { to: 'staff' } | { to: 'signed_out' } | { to: 'role'; role: Role }
type AudienceOnWire = ToOthers | { to: 'groups'; groups: string[] }
type AudienceHeld = Readonly<ToOthers> | { readonly to: 'groups'; readonly groupIds: readonly string[] }

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

const AUDIENCE: FieldType<AudienceOnWire, AudienceHeld> = {
  shown: audience,
  sent: audience,
  read: (sent) => (sent.to === 'groups' ? { to: sent.to, groupIds: sent.groups } : sent),
  write: (held) => (held.to === 'groups' ? { to: held.to, groups: [...held.groupIds] } : held),
}

const kind = wordType(['notice', 'maintenance'])
const shows = wordType(['once', 'until_dismissed'])

/** The fields of an announcement, which the API writes with the names of its groups. */
export const ANNOUNCEMENT = {
  kind: field('kind', kind, {
    default: 'notice',
    shown: kind.shown.describe(
      '`maintenance` to all is said in answers of the gateway with 503 as well, while it lasts',
    ),
  }),
  level: field('level', wordType(['info', 'warning', 'critical']), { default: 'info' }),
  title: field('title', plainType(z.object({ en: line, 'zh-CN': line }))),
  /** May be empty. */
  text: field('text', plainType(z.object({ en: text, 'zh-CN': text })), { default: { en: '', 'zh-CN': '' } }),
  audience: field('audience', AUDIENCE, { default: { to: 'all' } }),
  shows: field('shows', shows, {
    default: 'until_dismissed',
    shown: shows.shown.describe('`once`: it is gone when it was seen'),
  }),
  starts_at: field('startsAt', MOMENT),
  /** null: it has no end. */
  ends_at: optional('endsAt', MOMENT),
}
