import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentView } from '../../../../src/contract/incidents.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { faultTextOf } from '../../../dictionaries/fault-text.ts'
import { useFormat } from '../../../format/use-format.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Section } from '../../../ui/section.tsx'
import { TodoItem } from '../operations/todo-item.tsx'

/** Each incident in words, with the ways to its requests and to the accounts that they are of. */
export function IncidentList(props: { readonly incidents: readonly IncidentView[]; readonly days: string }): ReactNode {
  const t = useTexts('incidents')
  return (
    <Section title={t.lanes.incidents}>
      {props.incidents.length === 0 ? (
        <EmptyState icon="check" title={t.none.title}>
          {t.none.text}
        </EmptyState>
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
