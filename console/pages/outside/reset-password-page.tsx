import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { MailAnswer } from '../../../src/contract/sign-in.ts'
import { forgotPassword, resetPassword, signInOptionsQuery } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { NewPasswordForm } from '../../forms/new-password-form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackToSignIn } from './link-preview.tsx'
import { useLinkToken } from './link-token.ts'
import { OutsideFrame } from './outside-frame.tsx'

/** Asks for a new password where a link brought a token; else offers to send such a link. */
export default function ResetPasswordPage(): ReactNode {
  const t = useTexts('outside').reset
  const token = useLinkToken()
  return token === null ? (
    <OutsideFrame title={t.askTitle}>
      <AskForLink />
    </OutsideFrame>
  ) : (
    <OutsideFrame title={t.title}>
      <ChoosePassword key={token} token={token} />
    </OutsideFrame>
  )
}

function AskForLink(): ReactNode {
  const t = useTexts('outside')
  const { data: options } = useQuery(signInOptionsQuery)
  const [answer, setAnswer] = useState<MailAnswer | null>(null)
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim() === '' && 'required' }),
    send: ({ email }) => forgotPassword(email.trim()),
    onDone: setAnswer,
  })
  if (options?.has_mail_server === false) {
    return (
      <>
        <Notice title={t.reset.byAdmin.title}>{t.reset.byAdmin.text}</Notice>
        <BackToSignIn />
      </>
    )
  }
  if (answer !== null) {
    const said = answer.sent_by === 'mail' ? t.reset.sent : t.reset.byAdmin
    return (
      <>
        <Notice tone={answer.sent_by === 'mail' ? 'good' : 'neutral'} title={said.title} isLive>
          {said.text}
        </Notice>
        <BackToSignIn />
      </>
    )
  }
  return (
    <>
      <p className="-mt-4 mb-5 text-ink-2">{t.reset.askLead}</p>
      <Form
        submission={form}
        foot={
          <Button type="submit" look="primary" isBusy={form.isSending}>
            {t.reset.askAction}
          </Button>
        }
      >
        <TextField {...form.text('email', t.email)} type="email" autoComplete="username" autoCapitalize="none" />
      </Form>
      <BackToSignIn />
    </>
  )
}

function ChoosePassword({ token }: { readonly token: string }): ReactNode {
  const t = useTexts('outside')
  const [isDone, setDone] = useState(false)
  if (isDone) {
    return (
      <>
        <Notice tone="good" title={t.reset.done.title} isLive>
          {t.reset.done.text}
        </Notice>
        <BackToSignIn />
      </>
    )
  }
  return (
    <>
      <p className="-mt-4 mb-5 text-ink-2">{t.reset.lead}</p>
      <NewPasswordForm
        name="password"
        label={t.newPassword}
        foot={(isSending) => (
          <Button type="submit" look="primary" isBusy={isSending}>
            {t.reset.action}
          </Button>
        )}
        send={(password) => resetPassword({ token, password })}
        onDone={() => setDone(true)}
      />
    </>
  )
}
