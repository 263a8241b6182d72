import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import type { SignInAnswer } from '../../../src/contract/sign-in.ts'
import { problemOfProvider } from '../../api/api-problem.ts'
import { instanceQuery } from '../../api/instance.ts'
import { secondStep, signIn, signInOptionsQuery } from '../../api/sign-in.ts'
import type { ShellTexts } from '../../dictionaries/shell-en.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useEnterConsole, useReturnPath } from './enter-console.ts'
import { OtherWays } from './other-ways.tsx'
import { OutsideFrame } from './outside-frame.tsx'
import { pageAt } from './page-name.ts'
import { PATHS, PUBLIC_PAGES } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'

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
  const form = useForm({
    initial: { email: '', password: '', keep: true },
    validate: ({ email, password }) => ({
      email: email.trim() === '' && 'required',
      password: password === '' && 'required',
    }),
    send: (values) => signIn({ ...values, email: values.email.trim() }),
    onDone: onAnswer,
  })
  return (
    <Form
      submission={form}
      label={t.signIn.title}
      foot={
        <Button type="submit" look="primary" className="w-full" isBusy={form.isSending}>
          {t.signIn.action}
        </Button>
      }
    >
      <TextField {...form.text('email', t.email)} type="email" autoComplete="username webauthn" autoCapitalize="none" />
      <TextField {...form.text('password', t.password)} type="password" autoComplete="current-password" />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox checked={form.values.keep} onChecked={(keep) => form.change({ keep })}>
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

/** Asks, after the right password, for a code from the app or a backup code. */
function SecondStepForm(props: { onSignedIn(): void; onStartAgain(): void }): ReactNode {
  const t = useTexts('outside').secondStep
  const [way, setWay] = useState<'totp' | 'backup_code'>('totp')
  const form = useForm({
    initial: { code: '', isTrusted: false },
    validate: ({ code }) => ({ code: code.trim().length < 6 && 'required' }),
    send: ({ code, isTrusted }) =>
      secondStep({ way, code: way === 'totp' ? code.replaceAll(' ', '') : code.trim(), trust_browser: isTrusted }),
    onDone: props.onSignedIn,
  })
  return (
    <Form
      submission={form}
      foot={
        <div className="grid gap-2">
          <Button type="submit" look="primary" isBusy={form.isSending}>
            {t.action}
          </Button>
          <Button
            look="quiet"
            onClick={() => {
              setWay(way === 'totp' ? 'backup_code' : 'totp')
              form.change({ code: '' })
              form.reset()
            }}
          >
            {way === 'totp' ? t.useBackup : t.useApp}
          </Button>
          <Button look="quiet" onClick={props.onStartAgain}>
            {t.startAgain}
          </Button>
        </div>
      }
    >
      <p className="-mt-3 text-ink-2">{way === 'totp' ? t.lead : t.leadBackup}</p>
      <TextField
        key={way}
        {...form.text('code', way === 'totp' ? t.code : t.backupCode)}
        inputMode={way === 'totp' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
        className="font-mono text-lg tracking-widest"
      />
      <Checkbox checked={form.values.isTrusted} onChecked={(isTrusted) => form.change({ isTrusted })}>
        {t.trust}
      </Checkbox>
    </Form>
  )
}
