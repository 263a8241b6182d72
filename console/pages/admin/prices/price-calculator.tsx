import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { PriceCalculated } from '../../../../src/contract/price-calculation.ts'
import { calculationQuery } from '../../../api/price-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { explainPrice } from '../../../costs/price-explanation.ts'
import { ChargedTerms, PriceLines } from '../../usage/price-lines.tsx'
import { validate, priceOf, type PriceForm } from './price-form.ts'

const MOST_TOKENS = 999_999_999
const FIELDS = ['input', 'cacheRead', 'output', 'searches'] as const

/** What one request costs at prices that may not be saved yet: the gateway works it out, and its receipt is printed. */
export function PriceCalculator({ model, form }: { readonly model: ModelView; readonly form: PriceForm }): ReactNode {
  const t = useTexts('prices').calculator
  const shared = useSharedTexts()
  const format = useFormat()
  const wrongCount = shared.wholeForm('0', format.number(MOST_TOKENS))
  const [counts, setCounts] = useState({ input: '300000', cacheRead: '0', output: '2000', searches: '0' })
  const [service, setService] = useState('')
  const [group, setGroup] = useState('')
  const services = [...Object.keys(form.ownServices), ...form.services.map(({ name }) => name.trim())].filter(Boolean)
  const multiplier = model.groups.find(({ name }) => name === group)?.multiplier ?? '1'
  const isSound = Object.keys(validate(form)).length === 0
  const price = isSound ? priceOf(form) : null
  const isAskedFor = price !== null && FIELDS.some((name) => (tokensIn(counts[name]) ?? 0) > 0)
  const calculation = useQuery({
    ...calculationQuery({
      price: price ?? {},
      multiplier,
      tokens: {
        input: tokensIn(counts.input) ?? 0,
        cache_read: tokensIn(counts.cacheRead) ?? 0,
        output: tokensIn(counts.output) ?? 0,
      },
      units: { requests: 1 },
      calls: { web_search: tokensIn(counts.searches) ?? 0 },
      service_tier: services.includes(service) ? service : null,
    }),
    enabled: isAskedFor,
  })
  return (
    <Disclosure title={t.title} summary={t.lead}>
      <div className="grid gap-4">
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {FIELDS.map((name) => (
            <NumberField
              of="count"
              key={name}
              name={`calculator.${name}`}
              label={t[name]}
              value={counts[name]}
              onValue={(text) => setCounts({ ...counts, [name]: text })}
              error={isEmptyOr(tokensIn, counts[name]) ? undefined : wrongCount}
            />
          ))}
          <SelectField
            name="calculator.service"
            label={t.service}
            options={[{ value: '', label: t.plain }, ...services.map((name) => ({ value: name, label: name }))]}
            value={services.includes(service) ? service : ''}
            onValue={setService}
          />
          <SelectField
            name="calculator.group"
            label={t.group}
            options={[
              { value: '', label: formatMultiplier('1') },
              ...model.groups.map((each) => ({
                value: each.name,
                label: `${each.name} · ${formatMultiplier(each.multiplier)}`,
              })),
            ]}
            value={group}
            onValue={setGroup}
          />
        </div>
        {price === null ? (
          <p className="text-ink-2">{t.wrong}</p>
        ) : !isAskedFor ? (
          <p className="text-ink-2">{t.nothing}</p>
        ) : calculation.error !== null ? (
          <ErrorState error={calculation.error} />
        ) : (
          calculation.data !== undefined && <Receipt of={calculation.data} />
        )}
      </div>
    </Disclosure>
  )
}

/** The lines of a calculation, as in the drawer of a request. */
function Receipt({ of }: { readonly of: PriceCalculated }): ReactNode {
  const t = useTexts('prices').calculator
  const price = explainPrice({ ...of, paid_by_balance: of.cost, paid_by_subscriptions: [] })
  if (price === null) return <p className="text-ink-2">{t.nothing}</p>
  return (
    <div role="status" className="grid max-w-xl gap-2">
      <PriceLines price={price} />
      <ChargedTerms record={of} />
    </div>
  )
}

function tokensIn(text: string): number | null {
  return countOf(text, { least: 0, most: MOST_TOKENS })
}
