import type { ReactNode } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { formatMultiplier } from '../../format/money.ts'
import { tokenSize } from '../../format/number.ts'
import { useFormat } from '../../format/use-format.ts'
import { FilterSelect } from '../../table/filter-select.tsx'
import type { TableState } from '../../table/use-table-state.ts'
import { wireName } from '../../format/wire-names.ts'
import { abilitiesOf, CONTEXTS, groupsOf, kindsOf, PRICES, protocolsOf } from './model-list.ts'

/** Filters by group, kind, what the model takes besides text, protocol, context and price. */
export function ModelFilters(props: { readonly state: TableState; readonly models: readonly ModelView[] }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const { state, models } = props
  const filters = [
    {
      name: 'group',
      label: t.group,
      width: 'w-44 lg:w-36 2xl:w-48',
      options: groupsOf(models).map(({ name, multiplier }) => ({
        value: name,
        label: t.groupOption(name, formatMultiplier(multiplier)),
      })),
    },
    {
      name: 'kind',
      label: t.modelKind,
      width: 'w-36 lg:w-32 2xl:w-36',
      options: kindsOf(models).map((value) => ({ value, label: t.modelKinds[value] })),
    },
    {
      name: 'ability',
      label: t.supports,
      width: 'w-36 lg:w-34 2xl:w-36',
      options: abilitiesOf(models).map((value) => ({ value, label: t.abilities[value] })),
    },
    {
      name: 'protocol',
      label: t.protocol,
      width: 'w-36 lg:w-32 2xl:w-40',
      options: protocolsOf(models).map((value) => ({ value, label: wireName(value) })),
    },
    {
      name: 'context',
      label: t.contextFrom,
      width: 'w-36 lg:w-32 2xl:w-40',
      options: CONTEXTS.map((value) => ({ value, label: t.contextAtLeast(tokenSize(Number(value))) })),
    },
    {
      name: 'price',
      label: t.priceUpTo,
      width: 'w-40',
      options: PRICES.map((value) => ({ value, label: t.priceAtMost(format.money(value)) })),
    },
  ]
  return filters.map(({ name, width, ...filter }) => (
    // Widths of their own: choices that arrive later move nothing.
    <div key={name} className={`${width} max-sm:w-auto max-sm:flex-1`}>
      <FilterSelect state={state} name={name} {...filter} />
    </div>
  ))
}
