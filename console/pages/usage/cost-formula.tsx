import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { recordDictionary } from '../../dictionaries/record.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { useFormat } from '../../format/use-format.ts'
import { useLineFormula } from './line-formula.ts'
import { explainPrice } from './price-explanation.ts'

/** How a cost came about, in short: what was counted at which price, and the exact sum. */
export default function CostFormula({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = recordDictionary.useTexts()
  const { labelled } = useSharedTexts()
  const format = useFormat()
  const formulaOf = useLineFormula()
  const price = explainPrice(record)
  return (
    <div className="grid gap-1 tabular-nums">
      {price === null && <span>{r.nothing}</span>}
      {price?.lines.map((line) => (
        <span key={line.kind}>{labelled(r.kinds[line.kind], formulaOf(line, price))}</span>
      ))}
      <span className="font-medium">{labelled(r.cost, format.exactMoney(record.cost))}</span>
    </div>
  )
}
