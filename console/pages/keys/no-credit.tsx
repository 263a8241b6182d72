import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useNeedsCredit } from '../../api/use-needs-credit.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Says that keys are of no use while nothing would pay for their requests. */
export function NoCredit(): ReactNode {
  const t = useTexts('keys').noCredit
  if (useNeedsCredit() !== true) return null
  return (
    <div className="mb-4">
      <Notice
        tone="warn"
        title={t.title}
        action={
          <Link to={PATHS.billing} className={buttonClass('secondary')}>
            {t.action}
          </Link>
        }
      >
        {t.text}
      </Notice>
    </div>
  )
}
