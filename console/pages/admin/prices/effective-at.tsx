import { useState, type ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { localInputOf, momentOfLocalInput, timeText, timeZoneHere } from '../../../format/local-time.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'

const DAY_MS = 86_400_000

/** When a price takes effect, as it is chosen: at once, or at a time to come. */
export interface EffectiveAt {
  /** The time as the input has it; null: at once. */
  readonly at: string | null
  onAt(at: string | null): void
  readonly error: string | undefined
}

/** `moment`: as the API takes it; undefined: at once, or not a time to come. */
export function useEffectiveAt(): EffectiveAt & { readonly moment: string | undefined } {
  const t = useTexts('prices').planning
  const [at, onAt] = useState<string | null>(null)
  const ms = at === null ? undefined : momentOfLocalInput(at, timeZoneHere())
  const isToCome = ms !== undefined && ms > Date.now()
  return {
    at,
    onAt,
    error: at === null || isToCome ? undefined : t.inFuture,
    moment: isToCome ? timeText(ms) : undefined,
  }
}

/** `error`: shown instead of its own, which is there while it is written. */
export function EffectiveAtField(props: {
  readonly effective: EffectiveAt
  readonly error: string | undefined
}): ReactNode {
  const t = useTexts('prices').planning
  const { at, onAt } = props.effective
  return (
    <div className="grid gap-3">
      <Checkbox
        checked={at !== null}
        onChecked={(isLater) => onAt(isLater ? localInputOf(Date.now() + DAY_MS, timeZoneHere()) : null)}
      >
        {t.later}
      </Checkbox>
      {at !== null && (
        <TextField
          name="effective_at"
          label={t.at}
          hint={t.atHint}
          type="datetime-local"
          className="sm:max-w-64"
          value={at}
          onValue={onAt}
          error={props.error}
        />
      )}
    </div>
  )
}
