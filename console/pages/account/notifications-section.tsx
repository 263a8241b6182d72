import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import type { AlertView } from '../../../src/contract/administration.ts'
import type { Me } from '../../../src/contract/me.ts'
import { alertsQuery, hasAmounts } from '../../api/alerts.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { leftOf } from '../../format/money.ts'
import { useFormat, type Format } from '../../format/use-format.ts'
import { alertText } from '../../shell/notices/notice-text.ts'
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
            // The sentences are those of the bell, which few have opened before.
            <Suspense fallback={<SkeletonLines count={3} />}>
              <ul className="divide-y divide-line">
                {data.map((alert) => (
                  <AlertRow key={alert.id} alert={alert} />
                ))}
              </ul>
            </Suspense>
          )}
        </QueryView>
      </Section>
    </>
  )
}

/** What happened in a sentence, when, and how it was sent. */
function AlertRow({ alert }: { readonly alert: AlertView }): ReactNode {
  const t = useTexts('billing')
  const format = useFormat()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p>{alertText(alert, t, format)}</p>
        <p className="text-sm text-ink-3">
          <RelativeTime time={alert.created_at} />
          {!hasAmounts(alert) ? '' : ` · ${amountText(alert, t, format)}`}
        </p>
      </div>
      <Deliveries deliveries={alert.deliveries} />
    </li>
  )
}

/** What was left of a low balance. */
function amountText(alert: AlertView, t: PageTexts['billing'], format: Format): string {
  if (alert.kind === 'low_balance') return t.alerts.left(format.money(leftOf(alert.limit, alert.used)))
  return t.alerts.of(format.money(alert.used), format.money(alert.limit))
}
