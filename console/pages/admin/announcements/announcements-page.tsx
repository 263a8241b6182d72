import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { allAnnouncementsQuery } from '../../../api/announcement-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { announcementsDictionary } from '../../../dictionaries/announcements.ts'
import { usePreferences } from '../../../preferences.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { pageAt } from '../../../table/page-at.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useAnnouncementColumns } from './announcement-columns.tsx'
import type { AnnouncementStep } from './announcement-menu.tsx'

const AnnouncementDialogs = lazyPart(() => import('./announcement-dialogs.tsx'))

/** What is said to the people who use this gateway: now, later, and before. */
export default function AnnouncementsPage(): ReactNode {
  const t = announcementsDictionary.useTexts()
  const { language } = usePreferences()
  const table = useTableState({ filters: [], sort: { by: 'starts', order: 'desc' } })
  const announcements = useQuery(allAnnouncementsQuery)
  const [flat, open] = useFlatSearch()
  const { new: wanted, edit, copy, delete: deleted, ...others } = flat
  const onStep = (step: AnnouncementStep, { id }: AnnouncementView): void => open({ ...others, [step]: id })
  const columns = useAnnouncementColumns(onStep)
  const mayChange = useMay('admin')
  const words = table.search.toLowerCase()
  const rows = announcements.data?.data.filter(({ title, text }) =>
    [...Object.values(title), ...Object.values(text)].some((each) => each.toLowerCase().includes(words)),
  )
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => open({ ...others, new: 'announcement' })}>
              {t.new}
            </Button>
          )
        }
      />
      <DataTable
        name="announcements"
        label={t.title}
        columns={columns}
        state={table}
        page={{ ...announcements, data: rows && pageAt(rows, table.cursor) }}
        rowId={({ id }) => id}
        rowName={({ title }) => title[language]}
        {...(mayChange ? { onOpen: (each: AnnouncementView) => onStep('edit', each) } : {})}
        searchLabel={t.search}
        empty={
          <EmptyState icon="bell" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
      {mayChange && announcements.data !== undefined && (
        <AnnouncementDialogs
          announcements={announcements.data.data}
          wish={{ new: wanted, edit, copy, delete: deleted }}
          onClose={() => open(others)}
        />
      )}
    </>
  )
}
