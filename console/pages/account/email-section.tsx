import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import type { MailAnswer } from '../../../src/contract/sign-in.ts'
import { changeEmail, sendVerification } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../forms/use-submission.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'

export function EmailSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').email
  const [isChanging, setChanging] = useState(false)
  const [sent, setSent] = useState<MailAnswer | null>(null)
  const verify = useMutation({ mutationFn: sendVerification, onSuccess: setSent })
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <>
          {!me.email_verified && (
            <Button icon="mail" isBusy={verify.isPending} onClick={() => verify.mutate()}>
              {t.verify}
            </Button>
          )}
          <Button onClick={() => setChanging(true)}>{t.change}</Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="flex flex-wrap items-center gap-2">
          {me.email}
          <Badge tone={me.email_verified ? 'good' : 'warn'}>{me.email_verified ? t.verified : t.unverified}</Badge>
        </p>
        {verify.error !== null && <ErrorState error={verify.error} />}
        {sent !== null && (
          <Notice tone="good" isLive>
            {sent.sent_by === 'mail' ? t.sentByMail : t.sentByAdmin}
          </Notice>
        )}
      </div>
      {isChanging && (
        <ChangeEmail
          onClose={() => setChanging(false)}
          onSent={(answer) => {
            setSent(answer)
            setChanging(false)
          }}
        />
      )}
    </Section>
  )
}

function ChangeEmail(props: { onClose(): void; onSent(answer: MailAnswer): void }): ReactNode {
  const t = useTexts('account').email
  const shared = useSharedTexts()
  const guarded = useGuarded()
  const [email, setEmail] = useState('')
  const submission = useSubmission({
    fields: ['email'],
    check: (): FieldErrors => (email.trim() === '' ? { email: shared.required } : {}),
    send: () => guarded(() => changeEmail(email.trim())),
    onDone: props.onSent,
  })
  return (
    <Dialog isOpen size="small" title={t.change} description={t.changeLead} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={
          <Button type="submit" look="primary" isBusy={submission.isSending}>
            {t.action}
          </Button>
        }
      >
        <TextField
          {...submission.field('email')}
          label={t.newAddress}
          type="email"
          autoComplete="email"
          value={email}
          onValue={setEmail}
        />
      </Form>
    </Dialog>
  )
}
