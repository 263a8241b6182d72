import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../src/contract/usage.ts'
import { usageRecordQuery } from '../api/usage.ts'
import { useSharedTexts, useTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { useLineFormula } from './line-formula.ts'
import { explainPrice } from './price-explanation.ts'

/** How the cost of a request came about, in short. `known`: its record, where the page has it already; else it is fetched. */
export default function CostFormula(props: {
  readonly requestId: string
  readonly known: UsageRecordView | undefined
}): ReactNode {
  const { requestId, known } = props
  const t = useTexts('record')
  const fetched = useQuery({ ...usageRecordQuery(requestId), enabled: known === undefined })
  const record = known ?? fetched.data
  if (record === undefined) return <span>{fetched.error === null ? '…' : t.notRead}</span>
  return record === null ? <span>{t.notFound}</span> : <Lines record={record} />
}

/** What was counted at which price, and the exact sum. */
function Lines({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
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
