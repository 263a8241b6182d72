import type { ReactNode } from 'react'
import type { ExploredView } from '../../../../src/contract/explore.ts'
import { useSharedTexts } from '../../../dictionaries/shared.ts'
import { requestsDictionary } from '../../../dictionaries/requests.ts'
import { changeOf } from '../../../format/change.ts'
import { useFormat } from '../../../format/use-format.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'

export type Figures = ExploredView['totals']

/** Which sums there are: those by account are kept with tokens, those by upstream with costs. */
export interface Kept {
  readonly hasTokens: boolean
  readonly hasCosts: boolean
}

export function keptIn({ totals, rows }: ExploredView): Kept {
  const hasTokens = totals.input_tokens !== null
  return { hasTokens, hasCosts: !hasTokens || [totals, ...rows].some(({ provider_cost: cost }) => cost !== null) }
}

/** The headers above `FigureCells`, in their order. */
export function useFigureHeaders({ hasTokens, hasCosts }: Kept): readonly string[] {
  const { columns } = requestsDictionary.useTexts()
  return [
    columns.requests,
    columns.failed,
    ...(hasTokens ? [columns.tokens, columns.cached] : []),
    columns.charged,
    columns.before,
    ...(hasCosts ? [columns.cost, columns.margin] : []),
    columns.firstByte,
    columns.total,
  ]
}

const CELL = 'px-3 whitespace-nowrap'
const NOTHING = '–'

/** The figures of one row. `places`: of the longest amount in the table. */
export function FigureCells(props: {
  readonly figures: Figures
  readonly kept: Kept
  readonly places: number
}): ReactNode {
  const { figures, kept, places } = props
  const shared = useSharedTexts()
  const format = useFormat()
  const money = (amount: string | null): ReactNode => (
    <AlignedAmount shown={amount === null ? NOTHING : format.money(amount)} places={places} />
  )
  const times = (of: Figures['total_ms']): string =>
    of === null ? NOTHING : shared.pair(format.duration(of.p50), format.duration(of.p95))
  const { requests, failed, input_tokens: input, cache_read_tokens: cached, output_tokens: output, margin } = figures
  return (
    <>
      <td className={CELL}>{format.number(requests)}</td>
      <td className={CELL}>{failed === 0 ? NOTHING : format.number(failed)}</td>
      {kept.hasTokens && (
        <>
          <td className={CELL}>{shared.pair(format.compact(input ?? 0), format.compact(output ?? 0))}</td>
          <td className={CELL}>{input === null || input === 0 ? NOTHING : format.percent((cached ?? 0) / input)}</td>
        </>
      )}
      <td className={CELL}>{money(figures.charged)}</td>
      <td className={`${CELL} text-ink-3`}>
        <Before figures={figures} />
      </td>
      {kept.hasCosts && (
        <>
          <td className={CELL}>{money(figures.provider_cost)}</td>
          <td className={margin?.startsWith('-') === true ? `${CELL} text-bad` : CELL}>{money(margin)}</td>
        </>
      )}
      <td className={CELL}>{times(figures.first_byte_ms)}</td>
      <td className={CELL}>{times(figures.total_ms)}</td>
    </>
  )
}

/** What was charged in the time before, and how that differs. */
function Before({ figures }: { readonly figures: Figures }): ReactNode {
  const t = requestsDictionary.useTexts()
  const format = useFormat()
  const { before, charged } = figures
  if (before === null || (before.requests === 0 && figures.requests === 0)) return NOTHING
  const change = changeOf(charged, before.charged)
  const said =
    change.kind === 'fresh' || change.kind === 'same'
      ? t.changes[change.kind]
      : `${change.kind === 'more' ? '+' : '−'}${format.percent(change.by)}`
  return change.kind === 'fresh' ? said : t.before(format.money(before.charged), said)
}
