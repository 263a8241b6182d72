import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { subscriptionsQuery } from '../../api/billing.ts'
import type { RecordTexts } from '../../dictionaries/record-en.ts'
import { recordDictionary } from '../../dictionaries/record.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { usePreferences } from '../../preferences.ts'
import { Notice } from '../../ui/notice.tsx'
import { formatExact } from './exact-money.ts'
import { useLineFormula } from './line-formula.ts'
import { explainPrice, type PriceExplanation } from './price-explanation.ts'
import { RecordPart } from './record-part.tsx'

/** How the cost came about, line by line, and who paid it. */
export function RecordPrice({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = recordDictionary.useTexts()
  const format = useFormat()
  const price = explainPrice(record)
  const { reasoning } = record.tokens
  return (
    <RecordPart title={r.price}>
      {price === null ? (
        <p className="text-ink-2">{r.nothing}</p>
      ) : (
        <>
          <PriceTable price={price} />
          <div className="mt-3 grid gap-2">
            <Terms record={record} />
            {doubtsOf(record, r).map((doubt) => (
              <Notice key={doubt} tone="warn">
                {doubt}
              </Notice>
            ))}
            {!price.addsUp && <Notice tone="warn">{r.doesNotAddUp}</Notice>}
            {reasoning !== null && reasoning > 0 && (
              <p className="text-sm text-ink-2">{r.reasoning(format.number(reasoning))}</p>
            )}
          </div>
          <Payers record={record} />
        </>
      )}
    </RecordPart>
  )
}

/** Why these are not the plain prices. */
function Terms({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = recordDictionary.useTexts()
  const format = useFormat()
  const { service_tier: tier, inference_geo: geo, above_input_tokens: above } = record
  const said = [
    tier === null ? null : r.serviceTier(tier),
    geo === null ? null : r.inferenceGeo(geo),
    above === null ? null : r.aboveInputTokens(format.number(above)),
  ].filter((text) => text !== null)
  return said.length === 0 ? null : <p className="text-sm text-ink-2">{said.join(' ')}</p>
}

/** Each line as a sum of its own, so that it can be read on a phone without scrolling sideways. */
function PriceTable({ price }: { readonly price: PriceExplanation }): ReactNode {
  const r = recordDictionary.useTexts()
  const formulaOf = useLineFormula()
  const format = useFormat()
  const { language } = usePreferences()
  const exact = (amount: string): string => formatExact(amount, language)
  return (
    <table className="w-full border-collapse">
      <thead className="sr-only">
        <tr>
          <th scope="col">{r.kind}</th>
          <th scope="col">{r.amount}</th>
        </tr>
      </thead>
      <tbody>
        {price.lines.map((line) => (
          <tr key={line.kind} className="border-b border-line">
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              {r.kinds[line.kind]}
              <span className="block text-sm text-ink-3">{formulaOf(line, price)}</span>
            </th>
            <td className="py-2 text-right align-top whitespace-nowrap">{exact(line.cost)}</td>
          </tr>
        ))}
        {price.addsUp && !isZero(roundedUp(price.rounding)) && (
          <>
            <SumRow label={r.sum} amount={exact(price.sum)} />
            <SumRow label={r.rounding} amount={`+ ${exact(price.rounding)}`} />
          </>
        )}
        <tr className="border-t border-edge">
          <th scope="row" className="py-2 pr-3 text-left font-semibold">
            {r.cost}
          </th>
          <td className="py-2 text-right text-lg font-semibold whitespace-nowrap">{format.exactMoney(price.cost)}</td>
        </tr>
      </tbody>
    </table>
  )
}

function SumRow({ label, amount }: { readonly label: string; readonly amount: string }): ReactNode {
  return (
    <tr className="text-sm text-ink-2">
      <th scope="row" className="py-1 pr-3 text-left font-normal">
        {label}
      </th>
      <td className="py-1 text-right whitespace-nowrap">{amount}</td>
    </tr>
  )
}

/** Anything above nothing is something here. */
function roundedUp(amount: string): string {
  return /[1-9]/.test(amount) ? '1' : '0'
}

function Payers({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = recordDictionary.useTexts()
  const format = useFormat()
  const paid = record.paid_by_subscriptions
  const known = useQuery({ ...subscriptionsQuery, enabled: paid.length > 0 })
  const planOf = (id: string): string => known.data?.data.find((each) => each.id === id)?.plan ?? id
  const payers = [
    ...paid.map(({ subscription_id: id, usd }) => ({ id, name: r.subscription(planOf(id)), usd })),
    { id: 'balance', name: r.balance, usd: record.paid_by_balance },
  ].filter(({ usd }) => !isZero(usd))
  return (
    <div className="mt-4">
      <h4 className="text-sm text-ink-3">{r.who}</h4>
      {payers.length === 0 ? (
        <p>{r.free}</p>
      ) : (
        <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          {payers.map((payer) => (
            <div key={payer.id} className="contents">
              <dt>
                <Link to={PATHS.billing} className="text-accent hover:underline">
                  {payer.name}
                </Link>
              </dt>
              <dd className="text-right">{format.exactMoney(payer.usd)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Why the counts are not simply those that were reported, in sentences. */
function doubtsOf(
  { usage_notes: notes, usage_source: source, capped }: UsageRecordView,
  texts: Pick<RecordTexts, 'notes' | 'estimated' | 'capped'>,
): readonly string[] {
  if (notes.length > 0) return notes.map((note) => texts.notes[note])
  if (capped) return [texts.capped]
  return source === 'estimated' ? [texts.estimated] : []
}
