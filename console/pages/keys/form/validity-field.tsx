import { useState, type ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useNow } from '../../../ui/use-now.ts'
import { dayOf, expiryOf, lastDayWithin, VALIDITY_DAYS, type Validity } from './validity.ts'

/** How long the key is to work. `unchanged`: what an existing key has. */
export function ValidityField(props: {
  readonly value: Validity
  onValue(validity: Validity): void
  readonly unchanged: string | null
  /** Longer than so many days the account's keys may not be valid; null: there is no such limit. */
  readonly mostDays: number | null
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('keys').form
  const format = useFormat()
  const nowMs = useNow()
  const { sentences } = useSharedTexts()
  const { value, onValue, unchanged, mostDays } = props
  // A press asks for the date next; the arrow keys only pass over this choice.
  const [isPressed, setPressed] = useState(false)
  const end = expiryOf(value, nowMs)
  const choices = useChoices(unchanged, mostDays)
  const chosen = value.kind === 'days' ? `${value.days}` : value.kind
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t.validity}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label key={choice.name} className={CHIP}>
            <input
              type="radio"
              name="validity"
              value={choice.name}
              checked={choice.name === chosen}
              onClick={({ detail }) => setPressed(detail > 0)}
              onChange={() => onValue(choice.validity)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-md outline-none"
            />
            {choice.label}
          </label>
        ))}
      </div>
      {value.kind === 'date' ? (
        <div className="mt-2 max-w-56">
          <TextField
            name="expires_at"
            label={t.lastDay}
            type="date"
            autoFocus={isPressed}
            min={dayOf(nowMs)}
            max={mostDays === null ? undefined : lastDayWithin(mostDays, nowMs)}
            hint={mostDays === null ? undefined : t.validAtMost(mostDays)}
            value={value.date}
            onValue={(date) => onValue({ kind: 'date', date })}
            error={props.error}
          />
        </div>
      ) : (
        <p className={classNames('mt-1 min-h-5 text-sm', props.error === undefined ? 'text-ink-3' : 'text-bad')}>
          {props.error ??
            sentences([
              ...(typeof end === 'string' ? [t.validUntil(format.date(end))] : []),
              ...(mostDays === null ? [] : [t.validAtMost(mostDays)]),
            ])}
        </p>
      )}
    </fieldset>
  )
}

interface Choice {
  readonly name: string
  readonly label: string
  readonly validity: Validity
}

/** What can be chosen, by what the account allows. */
function useChoices(unchanged: string | null, mostDays: number | null): readonly Choice[] {
  const t = useTexts('keys').form.validities
  const days = VALIDITY_DAYS.filter((each) => mostDays === null || each < mostDays).map((each): Choice => ({
    name: `${each}`,
    label: t.days(each),
    validity: { kind: 'days', days: each },
  }))
  const date: Choice = { name: 'date', label: t.date, validity: { kind: 'date', date: '' } }
  const before: readonly Choice[] =
    unchanged === null
      ? []
      : [{ name: 'unchanged', label: t.unchanged, validity: { kind: 'unchanged', time: unchanged } }]
  if (mostDays === null) {
    return [...before, { name: 'permanent', label: t.permanent, validity: { kind: 'permanent' } }, ...days, date]
  }
  const longest: Choice = { name: 'longest', label: t.days(mostDays), validity: { kind: 'longest', days: mostDays } }
  return [...before, ...days, longest, date]
}

const CHIP =
  'relative inline-flex min-h-8.5 touch:min-h-11 items-center rounded-md border border-line bg-surface px-3 transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent'
