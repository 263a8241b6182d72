import { useId, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Icon } from '../ui/icon.tsx'

/** What a field gives to the control inside it. Spread it on the control. */
export interface FieldControl {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

export interface FieldProps {
  /** The name in the API, so that an error finds its field. */
  readonly name: string
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isOptional?: boolean | undefined
  /** The sentence that says what is wrong. */
  readonly error?: string | undefined
  children(control: FieldControl): ReactNode
}

/** One question of a form: its label above, a hint and what is wrong below. */
export function Field(props: FieldProps): ReactNode {
  const t = useSharedTexts()
  const id = useId()
  const hintId = props.hint === undefined ? undefined : `${id}-hint`
  const errorId = props.error === undefined ? undefined : `${id}-error`
  const describedBy = [errorId, hintId].filter((part) => part !== undefined).join(' ')
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 flex items-baseline gap-2 font-medium">
        {props.label}
        {props.isOptional === true && <span className="text-xs font-normal text-ink-3">{t.optional}</span>}
      </label>
      {props.children({
        id,
        name: props.name,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': props.error === undefined ? undefined : true,
      })}
      {props.error !== undefined && (
        <p id={errorId} className="mt-1 flex gap-1.5 text-sm text-bad">
          <Icon name="warning" className="mt-0.5" />
          <span>{props.error}</span>
        </p>
      )}
      {props.hint !== undefined && (
        <div id={hintId} className="mt-1 text-sm text-ink-3">
          {props.hint}
        </div>
      )}
    </div>
  )
}
