import type { ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { wireTitle } from '../../../format/wire-names.ts'
import { MOST_CHARACTERS, TRIAL_WIRES, type TrialOptions } from './trial-options.ts'

/** How a test is sent: its protocol, whether as a stream, and what it says. */
export function TrialFields(props: {
  readonly options: TrialOptions
  onOptions(options: TrialOptions): void
}): ReactNode {
  const t = useTexts('upstreams').testing.options
  const { options, onOptions } = props
  return (
    <Disclosure title={t.title}>
      <div className="grid gap-4">
        <SelectField
          name="protocol"
          label={t.protocol}
          value={options.protocol}
          onValue={(protocol) => onOptions({ ...options, protocol })}
          options={[
            { value: '', label: t.own },
            ...TRIAL_WIRES.map((wire) => ({ value: wire, label: wireTitle(wire) })),
          ]}
        />
        <TextField
          name="text"
          label={t.text}
          hint={t.textHint}
          isOptional
          value={options.text}
          onValue={(text) => onOptions({ ...options, text })}
          maxLength={MOST_CHARACTERS}
          autoComplete="off"
        />
        <Checkbox checked={options.isStream} onChecked={(isStream) => onOptions({ ...options, isStream })}>
          {t.stream}
        </Checkbox>
      </div>
    </Disclosure>
  )
}
