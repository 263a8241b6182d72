import type { ReactNode } from 'react'
import type { ModelView, PricesView } from '../../../src/contract/models.ts'
import { modelsDictionary } from '../../dictionaries/models.ts'
import { formatMultiplier, isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'

const KINDS = [
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'audio_output',
  'image_input',
  'per_request',
  'per_image',
  'per_second',
  'per_million_characters',
] as const satisfies readonly (keyof PricesView)[]

/** Every price that is set, by kind and group; before the multiplier first, where there is more than one group. */
export function PriceTable({ model }: { readonly model: ModelView }): ReactNode {
  const t = modelsDictionary.useTexts()
  const format = useFormat()
  const base = { name: t.drawer.base, multiplier: '1', price: model.price }
  const isBaseTold = model.groups.some(({ multiplier }) => multiplier === '1')
  const columns = isBaseTold ? model.groups : [base, ...model.groups]
  const kinds = KINDS.filter((kind) => columns.some(({ price }) => price !== null && price[kind] !== null))
  const text = (price: PricesView | null, kind: keyof PricesView): string => {
    const amount = price?.[kind] ?? null
    return amount === null ? '–' : isZero(amount) ? t.free : format.exactMoney(amount)
  }
  if (kinds.length === 0) return <p className="text-ink-2">{t.noPrice}</p>
  return (
    <div
      role="region"
      aria-label={t.drawer.prices}
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full border-collapse text-right">
        <thead className="bg-sunken text-sm text-ink-3">
          <tr>
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {t.drawer.kind}
            </th>
            {columns.map((group) => (
              <th key={group.name} scope="col" className="px-3 py-1.5 font-medium">
                {group.name}
                {group !== base && <span className="block font-normal">{formatMultiplier(group.multiplier)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind} className="border-t border-line">
              <th scope="row" className="px-3 py-1.5 text-left font-normal">
                {t.kinds[kind]}
              </th>
              {columns.map((group) => (
                <td key={group.name} className="px-3 whitespace-nowrap">
                  {text(group.price, kind)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
