import { useId, type ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { FactorForm } from './price-form.ts'

const MOST_ROWS = 16

/** Names with a factor each: classes of service, or places. */
export function FactorFields(props: {
  readonly at: 'services' | 'places'
  readonly title: string
  readonly lead: string
  readonly add: string
  readonly note?: string | undefined
  /** Offered while a name is written. */
  readonly names: readonly string[]
  readonly rows: readonly FactorForm[]
  onRows(rows: readonly FactorForm[]): void
  errorOf(field: string): string | undefined
}): ReactNode {
  const t = useTexts('prices').editor
  const listId = useId()
  const { at, rows, onRows, errorOf, names } = props
  const change = (index: number, part: Partial<FactorForm>): void =>
    onRows(rows.map((row, i) => (i === index ? { ...row, ...part } : row)))
  const next = names.find((name) => rows.every((row) => row.name !== name)) ?? ''
  return (
    <fieldset className="grid min-w-0 content-start gap-3">
      <legend className="font-medium">{props.title}</legend>
      <p className="text-sm text-ink-3">{props.lead}</p>
      {props.note !== undefined && <p className="text-sm text-ink-2">{props.note}</p>}
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rows.map((row, i) => (
        // Rows have no id, and their order is that of the form.
        <div key={i} className="grid grid-cols-[1fr_7rem_auto] items-start gap-3">
          <TextField
            name={`${at}.${i}.name`}
            label={t.name}
            list={listId}
            value={row.name}
            onValue={(name) => change(i, { name })}
            error={errorOf(`${at}.${i}.name`)}
            maxLength={32}
          />
          <NumberField
            of="factor"
            name={`${at}.${i}.factor`}
            label={t.factor}
            value={row.factor}
            onValue={(factor) => change(i, { factor })}
            error={errorOf(`${at}.${i}.factor`)}
          />
          <span className="pt-7">
            <IconButton
              icon="trash"
              label={t.remove(row.name === '' ? String(i + 1) : row.name)}
              onClick={() => onRows(rows.filter((_, other) => other !== i))}
            />
          </span>
        </div>
      ))}
      {rows.length < MOST_ROWS && (
        <div>
          <Button icon="plus" onClick={() => onRows([...rows, { name: next, factor: '' }])}>
            {props.add}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
