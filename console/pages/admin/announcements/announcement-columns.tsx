import { useMemo } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { useMay } from '../../../api/use-may.ts'
import { type PageTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { usePreferences } from '../../../preferences.ts'
import type { Column } from '../../../table/column.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { AnnouncementStep } from './announcement-menu.tsx'

const AnnouncementMenu = lazyPart(() => import('./announcement-menu.tsx'))

const STATES: Readonly<Record<AnnouncementView['state'], Tone>> = {
  running: 'good',
  scheduled: 'accent',
  over: 'neutral',
}
const LEVELS: Readonly<Record<AnnouncementView['level'], Tone>> = { info: 'neutral', warning: 'warn', critical: 'bad' }

export function useAnnouncementColumns(
  onStep: (step: AnnouncementStep, announcement: AnnouncementView) => void,
): readonly Column<AnnouncementView>[] {
  const t = useTexts('announcements')
  const { roles } = useTexts('staff')
  const format = useFormat()
  const { language } = usePreferences()
  const mayChange = useMay('admin')
  return useMemo((): readonly Column<AnnouncementView>[] => {
    const actions: Column<AnnouncementView> = {
      id: 'actions',
      header: t.columns.actions,
      role: 'actions',
      width: 'w-14',
      cell: (each) => (
        <span className="flex justify-end">
          <Menu
            onNear={AnnouncementMenu.load}
            trigger={<IconButton icon="more" label={t.actionsOf(each.title[language])} />}
          >
            <AnnouncementMenu announcement={each} onStep={onStep} />
          </Menu>
        </span>
      ),
    }
    return [
      {
        id: 'title',
        header: t.columns.title,
        role: 'title',
        cell: ({ title }) => <CutName text={title[language]} className="max-w-72 2xl:max-w-md" />,
      },
      {
        id: 'state',
        header: t.columns.state,
        width: 'w-28',
        cell: ({ state }) => (
          <Badge tone={STATES[state]} hasDot>
            {t.states[state]}
          </Badge>
        ),
      },
      {
        id: 'level',
        header: t.columns.level,
        width: 'w-44',
        cell: ({ level, kind }) => (
          <span className="flex flex-wrap gap-1 max-lg:justify-end">
            <Badge tone={LEVELS[level]}>{t.levels[level]}</Badge>
            {kind === 'maintenance' && <Badge>{t.kinds.maintenance}</Badge>}
          </span>
        ),
      },
      {
        id: 'audience',
        header: t.columns.audience,
        width: 'w-44',
        cell: ({ audience }) => (
          <CutName text={audienceText(audience, t, roles)} className="max-w-40 max-lg:max-w-full" />
        ),
      },
      {
        id: 'from',
        header: t.columns.from,
        width: 'w-44',
        cell: ({ starts_at: at }) => <span className="whitespace-nowrap">{format.time(at)}</span>,
      },
      {
        id: 'until',
        header: t.columns.until,
        width: 'w-44',
        cell: ({ ends_at: at }) =>
          at === null ? (
            <span className="text-ink-3">{t.noEnd}</span>
          ) : (
            <span className="whitespace-nowrap">{format.time(at)}</span>
          ),
      },
      ...(mayChange ? [actions] : []),
    ]
  }, [t, roles, format, language, mayChange, onStep])
}

function audienceText(
  audience: AnnouncementView['audience'],
  t: PageTexts['announcements'],
  roles: PageTexts['staff']['roles'],
): string {
  if (audience.to === 'groups') return t.toGroups(audience.groups)
  return audience.to === 'role' ? t.toRole(roles[audience.role]) : t.audiences[audience.to]
}
