import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PublicStatus } from '../../../src/contract/public-pages.ts'
import { instanceQuery } from '../../api/instance.ts'
import { publicStatusQuery } from '../../api/public-pages.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { usePreferences } from '../../preferences.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { hasNoRows, QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { Segments } from '../../ui/segments.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { ModelStatus, shareText, type StatusSpan, TONES } from './model-status.tsx'
import { PublicFrame } from './public-frame.tsx'

/** How well each model was served, to those who need not sign in. */
export default function StatusPage(): ReactNode {
  const t = useTexts('public').status
  return (
    <PublicFrame page="status" title={t.title} lead={t.lead}>
      <Status />
    </PublicFrame>
  )
}

function Status(): ReactNode {
  const t = useTexts('public').status
  const { data: instance } = useQuery(instanceQuery)
  const status = useQuery({ ...publicStatusQuery, enabled: instance?.public_pages.status === true })
  const empty = (
    <EmptyState icon="models" title={t.empty.title}>
      {t.empty.text}
    </EmptyState>
  )
  return (
    <QueryView query={status} skeleton={<PageSkeleton />} empty={{ is: hasNoRows, shown: empty }}>
      {(data) => <Shown status={data} />}
    </QueryView>
  )
}

function Shown({ status }: { readonly status: PublicStatus }): ReactNode {
  const t = useTexts('public').status
  const format = useFormat()
  const [span, setSpan] = useState<StatusSpan>('hours')
  const standing = worstOf(status.data)
  const known = status.data.filter(({ now }) => now !== null).length
  const isPartlyKnown = standing === 'healthy' && known < status.data.length
  const standingText = isPartlyKnown
    ? t.someGood(format.number(known), format.number(status.data.length))
    : standing === null
      ? t.allUnknown
      : t.all[standing]
  return (
    <div className="grid gap-6">
      <Notice tone={standing === null ? 'neutral' : TONES[standing]}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="font-medium">{standingText}</p>
          <p className="text-sm text-ink-2">{t.lookedAt(format.time(status.looked_at))}</p>
        </div>
      </Notice>
      <div className="flex justify-end">
        <Segments<StatusSpan>
          label={t.span}
          className="w-full sm:w-60"
          value={span}
          onValue={setSpan}
          options={(['hours', 'days'] as const).map((value) => ({ value, label: t.spans[value] }))}
        />
      </div>
      <ul className="grid gap-3">
        {status.data.map((each) => (
          <ModelStatus key={each.model} of={each} status={status} span={span} />
        ))}
      </ul>
      <Incidents data={status.data} />
      <p className="text-sm text-ink-3">{t.steps}</p>
    </div>
  )
}

/** null: nothing is known of any. */
function worstOf(data: PublicStatus['data']): 'healthy' | 'degraded' | 'failing' | null {
  return (['failing', 'degraded', 'healthy'] as const).find((each) => data.some(({ now }) => now === each)) ?? null
}

function Incidents({ data }: { readonly data: PublicStatus['data'] }): ReactNode {
  const t = useTexts('public').status
  const format = useFormat()
  const { language } = usePreferences()
  const incidents = data
    .flatMap(({ model, incidents: ofModel }) => ofModel.map((each) => ({ model, ...each })))
    .sort((a, b) => (a.from < b.from ? 1 : -1))
  return (
    <Section title={t.incidents}>
      {incidents.length === 0 ? (
        <p className="text-ink-2">{t.noIncidents}</p>
      ) : (
        <ul className="grid gap-3">
          {incidents.map(({ model, from, until, available }) => (
            <li key={`${model} ${from}`} className="border-l-2 border-bad pl-3">
              <p className="font-medium [overflow-wrap:anywhere]">
                {t.incident(model, shareText(available ?? 0, language))}
              </p>
              <p className="text-sm text-ink-2">
                {until === null ? t.since(format.time(from)) : t.from(format.time(from), format.time(until))}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
