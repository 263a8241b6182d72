import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { SignInAnswer } from '../../../src/contract/sign-in.ts'
import { problemOfProvider } from '../../api/api-problem.ts'
import { instanceQuery } from '../../api/instance.ts'
import { signIn, signInOptionsQuery } from '../../api/sign-in.ts'
import type { ShellTexts } from '../../dictionaries/shell-en.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { PATHS, PUBLIC_PAGES } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useEnterConsole, useReturnPath } from './enter-console.ts'
import { OtherWays } from './other-ways.tsx'
import { OutsideFrame } from './outside-frame.tsx'
import { pageAt } from './page-name.ts'
import { SecondStepForm } from './second-step-form.tsx'

/** Email and password, a second step where the account has one, and the other ways that are open here. */
export default function SignInPage(): ReactNode {
  const t = useTexts('outside')
  const enter = useEnterConsole()
  const [isSecondStep, setSecondStep] = useState(false)
  const refusal = problemOfProvider(useLocation({ select: ({ hash }) => hash }))
  if (isSecondStep) {
    return (
      <OutsideFrame title={t.secondStep.title}>
        <SecondStepForm onSignedIn={enter} onStartAgain={() => setSecondStep(false)} />
      </OutsideFrame>
    )
  }
  return (
    <OutsideFrame
      title={t.signIn.title}
      after={
        <>
          <NewHere />
          <PublicPages />
        </>
      }
    >
      <div className="grid gap-4">
        <SignedOut />
        {refusal !== null && <ErrorState error={refusal} />}
        <PasswordForm
          onAnswer={(answer) => {
            if (answer.state === 'signed_in') enter()
            else setSecondStep(true)
          }}
        />
        <OtherWays onAnswer={enter} />
      </div>
    </OutsideFrame>
  )
}

/** The session ended while the reader was at work: why this page is here, and where it leads back to. */
function SignedOut(): ReactNode {
  const t = useTexts('outside')
  const { pages } = useSharedTexts()
  const wasSignedOut = useLocation({ select: ({ state }) => state.wasSignedOut === true })
  const found = pageAt(useReturnPath()) ?? { page: 'overview' }
  if (!wasSignedOut) return null
  if ('page' in found) return <Notice isLive>{t.signIn.signedOut(pages[found.page])}</Notice>
  return (
    <Suspense>
      <SignedOutOfAdmin name={found.admin} />
    </Suspense>
  )
}

/** The names of the admins' pages are in a file that others do not need. */
function SignedOutOfAdmin({ name }: { readonly name: keyof ShellTexts['admin']['pages'] }): ReactNode {
  const t = useTexts('outside')
  return <Notice isLive>{t.signIn.signedOut(useShellTexts().admin.pages[name])}</Notice>
}

/** The pages that are there without signing in. */
function PublicPages(): ReactNode {
  const t = useTexts('outside').publicPages
  const { data: instance } = useQuery(instanceQuery)
  const on = PUBLIC_PAGES.filter(({ name }) => instance?.public_pages[name] === true)
  if (on.length === 0) return null
  return (
    <nav aria-label={t.navigation} className="mt-3 flex flex-wrap justify-center gap-x-4">
      {on.map(({ name, path }) => (
        <Link key={name} to={path} className="inline-block py-1 text-accent underline underline-offset-2">
          {t.pages[name]}
        </Link>
      ))}
    </nav>
  )
}

function NewHere(): ReactNode {
  const t = useTexts('outside')
  const { sentences } = useSharedTexts()
  const { data: options } = useQuery(signInOptionsQuery)
  if (options === undefined) return <p className="invisible">{t.signIn.closed}</p>
  if (options.registration === 'open') {
    return (
      <p>
        {sentences([t.signIn.registerLead, ''])}
        <Link to={PATHS.register} className="inline-block py-1 font-medium text-accent underline underline-offset-2">
          {t.signIn.register}
        </Link>
      </p>
    )
  }
  return <p>{options.registration === 'invitation' ? t.signIn.byInvitation : t.signIn.closed}</p>
}

/** The usual way in. */
function PasswordForm({ onAnswer }: { onAnswer(answer: SignInAnswer): void }): ReactNode {
  const t = useTexts('outside')
  const shared = useSharedTexts()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isKept, setKept] = useState(true)
  const submission = useSubmission({
    fields: ['email', 'password'],
    check: () => ({
      ...(email.trim() === '' ? { email: shared.required } : {}),
      ...(password === '' ? { password: shared.required } : {}),
    }),
    send: () => signIn({ email: email.trim(), password, keep: isKept }),
    onDone: onAnswer,
  })
  return (
    <Form
      submission={submission}
      label={t.signIn.title}
      foot={
        <Button type="submit" look="primary" className="w-full" isBusy={submission.isSending}>
          {t.signIn.action}
        </Button>
      }
    >
      <TextField
        {...submission.field('email')}
        label={t.email}
        type="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        value={email}
        onValue={setEmail}
      />
      <TextField
        {...submission.field('password')}
        label={t.password}
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox checked={isKept} onChecked={setKept}>
          {t.signIn.keep}
        </Checkbox>
        <Link
          to={PATHS.resetPassword}
          className="flex min-h-8 touch:min-h-11 items-center text-accent underline underline-offset-2"
        >
          {t.signIn.forgot}
        </Link>
      </div>
    </Form>
  )
}
