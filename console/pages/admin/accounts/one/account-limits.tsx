import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { accountLimitsQuery } from '../../../../api/accounts.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section } from '../../../../ui/section.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { isLimited, LimitMeters } from '../../../account/limits-section.tsx'
import { EditLimits } from './edit-limits.tsx'
import { OpenGroups } from './open-groups.tsx'
import { OwnMultipliers } from './own-multipliers.tsx'
import { RaiseLimits } from './raise-limits.tsx'

/** The limits that hold for an account and how they stand, and those that an admin sets on it. */
export default function AccountLimits({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('oneAccount').limits
  const report = useQuery(accountLimitsQuery(account.id))
  const mayChange = useMay('admin')
  return (
    <QueryView query={report} skeleton={<SkeletonLines count={6} />}>
      {(data) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Section title={t.standing}>
            {isLimited(data) ? <LimitMeters report={data} /> : <p className="text-ink-2">{t.none}</p>}
          </Section>
          {mayChange && !account.managed && !account.closed && (
            <>
              <RaiseLimits account={account} report={data} />
              <EditLimits key={account.version} account={account} report={data} />
            </>
          )}
          <OpenGroups key={`groups ${account.version}`} account={account} />
          <OwnMultipliers key={`multipliers ${account.version}`} account={account} />
        </div>
      )}
    </QueryView>
  )
}
