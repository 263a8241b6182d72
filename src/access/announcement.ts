import type { DeleteAnswer, EditAnswer } from '../core/stored-edits.ts'
import type { Account } from './account.ts'
import type { Change } from './changes.ts'

/** What admins say to the people who use this gateway. */
export interface Announcement {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** `maintenance` to all is said in answers with 503 as well, while it lasts. */
  readonly kind: 'notice' | 'maintenance'
  readonly level: 'info' | 'warning' | 'critical'
  readonly title: InBothLanguages
  /** May be empty: the title says it all. */
  readonly text: InBothLanguages
  readonly audience: Audience
  /** `once`: it is gone when it was seen. */
  readonly shows: 'once' | 'until_dismissed'
  /** Epoch milliseconds. */
  readonly startsAt: number
  /** Epoch milliseconds; null: it has no end. */
  readonly endsAt: number | null
}

export type InBothLanguages = Readonly<Record<'en' | 'zh-CN', string>>

/**
 * `staff`: every role but `user`. `groups`: accounts that have a key in one of them, or a running subscription to one.
 * `signed_out`: no account, but the page to sign in on and the public pages.
 */
export type Audience =
  | { readonly to: 'all' }
  | { readonly to: 'staff' }
  | { readonly to: 'signed_out' }
  | { readonly to: 'role'; readonly role: Account['role'] }
  | { readonly to: 'groups'; readonly groupIds: readonly string[] }

export interface AnnouncementReader {
  readonly accountId: string
  readonly role: Account['role']
}

export interface AnnouncementStore {
  /** All, newest first; at most `ANNOUNCEMENTS_LIMIT`. */
  announcements(): Promise<readonly Announcement[]>
  /** Announcements that run at `nowMs`, are for the account, and that it did not dismiss; newest first. */
  runningFor(reader: AnnouncementReader, nowMs: number): Promise<readonly Announcement[]>
  /** Announcements that run at `nowMs` and are for visitors who are not signed in; newest first. */
  runningSignedOut(nowMs: number): Promise<readonly Announcement[]>
  /** null: there are `limit` already. */
  addAnnouncement(announcement: Announcement, limit: number): Promise<Change | null>
  /** `edit` gets it as it is, locked. */
  editAnnouncement(id: string, edit: (before: Announcement) => Announcement): Promise<EditAnswer<Announcement>>
  deleteAnnouncement(id: string): Promise<DeleteAnswer<Announcement>>
  /** The account is not shown it again. false: none of this id runs for the account, and it dismissed none. */
  dismissAnnouncement(id: string, reader: AnnouncementReader, nowMs: number): Promise<boolean>
}

/** Maintenance that a gateway names while it refuses requests with 503. */
export interface SaidMaintenance {
  /** Epoch milliseconds. */
  readonly startsAt: number
  /** Epoch milliseconds; null: it is not known. */
  readonly endsAt: number | null
  readonly title: string
  readonly text: string
}

/** What of the announcements is said in answers with 503, in English as all of them are: maintenance that is for all. */
export function maintenanceOf(announcements: readonly Announcement[]): readonly SaidMaintenance[] {
  return announcements
    .filter(({ kind, audience }) => kind === 'maintenance' && audience.to === 'all')
    .map(({ startsAt, endsAt, title, text }) => ({ startsAt, endsAt, title: title.en, text: text.en }))
}

/** The sentence to add to a 503 at `nowMs`; null: no maintenance runs. */
export function maintenanceSentence(maintenance: readonly SaidMaintenance[], nowMs: number): string | null {
  const now = maintenance.find((each) => runsAt(each, nowMs))
  if (now === undefined) return null
  const until =
    now.endsAt === null ? '' : ` until ${new Date(now.endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return [`Maintenance${until}: ${now.title}`, now.text].filter((part) => part !== '').join('. ')
}

/** Whether it is said at `nowMs`: from its start until before its end. */
export function runsAt(
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number | null },
  nowMs: number,
): boolean {
  return startsAt <= nowMs && (endsAt === null || nowMs < endsAt)
}
