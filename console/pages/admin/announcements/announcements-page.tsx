import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { allAnnouncementsQuery, changeAnnouncement } from '../../../api/announcement-admin.ts'
import { type PageTexts, useTexts } from '../../../dictionaries/texts.ts'
import { timeText } from '../../../format/local-time.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import type { Column } from '../../../table/column.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { ResourcePage } from '../kit/resource-page.tsx'
import { useChange } from '../../../forms/use-change.ts'

const AnnouncementDialogs = lazyPart(() => import('./announcement-dialogs.tsx'))

/** What is said to the people who use this gateway: now, later, and before. */
export default function AnnouncementsPage(): ReactNode {
  const t = useTexts('announcements')
  const { language } = usePreferences()
  const announcements = useQuery(allAnnouncementsQuery)
  // One that ends stays in the list, and can be given another end.
  const end = useChange({
    send: (item: AnnouncementView) => {
      const endsMs = Math.max(Date.now(), Date.parse(item.starts_at) + 1)
      return changeAnnouncement(item.id, { ends_at: timeText(endsMs) }, item.version)
    },
    done: ({ title }) => t.ended(title[language]),
    refreshes: ['announcements'],
  })
  return (
    <ResourcePage
      name="announcements"
      icon="bell"
      texts={t}
      kind="announcement"
      right="admin"
      query={announcements}
      items={announcements.data?.data}
      nameOf={({ title }) => title[language]}
      searched={({ title, text }) => [...Object.values(title), ...Object.values(text)]}
      columns={useAnnouncementColumns()}
      sort={{ by: 'starts', order: 'desc' }}
      menu={{
        texts: t,
        rows: (item) => [
          { icon: 'edit', text: t.edit, step: 'edit' },
          { icon: 'copy', text: t.duplicate, step: 'copy' },
          item.state === 'running' && { icon: 'pause', text: t.endNow, onSelect: () => end.mutate(item) },
          { icon: 'trash', text: t.delete, step: 'delete', isDangerous: true },
        ],
      }}
      steps={['edit', 'copy', 'delete']}
      dialog={(asked, onClose) => <AnnouncementDialogs asked={asked} onClose={onClose} />}
    />
  )
}

const STATES: Readonly<Record<AnnouncementView['state'], Tone>> = {
  running: 'good',
  scheduled: 'accent',
  over: 'neutral',
}
const LEVELS: Readonly<Record<AnnouncementView['level'], Tone>> = { info: 'neutral', warning: 'warn', critical: 'bad' }

/** What is listed of each announcement. */
function useAnnouncementColumns(): readonly Column<AnnouncementView>[] {
  const t = useTexts('announcements')
  const { roles } = useTexts('staff')
  const format = useFormat()
  const { language } = usePreferences()
  return useMemo(
    () =>
      columnsOf<AnnouncementView, keyof typeof t.columns>(t.columns, {
        title: {
          role: 'title',
          cell: ({ title }) => <CutName text={title[language]} className="max-w-72 2xl:max-w-md" />,
        },
        state: {
          width: 'w-28',
          onPhone: 'state',
          cell: ({ state }) => (
            <Badge tone={STATES[state]} hasDot>
              {t.states[state]}
            </Badge>
          ),
        },
        level: {
          width: 'w-44',
          cell: ({ level, kind }) => (
            <span className="flex flex-wrap gap-1 max-lg:justify-end">
              <Badge tone={LEVELS[level]}>{t.levels[level]}</Badge>
              {kind === 'maintenance' && <Badge>{t.kinds.maintenance}</Badge>}
            </span>
          ),
        },
        audience: {
          width: 'w-44',
          onPhone: 'plain',
          cell: ({ audience }) => (
            <CutName text={audienceText(audience, t, roles)} className="max-w-40 max-lg:max-w-full" />
          ),
        },
        from: {
          width: 'w-44',
          onPhone: 'figure',
          cell: ({ starts_at: at }) => <span className="whitespace-nowrap">{format.time(at)}</span>,
        },
        until: {
          width: 'w-44',
          cell: ({ ends_at: at }) =>
            at === null ? (
              <span className="text-ink-3">{t.noEnd}</span>
            ) : (
              <span className="whitespace-nowrap">{format.time(at)}</span>
            ),
        },
      }),
    [t, roles, format, language],
  )
}

function audienceText(
  audience: AnnouncementView['audience'],
  t: PageTexts['announcements'],
  roles: PageTexts['staff']['roles'],
): string {
  if (audience.to === 'groups') return t.toGroups(audience.groups)
  return audience.to === 'role' ? t.toRole(roles[audience.role]) : t.audiences[audience.to]
}
