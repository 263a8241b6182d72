import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signInOptionsQuery, signUp } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { languageNow } from '../../preferences.ts'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useEnterConsole } from './enter-console.ts'
import { BackToSignIn } from './link-preview.tsx'
import { NewAccountForm } from './new-account-form.tsx'
import { OidcInstead } from './other-ways.tsx'
import { OutsideFrame } from './outside-frame.tsx'

/** An account of one's own, where sign-ups are open. */
export default function RegisterPage(): ReactNode {
  const t = useTexts('outside')
  const { sentences } = useSharedTexts()
  const enter = useEnterConsole()
  const options = useQuery(signInOptionsQuery)
  const closed = (
    <>
      <Notice tone="warn">{t.register.closed}</Notice>
      <BackToSignIn />
    </>
  )
  return (
    <OutsideFrame
      title={t.register.title}
      after={
        <p>
          {sentences([t.register.haveAccount, ''])}
          <Link to={PATHS.signIn} className="inline-block py-1 font-medium text-accent underline underline-offset-2">
            {t.signIn.title}
          </Link>
        </p>
      }
    >
      <QueryView
        query={options}
        skeleton={<SkeletonLines count={8} />}
        empty={{ is: ({ registration }) => registration !== 'open', shown: closed }}
      >
        {(data) => (
          <div className="grid gap-3">
            <NewAccountForm
              action={t.register.action}
              send={({ email, password, name }) =>
                signUp({ email, password, language: languageNow(), ...(name === '' ? {} : { name }) })
              }
              onDone={enter}
            />
            {data.oidc !== null && <OidcInstead name={data.oidc.name} />}
          </div>
        )}
      </QueryView>
    </OutsideFrame>
  )
}
