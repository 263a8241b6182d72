import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { verifyEmail } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { HOME } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LinkPreview } from './link-preview.tsx'
import { useLinkToken } from './link-token.ts'
import { OutsideFrame } from './outside-frame.tsx'

/** The link that shows that an address is one's own. It is used as soon as the page is open. */
export default function VerifyEmailPage(): ReactNode {
  const t = useTexts('outside').verify
  const token = useLinkToken()
  return (
    <OutsideFrame title={t.title}>
      <LinkPreview token={token} preview={verifyEmail}>
        {({ email }) => (
          <>
            <Notice tone="good" isLive>
              {t.done(email)}
            </Notice>
            <Link to={HOME} className={buttonClass('primary', 'mt-4 w-full')}>
              {t.goOn}
            </Link>
          </>
        )}
      </LinkPreview>
    </OutsideFrame>
  )
}
