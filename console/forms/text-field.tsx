import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Field, type FieldProps } from './field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Input, TextArea } from '../ui/input.tsx'

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
    <Field name={name} label={label} hint={hint} error={error} isOptional={isOptional}>
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
    <Field name={name} label={label} hint={hint} error={error} isOptional={isOptional}>
      {(control) => <TextArea {...rest} {...control} onChange={(event) => onValue(event.currentTarget.value)} />}
    </Field>
  )
}

/** A password, which its writer may look at. */
function PasswordInput({
  isSecret = false,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & {
  /** Whether it takes the secret of an API key. */
  readonly isSecret?: boolean
}): ReactNode {
  const t = useSharedTexts()
  const names = isSecret ? { show: t.showSecret, hide: t.hideSecret } : { show: t.showPassword, hide: t.hidePassword }
  const [isShown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input {...props} type={isShown ? 'text' : 'password'} spellCheck={false} className="pr-11" />
      <div className="absolute inset-y-0 right-0 flex items-center">
        <IconButton
          icon="eye"
          label={isShown ? names.hide : names.show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </div>
    </div>
  )
}
