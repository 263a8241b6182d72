import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../src/contract/overview.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { Section } from '../../ui/section.tsx'
import { SubscriptionCard } from '../billing/subscription-card.tsx'

/** How full the windows of the running subscriptions are. Nothing where none runs. */
export function OverviewSubscriptions({ subscriptions }: Pick<Overview, 'subscriptions'>): ReactNode {
  const t = useTexts('overview').subscriptions
  if (subscriptions.length === 0) return null
  return (
    <Section
      title={t.title}
      actions={
        <Link to={PATHS.billing} className="text-sm text-accent hover:underline">
          {t.all}
        </Link>
      }
    >
      <ul className="grid gap-3">
        {subscriptions.map((each) => (
          <SubscriptionCard key={each.id} subscription={each} />
        ))}
      </ul>
    </Section>
  )
}
