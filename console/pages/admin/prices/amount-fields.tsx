import type { ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'

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

/** The names of kinds of prices and of calls. */
export function useKindLabels() {
  const { kinds, calls } = useTexts('models')
  return { kinds, calls }
}
