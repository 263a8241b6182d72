import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { incidentsQuery } from '../../../api/incidents.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import type { FlatSearch } from '../../../table/table-search.ts'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ChangeList } from './change-list.tsx'
import { IncidentList } from './incident-list.tsx'
import { IncidentTimeline } from './incident-timeline.tsx'

const SPANS = ['1', '7', '30'] as const
type SpanDays = (typeof SPANS)[number]

/** What did not work and what was changed, on one axis of time. */
export default function IncidentsPage(): ReactNode {
  const t = useTexts('incidents')
  const navigate = useNavigate()
  const flat: FlatSearch = useSearch({ strict: false })
  const days = SPANS.find((each) => each === flat['days']) ?? '7'
  const incidents = useQuery(incidentsQuery(Number(days)))
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} actions={<DownloadMenu path="/api/incidents" query={{ days }} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Segments<SpanDays>
          label={t.span}
          className="w-full sm:w-96"
          value={days}
          onValue={(next) => void navigate({ to: '.', search: next === '7' ? {} : { days: next }, resetScroll: false })}
          options={SPANS.map((value) => ({ value, label: t.spans[value] }))}
        />
        <QueryView query={incidents} skeleton={<Skeleton className="h-96 rounded-lg" />}>
          {(data) => (
            <>
              <Section title={t.timeline} lead={t.summary(data.data.length, data.changes.length)}>
                <IncidentTimeline view={data} />
              </Section>
              <IncidentList incidents={data.data} days={days} />
              <ChangeList changes={data.changes} />
            </>
          )}
        </QueryView>
      </div>
    </>
  )
}
