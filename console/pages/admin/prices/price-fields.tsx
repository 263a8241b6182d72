import { type ReactNode, useId } from 'react'
import { TOKEN_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type FactorForm, NEW_TIER, type TierForm } from './price-form.ts'

/** One field for each kind of price, labelled as everywhere. `at`: the path of their fields, as the API names them. */
export function AmountFields<Kind extends string>(props: {
  readonly at: string
  readonly kinds: readonly Kind[]
  readonly labels: Readonly<Record<Kind, string>>
  readonly amounts: Readonly<Record<Kind, string>>
  onAmount(kind: Kind, amount: string): void
  errorOf(field: string): string | undefined
}): ReactNode {
  const { at, kinds, labels, amounts } = props
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      {kinds.map((kind) => (
        <NumberField
          of="amount"
          key={kind}
          name={`${at}.${kind}`}
          label={labels[kind]}
          value={amounts[kind]}
          onValue={(amount) => props.onAmount(kind, amount)}
          error={props.errorOf(`${at}.${kind}`)}
        />
      ))}
    </div>
  )
}

/** The most tiers that the API takes. */
const MOST_TIERS = 8
const USUAL_IN_TIERS = TOKEN_KINDS.slice(0, 4)

/** Prices of long prompts: a row for each length. */
export function TierFields(props: {
  readonly tiers: readonly TierForm[]
  onTiers(tiers: readonly TierForm[]): void
  errorOf(field: string): string | undefined
}): ReactNode {
  const t = useTexts('prices').editor
  const { kinds } = useTexts('models')
  const { tiers, onTiers, errorOf } = props
  const change = (at: number, part: Partial<TierForm>): void =>
    onTiers(tiers.map((tier, i) => (i === at ? { ...tier, ...part } : tier)))
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="font-medium">{t.parts.tiers}</legend>
      <p className="text-sm text-ink-3">{t.tiersLead}</p>
      {tiers.map((tier, i) => (
        // Rows have no names, and their order is that of the form.
        <div key={i} className="grid gap-3 rounded-md border border-line p-3">
          <div className="flex items-start justify-between gap-3">
            <NumberField
              of="count"
              name={`price.tiers.${i}.above_input_tokens`}
              label={t.above}
              value={tier.above}
              onValue={(above) => change(i, { above })}
              error={errorOf(`price.tiers.${i}.above_input_tokens`)}
            />
            <IconButton
              icon="trash"
              label={t.removeTier(i + 1)}
              onClick={() => onTiers(tiers.filter((_, other) => other !== i))}
            />
          </div>
          <AmountFields
            at={`price.tiers.${i}`}
            kinds={TOKEN_KINDS.filter((kind, at) => at < USUAL_IN_TIERS.length || tier.amounts[kind] !== '')}
            labels={kinds}
            amounts={tier.amounts}
            onAmount={(kind, amount) => change(i, { amounts: { ...tier.amounts, [kind]: amount } })}
            errorOf={errorOf}
          />
        </div>
      ))}
      {tiers.length < MOST_TIERS && (
        <div>
          <Button icon="plus" onClick={() => onTiers([...tiers, NEW_TIER])}>
            {t.addTier}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

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
