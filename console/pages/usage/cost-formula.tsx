import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { recordDictionary } from '../../dictionaries/record.ts'
import { useFormat } from '../../format/use-format.ts'
import { explainPrice } from './price-explanation.ts'

/** How a cost came about, in short: what was counted at which price, and the exact sum. */
export default function CostFormula({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = recordDictionary.useTexts()
  const format = useFormat()
  const price = explainPrice(record)
  return (
    <div className="grid gap-1 tabular-nums">
      {price === null && <span>{r.nothing}</span>}
      {price?.lines.map((line) => (
        <span key={line.kind}>
          {r.kinds[line.kind]}:{' '}
          {r.formula({
            kind: line.kind,
            count: line.count,
            written: format.number(line.count),
            per: line.per,
            price: format.exactMoney(line.price),
            multiplier: price.multiplier === '1' ? null : price.multiplier,
          })}
        </span>
      ))}
      <span className="font-medium">
        {r.cost}: {format.exactMoney(record.cost)}
      </span>
    </div>
  )
}
