import { useState, type ReactNode } from 'react'
import { outsideDictionary } from '../../dictionaries/outside.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'

export interface NewAccount {
  readonly email: string
  readonly password: string
  readonly name: string
}

/** Who the new user is and how they will sign in: for the first admin, the invited, and those who sign up. */
export function NewAccountForm<Answer>(props: {
  readonly action: string
  readonly shortest: number
  /** An address that is given and cannot be changed. */
  readonly fixedEmail?: string | null
  readonly fixedEmailHint?: string
  send(account: NewAccount): Promise<Answer>
  onDone(answer: Answer): void
}): ReactNode {
  const t = outsideDictionary.useTexts()
  const shared = useSharedTexts()
  const [email, setEmail] = useState(props.fixedEmail ?? '')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const isFixed = typeof props.fixedEmail === 'string'
  const submission = useSubmission<Answer>({
    fields: ['email', 'name', 'password'],
    check: () => {
      const errors: Record<string, string> = {}
      if (email.trim() === '') errors['email'] = shared.required
      else if (!/^\S+@\S+$/.test(email.trim())) errors['email'] = t.emailInvalid
      Object.assign(errors, passwordErrors(password, { shortest: props.shortest, t, required: shared.required }))
      return errors
    },
    send: () => props.send({ email: email.trim(), password, name: name.trim() }),
    onDone: props.onDone,
  })
  return (
    <Form
      submission={submission}
      foot={
        <Button type="submit" look="primary" isBusy={submission.isSending}>
          {props.action}
        </Button>
      }
    >
      <TextField
        name="email"
        label={t.email}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        readOnly={isFixed}
        hint={isFixed ? props.fixedEmailHint : undefined}
        value={email}
        onValue={setEmail}
        error={submission.errorOf('email')}
      />
      <TextField
        name="name"
        label={t.name}
        isOptional
        autoComplete="name"
        maxLength={100}
        value={name}
        onValue={setName}
        error={submission.errorOf('name')}
      />
      <TextField
        name="password"
        label={t.password}
        type="password"
        autoComplete="new-password"
        hint={t.passwordHint(props.shortest)}
        value={password}
        onValue={setPassword}
        error={submission.errorOf('password')}
      />
    </Form>
  )
}

/** What can be checked of a new password without the server. */
export function passwordErrors(
  password: string,
  how: { shortest: number; required: string; t: { passwordTooShort(shortest: number): string } },
): FieldErrors {
  if (password === '') return { password: how.required }
  return password.length < how.shortest ? { password: how.t.passwordTooShort(how.shortest) } : {}
}
