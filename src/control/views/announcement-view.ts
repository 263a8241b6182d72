import { type Announcement, runsAt } from '../../access/announcement.ts'
import type { AnnouncementView } from '../../contract/announcements.ts'
import { versionOf } from '../api/version.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

/** An announcement as it is read at `nowMs`. A group that was deleted since is named by its id. */
export function announcementView(
  announcement: Announcement,
  groupName: (id: string) => string,
  nowMs: number,
): AnnouncementView {
  const { id, createdAt, startsAt } = announcement
  const state = runsAt(announcement, nowMs) ? 'running' : nowMs < startsAt ? 'scheduled' : 'over'
  const settings = announcementSettings(announcement, groupName)
  return { id, version: versionOf(settings), created_at: timeOnWire(createdAt), ...settings, state }
}

/** What admins set of it, as it is audited. */
export function announcementSettings(
  { kind, level, title, text, audience, shows, startsAt, endsAt }: Announcement,
  groupName: (id: string) => string,
) {
  return {
    kind,
    level,
    title,
    text,
    audience: audience.to === 'groups' ? { to: audience.to, groups: audience.groupIds.map(groupName) } : audience,
    shows,
    starts_at: timeOnWire(startsAt),
    ends_at: timeOrNull(endsAt),
  }
}
