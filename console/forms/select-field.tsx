import type { ComponentProps, ReactNode } from 'react'
import { Select, type SelectChoice } from '../ui/select.tsx'
import { Field, type FieldProps } from './field.tsx'

type OwnProps = Omit<ComponentProps<'select'>, keyof FieldProps | keyof SelectChoice<string> | 'onChange'>

/** A question that is answered with one of a few. */
export function SelectField<Value extends string>(
  props: Omit<FieldProps, 'children'> & SelectChoice<Value> & OwnProps,
): ReactNode {
  const { name, label, hint, isOptional, error, ...select } = props
  return (
    <Field name={name} label={label} hint={hint} error={error} isOptional={isOptional}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  )
}
