import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { SignInAnswer } from '../../../src/contract/sign-in.ts'
import { signIn } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'

/** The usual way in. */
export function PasswordForm({ onAnswer }: { onAnswer(answer: SignInAnswer): void }): ReactNode {
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
