import { type Announcement, type Audience, runsAt } from '../../access/announcement.ts'
import { changesBetween } from '../../access/audit.ts'
import { type Group, groupNames } from '../../access/group.ts'
import {
  announcement,
  announcementCreate,
  announcementPatch,
  announcementsQuery,
  type AnnouncementView,
  publicAnnouncements,
} from '../../contract/announcements.ts'
import { ANNOUNCEMENT } from '../../contract/objects/announcement.ts'
import { objectOf, readChanged, readNew, writtenOf } from '../../contract/objects/object-fields.ts'
import { pageOf } from '../../contract/wire-values.ts'
import { ANNOUNCEMENTS_LIMIT } from '../../core/limits.ts'
import { ownAccount, requireRight } from '../who/actor.ts'
import { groupIdsOf } from '../accounts/account-groups.ts'
import { idAt, onePage } from '../api/paging.ts'
import { fieldProblem, notFound, Problem } from '../problem.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { deleteObject, editObject } from '../api/stored-changes.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'
import { versionOf } from '../api/version.ts'

const accountRoute = routesOf('Account')
const instanceRoute = routesOf('Instance')
const adminRoute = routesOf('Administration')

const listAnnouncements = accountRoute('get /api/announcements', {
  summary: 'List what the admins announce to you, newest first',
  description:
    'Those that run now, are for your account, and that you did not dismiss; for admins with `which=all`, all.',
  who: 'account',
  problems: ['account_needed', 'role_insufficient'],
  query: announcementsQuery,
  answer: pageOf(announcement),
  async handle(call, { store }) {
    const { which } = call.query
    if (which === 'all') {
      const detail = 'Your role may not list all announcements. Leave which out for your own.'
      requireRight(call.actor, 'staff', { detail, field: 'which' })
    }
    const read = async () => {
      if (which === 'all') return store.announcements.announcements()
      const { id: accountId, role } = ownAccount(call.actor)
      return store.announcements.runningFor({ accountId, role }, call.nowMs)
    }
    const [all, groups] = await Promise.all([read(), store.groups.groups()])
    const after = idAt(call.position)
    const rows = after === null ? all : all.filter(({ id }) => id < after)
    const page = onePage(rows, call, ({ id }) => [id])
    const nameOf = groupNames(groups)
    return {
      data: page.rows.map((each) => announcementView(each, nameOf, call.nowMs)),
      next_cursor: page.next_cursor,
    }
  },
})

const listForSignedOut = instanceRoute('get /api/public/announcements', {
  summary: 'List what is announced to those who are not signed in, newest first',
  who: 'anyone',
  answer: publicAnnouncements,
  async handle(call, { store }) {
    const running = await store.announcements.runningSignedOut(call.nowMs)
    return {
      data: running.map(({ id, kind, level, title, text, endsAt }) => {
        return { id, kind, level, title, text, ends_at: timeOrNull(endsAt) }
      }),
    }
  },
})

const createAnnouncement = adminRoute('post /api/announcements', {
  summary: 'Announce something',
  description:
    'To all accounts, to staff, to those of a role or with a key in a group, or to those who are not signed in. Running maintenance that is for all is also said in the gateway’s answers with 503.',
  who: 'admin',
  body: announcementCreate,
  answer: announcement,
  status: 201,
  problems: ['conflict'],
  example: {
    body: {
      kind: 'maintenance',
      level: 'warning',
      title: { en: 'A new database', 'zh-CN': '更换数据库' },
      starts_at: '2026-12-01T02:00:00Z',
      ends_at: '2026-12-01T03:00:00Z',
    },
  },
  async handle(call, { store, newId }) {
    const groups = await store.groups.groups()
    const { starts_at: startsAt = timeOnWire(call.nowMs) } = call.body
    const read = readNew(ANNOUNCEMENT, { ...call.body, starts_at: startsAt })
    const audience = withIds(read.audience, groups)
    const made = withSpan({
      id: newId('ann'),
      createdAt: call.nowMs,
      ...objectOf(ANNOUNCEMENT, { ...read, audience }),
    })
    const nameOf = groupNames(groups)
    const change = await call.change(async ({ announcements }, audit) => {
      const added = await announcements.addAnnouncement(made, ANNOUNCEMENTS_LIMIT)
      if (added === null) {
        throw new Problem(
          'conflict',
          `There are ${ANNOUNCEMENTS_LIMIT} announcements, the maximum: delete one that is over first.`,
        )
      }
      const changes = changesBetween({}, announcementSettings(made, nameOf))
      await audit({ action: 'announcement.create', subject: made.id, accountId: null, changes })
      return added
    })
    await call.reachNodes(change)
    return announcementView(made, nameOf, call.nowMs)
  },
})

