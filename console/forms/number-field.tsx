import type { ComponentProps, ReactNode } from 'react'
import { TYPED_CHARACTERS, twoReadings, type TypedForm } from '../../src/core/typed-number.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Input } from '../ui/input.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

interface OfNumber {
  /** What its form reads the text as, with `typed-numbers.ts`. */
  readonly of: TypedForm
}

/** A question that is answered with a number. */
export function NumberField({ of, error, ...field }: OfNumber & Omit<TextFieldProps, 'type' | 'maxLength'>): ReactNode {
  const problemOf = useNumberProblem()
  return (
    <TextField
      autoComplete="off"
      {...field}
      inputMode={field.inputMode ?? keyboardOf(of)}
      maxLength={TYPED_CHARACTERS}
      error={problemOf(error, { of, value: field.value })}
    />
  )
}

/** A line for a number, where its label stands elsewhere. */
export function NumberInput({ of, ...input }: OfNumber & Omit<ComponentProps<typeof Input>, 'type' | 'maxLength'>) {
  return <Input autoComplete="off" {...input} inputMode={keyboardOf(of)} maxLength={TYPED_CHARACTERS} />
}

/** Returns what is wrong with a refused number: which two it can mean, or else what its form says. */
export function useNumberProblem() {
  const shared = useSharedTexts()
  return (error: string | undefined, { of, value }: OfNumber & { readonly value: string }): string | undefined => {
    const two = error === undefined ? null : twoReadings(value, of)
    return two === null ? error : shared.twoNumbers(value.trim(), ...two)
  }
}

function keyboardOf(of: TypedForm): 'numeric' | 'decimal' {
  return of === 'count' ? 'numeric' : 'decimal'
}
