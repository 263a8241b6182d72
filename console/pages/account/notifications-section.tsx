import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AlertView } from '../../../src/contract/administration.ts'
import type { Me } from '../../../src/contract/me.ts'
import { alertsQuery, hasAmounts } from '../../api/alerts.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { leftOf } from '../../format/money.ts'
import { useFormat, type Format } from '../../format/use-format.ts'
import { Deliveries } from '../../ui/deliveries.tsx'
import { Notice } from '../../ui/notice.tsx'
import { hasNoRows, QueryView } from '../../ui/query-view.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useChangeMe } from './use-change-me.ts'

export function NotificationsSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').notifications
  const { change, isPending } = useChangeMe()
  const alerts = useQuery(alertsQuery)
  const { mail, can_mail: canMail } = me.notifications
  return (
    <>
      <Section title={t.title} lead={t.lead}>
        <div className="grid gap-3">
          <Switch
            label={t.mail}
            hint={t.mailHint(me.email)}
            checked={mail && canMail}
            isDisabled={!canMail || isPending}
            onChecked={(isOn) => change({ notifications: { mail: isOn } })}
          />
          {!canMail && <Notice>{t.noMail}</Notice>}
        </div>
      </Section>
      <Section title={t.recent}>
        <QueryView
          query={alerts}
          skeleton={<SkeletonLines count={3} />}
          empty={{ is: hasNoRows, shown: <p className="text-ink-3">{t.none}</p> }}
        >
          {({ data }) => (
            <ul className="divide-y divide-line">
              {data.map((alert) => (
                <AlertRow key={alert.id} alert={alert} />
              ))}
            </ul>
          )}
        </QueryView>
      </Section>
    </>
  )
}

function AlertRow({ alert }: { readonly alert: AlertView }): ReactNode {
  const t = useTexts('account').notifications
  const format = useFormat()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <div className="font-medium">{joined(t.kind[alert.kind], alert.subject_name)}</div>
        <div className="text-sm text-ink-3">{amountText(alert, t, format)}</div>
      </div>
      <Deliveries deliveries={alert.deliveries} />
      <span className="text-sm text-ink-3">
        <RelativeTime time={alert.created_at} />
      </span>
    </li>
  )
}

/** What was left of a low balance. */
function amountText(alert: AlertView, t: PageTexts['account']['notifications'], format: Format): string {
  if (alert.ends_at !== null) return format.time(alert.ends_at)
  if (!hasAmounts(alert)) return ''
  if (alert.kind === 'low_balance') return t.left(format.money(leftOf(alert.limit, alert.used)))
  const reached = alert.percent === null ? '' : t.reached(format.percent(alert.percent / 100))
  return joined(reached, t.ofLimit(format.money(alert.used), format.money(alert.limit)))
}

/** A balance has no name of its own, and not every alert has a percentage. */
function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}
