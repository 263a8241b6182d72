import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { signInOptionsQuery } from '../api/sign-in.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'
import { useSubmission, type FieldErrors, type Submission } from './use-submission.ts'

/** The rule until the server's own is known. */
const SHORTEST_PASSWORD = 8

/** The fields of a form that come before the new password. */
interface OtherFields {
  readonly names: readonly string[]
  check(): FieldErrors
  shown(submission: Submission): ReactNode
}

/** A form in which a new password is chosen, by the server's rule. */
export function NewPasswordForm<Answer>(props: {
  /** The field's name in the API. */
  readonly name: 'password' | 'new_password'
  readonly label: string
  /** The name of the form, where no heading has it. */
  readonly title?: string
  readonly others?: OtherFields
  /** How its fields are laid out. */
  readonly layout?: string
  /** The buttons. */
  foot(isSending: boolean): ReactNode
  send(password: string): Promise<Answer>
  onDone(answer: Answer): void
}): ReactNode {
  const shared = useSharedTexts()
  const { name, others } = props
  const { data: options } = useQuery(signInOptionsQuery)
  const shortest = options?.password.shortest ?? SHORTEST_PASSWORD
  const [password, setPassword] = useState('')
  const problem =
    password === ''
      ? { [name]: shared.required }
      : password.length < shortest
        ? { [name]: shared.newPassword.tooShort(shortest) }
        : {}
  const submission = useSubmission<Answer>({
    fields: [...(others?.names ?? []), name],
    check: () => ({ ...others?.check(), ...problem }),
    send: () => props.send(password),
    onDone: (answer) => {
      setPassword('')
      props.onDone(answer)
    },
  })
  return (
    <Form
      submission={submission}
      {...(props.title === undefined ? {} : { label: props.title })}
      foot={props.foot(submission.isSending)}
    >
      <div className={props.layout ?? 'grid gap-4'}>
        {others?.shown(submission)}
        <TextField
          name={name}
          label={props.label}
          type="password"
          autoComplete="new-password"
          hint={shared.newPassword.hint(shortest)}
          value={password}
          onValue={setPassword}
          error={submission.errorOf(name)}
        />
      </div>
    </Form>
  )
}
