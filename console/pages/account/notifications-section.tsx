import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AlertView } from '../../../src/contract/administration.ts'
import type { Me } from '../../../src/contract/me.ts'
import { alertsQuery } from '../../api/alerts.ts'
import { accountDictionary } from '../../dictionaries/account.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { hasNoRows, QueryView } from '../../ui/query-view.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useChangeMe } from './use-change-me.ts'

export function NotificationsSection({ me }: { readonly me: Me }): ReactNode {
  const t = accountDictionary.useTexts().notifications
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
  const t = accountDictionary.useTexts().notifications
  const format = useFormat()
  const reached = alert.percent === null ? null : t.reached(format.percent(alert.percent / 100))
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <div className="font-medium">
          {t.kind[alert.kind]} · {alert.subject_name}
        </div>
        <div className="text-sm text-ink-3">
          {[reached, t.ofLimit(format.money(alert.used), format.money(alert.limit))].filter(Boolean).join(' · ')}
        </div>
      </div>
      {alert.deliveries.map((delivery) => {
        const state = delivery.failed ? 'failed' : delivery.delivered_at === null ? 'waiting' : 'delivered'
        const tone = { failed: 'bad', waiting: 'warn', delivered: 'good' } as const
        return (
          <Badge key={delivery.way} tone={tone[state]}>
            {t.ways[delivery.way]} · {t[state]}
          </Badge>
        )
      })}
      <span className="text-sm text-ink-3">
        <RelativeTime time={alert.created_at} />
      </span>
    </li>
  )
}
