import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signInOptionsQuery, signUp } from '../../api/sign-in.ts'
import { outsideDictionary } from '../../dictionaries/outside.ts'
import { PATHS } from '../../paths.ts'
import { languageNow } from '../../preferences.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useEnterConsole } from './enter-console.ts'
import { BackToSignIn } from './link-preview.tsx'
import { NewAccountForm } from './new-account-form.tsx'
import { OidcButton } from './other-ways.tsx'
import { OutsideFrame } from './outside-frame.tsx'

/** An account of one's own, where sign-ups are open. */
export function RegisterPage(): ReactNode {
  const t = outsideDictionary.useTexts()
  const enter = useEnterConsole()
  const options = useQuery(signInOptionsQuery)
  return (
    <OutsideFrame
      title={t.register.title}
      after={
        <p>
          {t.register.haveAccount}{' '}
          <Link to={PATHS.signIn} className="inline-block py-1 font-medium text-accent underline underline-offset-2">
            {t.signIn.title}
          </Link>
        </p>
      }
    >
      {options.data === undefined ? (
        options.error === null ? (
          <SkeletonLines count={8} />
        ) : (
          <ErrorState error={options.error} onRetry={() => void options.refetch()} />
        )
      ) : options.data.registration === 'open' ? (
        <div className="grid gap-3">
          <NewAccountForm
            action={t.register.action}
            shortest={options.data.password.shortest}
            send={({ email, password, name }) =>
              signUp({ email, password, language: languageNow(), ...(name === '' ? {} : { name }) })
            }
            onDone={enter}
          />
          {options.data.oidc !== null && <OidcButton name={options.data.oidc.name} />}
        </div>
      ) : (
        <>
          <Notice tone="warn">{t.register.closed}</Notice>
          <BackToSignIn />
        </>
      )}
    </OutsideFrame>
  )
}