const changeAnnouncement = adminRoute('patch /api/announcements/{id}', {
  summary: 'Change an announcement',
  description: 'Accounts that dismissed it are not shown it again.',
  who: 'admin',
  body: announcementPatch,
  answer: announcement,
  async handle(call, { store }) {
    const groups = await store.groups.groups()
    const nameOf = groupNames(groups)
    const patched = (before: Announcement): Announcement => {
      const read = readChanged(ANNOUNCEMENT, call.body, before)
      const audience = call.body.audience === undefined ? before.audience : withIds(read.audience, groups)
      const after = withSpan({ ...before, ...objectOf(ANNOUNCEMENT, { ...read, audience }) })
      call.requireVersion({
        before: announcementSettings(before, nameOf),
        after: announcementSettings(after, nameOf),
      })
      return after
    }
    const after = await editObject(call, 'announcement', {
      edit: ({ announcements }) => announcements.editAnnouncement(call.params.id, patched),
      noteOf(before, now) {
        const changes = changesBetween(announcementSettings(before, nameOf), announcementSettings(now, nameOf))
        return { action: 'announcement.update', subject: now.id, accountId: null, changes }
      },
    })
    return announcementView(after, nameOf, call.nowMs)
  },
})

const deleteAnnouncement = adminRoute('delete /api/announcements/{id}', {
  summary: 'Delete an announcement',
  description: 'To end one and keep it, give it an end.',
  who: 'admin',
  async handle(call, { store }) {
    const nameOf = groupNames(await store.groups.groups())
    await deleteObject(call, 'announcement', {
      delete: ({ announcements }) => announcements.deleteAnnouncement(call.params.id),
      settingsOf: (before) => announcementSettings(before, nameOf),
    })
  },
})

const dismissAnnouncement = accountRoute('post /api/announcements/{id}/dismiss', {
  summary: 'Do not show your account an announcement again',
  description: 'One that is not shown to you is not found, whether it is there or not.',
  who: 'account',
  problems: ['account_needed'],
  async handle(call, { store }) {
    const { id: accountId, role } = ownAccount(call.actor)
    const reader = { accountId, role }
    if (!(await store.announcements.dismissAnnouncement(call.params.id, reader, call.nowMs))) {
      throw notFound('announcement')
    }
  },
})

export const announcementRoutes: readonly ApiRoute[] = [
  listAnnouncements,
  listForSignedOut,
  createAnnouncement,
  changeAnnouncement,
  deleteAnnouncement,
  dismissAnnouncement,
]

function withSpan(announced: Announcement): Announcement {
  if (announced.endsAt === null || announced.endsAt > announced.startsAt) return announced
  throw fieldProblem('ends_at', 'ends_at must be after starts_at, or null for no end.')
}

/** Puts ids to the names of groups. */
function withIds(audience: Audience, groups: readonly Pick<Group, 'id' | 'name'>[]): Audience {
  if (audience.to !== 'groups') return audience
  return { to: 'groups', groupIds: groupIdsOf(audience.groupIds, groups, 'audience.groups') }
}

/** An announcement as it is read at `nowMs`. A group that was deleted since is named by its id. */
function announcementView(shown: Announcement, groupName: (id: string) => string, nowMs: number): AnnouncementView {
  const { id, createdAt, startsAt } = shown
  const state = runsAt(shown, nowMs) ? 'running' : nowMs < startsAt ? 'scheduled' : 'over'
  const settings = announcementSettings(shown, groupName)
  return { id, version: versionOf(settings), created_at: timeOnWire(createdAt), ...settings, state }
}

/** What admins set of an announcement, as it is audited. */
function announcementSettings(stored: Announcement, groupName: (id: string) => string) {
  const { audience } = stored
  const named = audience.to === 'groups' ? { ...audience, groupIds: audience.groupIds.map(groupName) } : audience
  return writtenOf(ANNOUNCEMENT, { ...stored, audience: named })
}
