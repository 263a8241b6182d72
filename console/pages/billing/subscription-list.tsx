import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SubscriptionView } from '../../../src/contract/billing.ts'
import type { Page } from '../../../src/contract/wire-values.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SubscriptionCard } from './subscription-card.tsx'

/** The subscriptions: those that run with their windows, those that are over folded away. */
export function SubscriptionList(props: { readonly subscriptions: UseQueryResult<Page<SubscriptionView>> }): ReactNode {
  const t = useTexts('billing')
  return (
    <Section title={t.subscriptions.title} lead={t.subscriptions.lead}>
      <QueryView query={props.subscriptions} skeleton={<Skeleton className="h-40 rounded-lg" />}>
        {({ data }) => <Subscriptions all={data} />}
      </QueryView>
    </Section>
  )
}

function Subscriptions({ all }: { readonly all: readonly SubscriptionView[] }): ReactNode {
  const t = useTexts('billing')
  const current = all.filter(({ status }) => status === 'running' || status === 'upcoming')
  const past = all.filter(({ status }) => status === 'ended' || status === 'cancelled')
  return (
    <div className="grid gap-3">
      {current.length === 0 && <p className="text-ink-2">{t.subscriptions.empty}</p>}
      {current.length > 0 && (
        <ul className="grid items-start gap-3 lg:grid-cols-2">
          {current.map((subscription) => (
            <SubscriptionCard key={subscription.id} subscription={subscription} />
          ))}
        </ul>
      )}
      {past.length > 0 && (
        <Disclosure title={t.subscriptions.past(past.length)}>
          <ul className="grid items-start gap-3 lg:grid-cols-2">
            {past.map((subscription) => (
              <SubscriptionCard key={subscription.id} subscription={subscription} />
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}
