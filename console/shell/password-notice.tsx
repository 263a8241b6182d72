import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { meQuery } from '../api/me.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Says so where an account can be signed in to by nothing but the session that it has. */
export function PasswordNotice(): ReactNode {
  const t = useSharedTexts().noPassword
  const { data: me } = useSuspenseQuery(meQuery)
  if (me.has_password) return null
  return (
    <div className="mb-4">
      <Notice
        tone="warn"
        action={
          <Link to={PATHS.account} search={{ section: 'security' }} className={buttonClass('secondary')}>
            {t.action}
          </Link>
        }
      >
        {t.text}
      </Notice>
    </div>
  )
}
