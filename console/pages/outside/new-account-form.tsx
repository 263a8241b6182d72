import { useState, type ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { NewPasswordForm } from '../../forms/new-password-form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { FieldErrors } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name: string
}

/** Who the new user is and how they will sign in: for the first admin, the invited, and those who sign up. */
export function NewAccountForm<Answer>(props: {
  readonly action: string
  /** An address that is given and cannot be changed. */
  readonly fixedEmail?: string | null
  readonly fixedEmailHint?: string
  send(account: NewAccount): Promise<Answer>
  onDone(answer: Answer): void
}): ReactNode {
  const t = useTexts('outside')
  const shared = useSharedTexts()
  const [email, setEmail] = useState(props.fixedEmail ?? '')
  const [name, setName] = useState('')
  const isFixed = typeof props.fixedEmail === 'string'
  const check = (): FieldErrors => {
    if (email.trim() === '') return { email: shared.required }
    return /^\S+@\S+$/.test(email.trim()) ? {} : { email: t.emailInvalid }
  }
  return (
    <NewPasswordForm
      name="password"
      label={t.password}
      others={{
        names: ['email', 'name'],
        check,
        shown: (submission) => (
          <>
            <TextField
              {...submission.field('email')}
              label={t.email}
              type="email"
              autoComplete="username"
              autoCapitalize="none"
              readOnly={isFixed}
              hint={isFixed ? props.fixedEmailHint : undefined}
              value={email}
              onValue={setEmail}
            />
            <TextField
              {...submission.field('name')}
              label={t.name}
              isOptional
              autoComplete="name"
              maxLength={100}
              value={name}
              onValue={setName}
            />
          </>
        ),
      }}
      foot={(isSending) => (
        <Button type="submit" look="primary" isBusy={isSending}>
          {props.action}
        </Button>
      )}
      send={(password) => props.send({ email: email.trim(), password, name: name.trim() })}
      onDone={props.onDone}
    />
  )
}
