import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentsView } from '../../../../src/contract/incidents.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { changedValues, withMoments } from '../../../differences/changed-values.ts'

/** What is new has many fields; the audit has all of them. */
const VALUES_SHOWN = 4

/** What was changed in the span, as the audit has it. */
export function ChangeList({ changes }: { readonly changes: IncidentsView['changes'] }): ReactNode {
  const t = useTexts('incidents')
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
                <span className="font-medium">{each.action}</span>
                {each.subject !== null && (
                  <span className="font-mono text-sm [overflow-wrap:anywhere] text-ink-2">{each.subject}</span>
                )}
                <span className="text-sm text-ink-3">
                  {t.by(each.actor_email ?? t.via[each.via], format.time(each.created_at))}
                </span>
              </p>
              <Values entry={each} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Values({ entry }: { readonly entry: IncidentsView['changes'][number] }): ReactNode {
  const t = useTexts('incidents')
  const { nothing } = useTexts('audit')
  const format = useFormat()
  const values = changedValues(entry.changes, nothing, withMoments(format.second))
  return (
    <ul className="text-sm text-ink-2">
      {values.slice(0, VALUES_SHOWN).map(({ field, before, after }) => (
        <li key={field} className="[overflow-wrap:anywhere]">
          <span className="text-ink-3">{field}</span> {before !== null && `${before} → `}
          {after}
        </li>
      ))}
      {values.length > VALUES_SHOWN && <li className="text-ink-3">{t.more(values.length - VALUES_SHOWN)}</li>}
    </ul>
  )
}
