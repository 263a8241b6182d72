import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { Input, TextArea } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Field, type FieldProps } from './field.tsx'

export interface TextFieldProps
  extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'input'>, keyof FieldProps | 'value' | 'onChange'> {
  readonly value: string
  /** Whether a field of `type="password"` takes an API key’s secret, which is not called a password. */
  readonly isSecret?: boolean
  onValue(value: string): void
}

/** A question that is answered with a line of text; `type="password"` can be looked at while it is written. */
export function TextField(props: TextFieldProps): ReactNode {
  const { name, label, hint, isOptional, error, value, onValue, isSecret, ...rest } = props
  const { type, ...input } = rest
  return (
    <Field name={name} label={label} hint={hint} error={error} {...(isOptional === undefined ? {} : { isOptional })}>
      {(control) => {
        const shared = {
          ...input,
          ...control,
          value,
          onChange: (event: ChangeEvent<HTMLInputElement>) => onValue(event.currentTarget.value),
        }
        if (type === 'password') return <PasswordInput {...shared} isSecret={isSecret === true} />
        return <Input {...shared} {...(type === undefined ? {} : { type })} />
      }}
    </Field>
  )
}

interface TextAreaFieldProps
  extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'textarea'>, keyof FieldProps | 'value' | 'onChange'> {
  readonly value: string
  onValue(value: string): void
}

/** A question that is answered with several lines of text. */
export function TextAreaField(props: TextAreaFieldProps): ReactNode {
  const { name, label, hint, isOptional, error, onValue, ...rest } = props
  return (
    <Field name={name} label={label} hint={hint} error={error} {...(isOptional === undefined ? {} : { isOptional })}>
      {(control) => <TextArea {...rest} {...control} onChange={(event) => onValue(event.currentTarget.value)} />}
    </Field>
  )
}
