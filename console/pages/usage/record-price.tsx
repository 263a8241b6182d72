import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { subscriptionsQuery } from '../../api/billing.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Notice } from '../../ui/notice.tsx'
import { explainPrice } from '../../costs/price-explanation.ts'
import { ChargedTerms, PriceLines } from './price-lines.tsx'
import { RecordPart } from './record-part.tsx'

/** How the cost came about, line by line, and who paid it. */
export function RecordPrice({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const format = useFormat()
  const price = explainPrice(record)
  const { reasoning } = record.tokens
  return (
    <RecordPart title={r.price}>
      {price === null ? (
        <p className="text-ink-2">{r.nothing}</p>
      ) : (
        <>
          <PriceLines price={price} />
          <div className="mt-3 grid gap-2">
            <ChargedTerms record={record} />
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

function Payers({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
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
  texts: Pick<PageTexts['record'], 'notes' | 'estimated' | 'capped'>,
): readonly string[] {
  if (notes.length > 0) return notes.map((note) => texts.notes[note])
  if (capped) return [texts.capped]
  return source === 'estimated' ? [texts.estimated] : []
}
