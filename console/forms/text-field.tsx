import type { ComponentProps, ReactNode } from 'react'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Field, type FieldProps } from './field.tsx'

export interface TextFieldProps
  extends Omit<FieldProps, 'children'>, Omit<ComponentProps<'input'>, keyof FieldProps | 'value' | 'onChange'> {
  readonly value: string
  onValue(value: string): void
}

/** A question that is answered with a line of text; `type="password"` can be looked at while it is written. */
export function TextField(props: TextFieldProps): ReactNode {
  const { name, label, hint, isOptional, error, value, onValue, ...rest } = props
  const Control = rest.type === 'password' ? PasswordInput : Input
  const { type, ...input } = rest
  return (
    <Field name={name} label={label} hint={hint} error={error} {...(isOptional === undefined ? {} : { isOptional })}>
      {(control) => (
        <Control
          {...input}
          {...(type === undefined || type === 'password' ? {} : { type })}
          {...control}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
