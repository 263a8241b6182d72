import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import type { AnnouncementView, PublicAnnouncement } from '../../src/contract/announcements.ts'
import { announcementsQuery, dismissAnnouncement, noteSeen } from '../api/announcements.ts'
import { useShellTexts } from '../dictionaries/shell.ts'
import { useFormat } from '../format/use-format.ts'
import { usePreferences } from '../preferences.ts'
import type { Tone } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Notice } from '../ui/notice.tsx'

/** What the admins announce to the account: maintenance above every page, the rest on the overview. */
export default function Announcements({ kind }: { readonly kind: AnnouncementView['kind'] }): ReactNode {
  const client = useQueryClient()
  const { data } = useQuery(announcementsQuery)
  const shown = useKept((data?.data ?? []).filter((each) => each.kind === kind))
  if (shown.items.length === 0) return null
  return (
    <ul className="mb-4 grid gap-2 print:hidden">
      {shown.items.map((each) => (
        <li key={each.id}>
          <Announcement
            announcement={each}
            onDismiss={() => {
              shown.drop(each.id)
              void dismissAnnouncement(client, each.id)
            }}
          />
        </li>
      ))}
    </ul>
  )
}

function Announcement(props: { readonly announcement: AnnouncementView; onDismiss(): void }): ReactNode {
  const { id, title, shows } = props.announcement
  const { language } = usePreferences()
  const t = useShellTexts().announcements
  useEffect(() => {
    // What fails here is shown once more, another time.
    if (shows === 'once') noteSeen(id).catch(() => {})
  }, [id, shows])
  return (
    <AnnouncementNotice
      announcement={props.announcement}
      action={
        <IconButton icon="close" label={t.dismiss(title[language])} className="-my-1" onClick={props.onDismiss} />
      }
    />
  )
}

/** The announcements, with those to be seen once that were there before: what one is reading does not vanish. */
function useKept(current: readonly AnnouncementView[]): {
  readonly items: readonly AnnouncementView[]
  drop(id: string): void
} {
  const [seen, setSeen] = useState<readonly AnnouncementView[]>([])
  const once = current.filter(({ id, shows }) => shows === 'once' && !seen.some((each) => each.id === id))
  useEffect(() => {
    if (once.length > 0) setSeen([...seen, ...once])
  })
  const kept = seen.filter(({ id }) => !current.some((each) => each.id === id))
  return {
    items: [...current, ...kept],
    drop: (id) => setSeen(seen.filter((each) => each.id !== id)),
  }
}

/** What of an announcement its readers see. */
type ShownAnnouncement = Omit<PublicAnnouncement, 'id'>

const TONES: Readonly<Record<ShownAnnouncement['level'], Tone>> = { info: 'accent', warning: 'warn', critical: 'bad' }

/** One announcement in the reader's language, as it stands above a page. `action`: what takes it away. */
export function AnnouncementNotice(props: {
  readonly announcement: ShownAnnouncement
  readonly action?: ReactNode
}): ReactNode {
  const { kind, level, title, text, ends_at } = props.announcement
  const { language } = usePreferences()
  const t = useShellTexts().announcements
  const format = useFormat()
  const until = kind === 'maintenance' && ends_at !== null ? t.until(format.time(ends_at)) : null
  return (
    <Notice tone={TONES[level]}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">
            {kind === 'maintenance' ? t.maintenance(title[language]) : title[language]}
            {until !== null && <span className="font-normal text-ink-2"> {until}</span>}
          </p>
          {text[language] !== '' && <p className="whitespace-pre-line wrap-anywhere">{text[language]}</p>}
        </div>
        {props.action}
      </div>
    </Notice>
  )
}
