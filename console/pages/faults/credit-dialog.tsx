import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { instanceQuery } from '../../api/instance.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { RedeemBox } from '../billing/redeem-card.tsx'
import { PATHS } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Redeems a code where a request found no money, with the ways to more of it. */
export default function CreditDialog({ onClose }: { onClose(): void }): ReactNode {
  const { redeem } = useTexts('billing')
  const t = useTexts('refusals').fix
  const topUp = useQuery(instanceQuery).data?.top_up_url ?? null
  return (
    <Dialog isOpen onClose={onClose} size="small" title={redeem.title} description={redeem.lead}>
      <div className="grid grid-cols-1 gap-4">
        <RedeemBox />
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          {topUp !== null && (
            <a href={topUp} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
              {t.buy}
              <Icon name="external" />
            </a>
          )}
          <Link to={PATHS.billing} className={buttonClass('quiet')}>
            {t.billing}
          </Link>
        </div>
      </div>
    </Dialog>
  )
}
