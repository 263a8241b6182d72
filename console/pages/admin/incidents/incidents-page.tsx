import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentsView, IncidentView } from '../../../../src/contract/incidents.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { incidentsQuery } from '../../../api/incidents.ts'
import { faultTextOf } from '../../../dictionaries/fault-text.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { sentenceOf } from '../../../differences/audit-sentence.ts'
import { ChangeList } from '../../../differences/change-list.tsx'
import { useFormat } from '../../../format/use-format.ts'
import type { FlatSearch } from '../../../table/table-search.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TodoItem } from '../operations/todo-item.tsx'
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
      <PageHeader title={t.title} actions={<DownloadMenu path="/api/incidents" query={{ days }} />} />
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
              <ChangesMade changes={data.changes} />
            </>
          )}
        </QueryView>
      </div>
    </>
  )
}

/** What is new has many fields; the audit has all of them. */
const VALUES_SHOWN = 4

/** What was changed in the span, as the audit has it. */
function ChangesMade({ changes }: { readonly changes: IncidentsView['changes'] }): ReactNode {
  const t = useTexts('incidents')
  const audit = useTexts('audit')
  const format = useFormat()
  return (
    <Section
      title={t.lanes.changes}
      lead={t.changesLead}
      actions={
        <Link to={ADMIN_PATHS.audit} className={buttonClass('secondary')}>
          {t.audit}
        </Link>
      }
    >
      {changes.length === 0 ? (
        <p className="text-ink-2">{t.noChanges}</p>
      ) : (
        <ul className="grid gap-3">
          {changes.map((each) => (
            <li key={each.id} className="border-l-2 border-accent pl-3">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium [overflow-wrap:anywhere]">{sentenceOf(audit, each)}</span>
                <span className="text-sm text-ink-3">
                  {t.by(each.actor_email ?? t.via[each.via], format.time(each.created_at))}
                </span>
              </p>
              <ChangeList entry={each} most={VALUES_SHOWN} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Each incident in words, with the ways to its requests and to the accounts that they are of. */
function IncidentList(props: { readonly incidents: readonly IncidentView[]; readonly days: string }): ReactNode {
  const t = useTexts('incidents')
  return (
    <Section title={t.lanes.incidents}>
      {props.incidents.length === 0 ? (
        <p className="flex flex-wrap items-center gap-x-2 text-ink-2">
          <Icon name="check" className="text-good" />
          <span className="font-medium text-ink">{t.none.title}</span>
          <span className="text-sm">{t.none.text}</span>
        </p>
      ) : (
        <ul>
          {props.incidents.map((each) => (
            <Incident
              key={`${each.kind} ${each.upstream} ${each.about} ${each.from}`}
              incident={each}
              days={props.days}
            />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Incident({ incident, days }: { readonly incident: IncidentView; readonly days: string }): ReactNode {
  const t = useTexts('incidents')
  const { forAdmins } = useTexts('billing').alerts
  const faults = useTexts('faults')
  const format = useFormat()
  const { kind, upstream, about, models, from, until, requests, failed, fault } = incident
  const title =
    kind === 'failures' ? (upstream === null ? t.beforeUpstream : t.atUpstream(upstream)) : forAdmins[kind](about ?? '')
  const span = { ...(days === '7' ? {} : { days }), ...(upstream === null ? {} : { upstream }) }
  const requestsOf = { by: 'model', and: 'fault', ...span }
  const accountsOf = { by: 'account', ...(fault === null ? { and: 'fault' } : { fault }), ...span }
  return (
    <TodoItem
      tone={until === null ? 'bad' : 'neutral'}
      title={title}
      aside={
        <>
          <span>{until === null ? t.since(format.time(from)) : t.between(format.time(from), format.time(until))}</span>
          {requests !== null && failed !== null && (
            <span>{t.failed(format.number(failed), format.number(requests))}</span>
          )}
        </>
      }
      {...(kind === 'failures'
        ? {
            action: (
              <div className="flex flex-wrap gap-2">
                <Link to={ADMIN_PATHS.requests} search={accountsOf} className={buttonClass('secondary')}>
                  {t.accounts}
                </Link>
                <Link to={ADMIN_PATHS.requests} search={requestsOf} className={buttonClass('secondary')}>
                  {t.requests}
                </Link>
              </div>
            ),
          }
        : {})}
    >
      {models.length > 0 && <p className="[overflow-wrap:anywhere]">{t.models(models)}</p>}
      {fault !== null && <p>{t.mostOf(faultTextOf(faults, fault)?.title ?? fault)}</p>}
    </TodoItem>
  )
}
