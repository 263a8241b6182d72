import { type Announcement, runsAt } from '../../access/announcement.ts'
import type { AnnouncementView } from '../../contract/announcements.ts'
import { ANNOUNCEMENT } from '../../contract/objects/announcement.ts'
import { writtenOf } from '../../contract/objects/object-fields.ts'
import { versionOf } from '../api/version.ts'
import { timeOnWire } from '../api/wire-forms.ts'

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

/** What admins set of an announcement, as it is audited. */
export function announcementSettings(announcement: Announcement, groupName: (id: string) => string) {
  const { audience } = announcement
  const named = audience.to === 'groups' ? { ...audience, groupIds: audience.groupIds.map(groupName) } : audience
  return writtenOf(ANNOUNCEMENT, { ...announcement, audience: named })
}
