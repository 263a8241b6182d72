import type { ReactNode } from 'react'
import { TOKEN_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { AmountFields, useKindLabels } from './amount-fields.tsx'
import { NEW_TIER, type TierForm } from './price-form.ts'

/** The most tiers that the API takes. */
const MOST_TIERS = 8
const USUAL = TOKEN_KINDS.slice(0, 4)

/** Prices of long prompts: a row for each length. */
export function TierFields(props: {
  readonly tiers: readonly TierForm[]
  onTiers(tiers: readonly TierForm[]): void
  errorOf(field: string): string | undefined
}): ReactNode {
  const t = useTexts('prices').editor
  const { kinds } = useKindLabels()
  const { tiers, onTiers, errorOf } = props
  const change = (at: number, part: Partial<TierForm>): void =>
    onTiers(tiers.map((tier, i) => (i === at ? { ...tier, ...part } : tier)))
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="font-medium">{t.tiers}</legend>
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
            kinds={TOKEN_KINDS.filter((kind, at) => at < USUAL.length || tier.amounts[kind] !== '')}
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
