import type { ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { NumberInput } from '../../../forms/number-field.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { type Chosen, isListed } from './chosen-price.ts'
import type { ListPrice } from './proposed-price.ts'

/** One model that can be ticked: its list price as long as it is not, and the fields of its own price when it is. */
export function ModelRow(props: {
  readonly name: string
  /** null: it is not ticked. */
  readonly chosen: Chosen | null
  readonly listed: ListPrice | null
  onTicked(isTicked: boolean): void
  onPriced(chosen: Chosen): void
}): ReactNode {
  const t = useTexts('upstreams').adding
  const format = useFormat()
  const { name, chosen, listed } = props
  const source =
    listed === null
      ? null
      : chosen === null || isListed(chosen)
        ? { name: listed.provider, text: t.listPrice(listed.provider, format.date(`${listed.dated}T00:00:00Z`)) }
        : { name: t.ownPrice, text: t.ownPrice }
  return (
    <tr className="border-b border-line/60">
      <td className="min-w-0">
        <Checkbox checked={chosen !== null} onChecked={props.onTicked}>
          <span className="[overflow-wrap:anywhere]">{name}</span>
        </Checkbox>
      </td>
      {(['input', 'output'] as const).map((kind) => (
        <td key={kind} className="py-0.5 pl-2 text-right tabular-nums">
          {chosen === null ? (
            <span className="text-ink-3">{listed?.price[kind] ?? '–'}</span>
          ) : (
            <NumberInput
              of="amount"
              aria-label={t[kind === 'input' ? 'inputOf' : 'outputOf'](name)}
              value={chosen[kind]}
              className="w-18 px-2 text-right text-sm"
              onChange={(event) => props.onPriced({ ...chosen, [kind]: event.currentTarget.value })}
            />
          )}
        </td>
      ))}
      <td className="truncate pl-3 text-xs text-ink-3 max-sm:hidden" title={source?.text}>
        {source?.name ?? '–'}
      </td>
    </tr>
  )
}
