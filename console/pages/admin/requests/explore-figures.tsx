import type { ReactNode } from 'react'
import type { ExploredView } from '../../../../src/contract/explore.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { changeOf } from '../../../format/change.ts'
import { useFormat } from '../../../format/use-format.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { classNames } from '../../../ui/class-names.ts'

type Figures = ExploredView['totals']

/** One figure of a row, as a column. */
export interface FigureColumn {
  readonly id: string
  readonly header: string
  /** `places`: of the longest amount in the table. */
  cell(figures: Figures, places: number): ReactNode
  look?(figures: Figures): string | undefined
}

const NOTHING = '–'

/** The figures that there are, in their order: sums by account are kept with tokens, those by upstream with costs. */
export function useFigureColumns(sums: ExploredView | undefined): readonly FigureColumn[] {
  const { columns } = useTexts('requests')
  const shared = useSharedTexts()
  const format = useFormat()
  const hasTokens = sums !== undefined && sums.totals.input_tokens !== null
  const hasCosts =
    sums === undefined || !hasTokens || [sums.totals, ...sums.rows].some(({ provider_cost: cost }) => cost !== null)
  const money = (amount: string | null, places: number): ReactNode => (
    <AlignedAmount shown={amount === null ? NOTHING : format.money(amount)} places={places} />
  )
  const times = (of: Figures['total_ms']): string =>
    of === null ? NOTHING : shared.pair(format.duration(of.p50), format.duration(of.p95))
  const tokens: readonly FigureColumn[] = [
    {
      id: 'tokens',
      header: columns.tokens,
      cell: ({ input_tokens: input, output_tokens: output }) =>
        shared.pair(format.compact(input ?? 0), format.compact(output ?? 0)),
    },
    {
      id: 'cached',
      header: columns.cached,
      cell: ({ input_tokens: input, cache_read_tokens: cached }) =>
        input === null || input === 0 ? NOTHING : format.percent((cached ?? 0) / input),
    },
  ]
  const costs: readonly FigureColumn[] = [
    { id: 'cost', header: columns.cost, cell: ({ provider_cost: cost }, places) => money(cost, places) },
    {
      id: 'margin',
      header: columns.margin,
      cell: ({ margin }, places) => money(margin, places),
      look: ({ margin }) => (margin?.startsWith('-') === true ? 'text-bad' : undefined),
    },
  ]
  return [
    { id: 'requests', header: columns.requests, cell: ({ requests }) => format.number(requests) },
    {
      id: 'failed',
      header: columns.failed,
      cell: ({ failed }) => format.number(failed),
    },
    ...(hasTokens ? tokens : []),
    { id: 'charged', header: columns.charged, cell: ({ charged }, places) => money(charged, places) },
    {
      id: 'before',
      header: columns.before,
      cell: (figures, places) => <Before figures={figures} places={places} />,
      look: () => 'text-ink-3',
    },
    ...(hasCosts ? costs : []),
    { id: 'first_byte', header: columns.firstByte, cell: ({ first_byte_ms: of }) => times(of) },
    { id: 'total', header: columns.total, cell: ({ total_ms: of }) => times(of) },
  ]
}

/** The figures of one row. */
export function FigureCells(props: {
  readonly figures: Figures
  readonly columns: readonly FigureColumn[]
  readonly places: number
}): ReactNode {
  const { figures, columns, places } = props
  return columns.map((column) => (
    <td key={column.id} className={classNames('px-3 whitespace-nowrap', column.look?.(figures))}>
      {column.cell(figures, places)}
    </td>
  ))
}

/** What was charged in the time before, and how that differs. */
function Before({ figures, places }: { readonly figures: Figures; readonly places: number }): ReactNode {
  const t = useTexts('requests')
  const format = useFormat()
  const { before, charged } = figures
  if (before === null || (before.requests === 0 && figures.requests === 0)) return NOTHING
  const change = changeOf(charged, before.charged)
  const said =
    change.kind === 'fresh' || change.kind === 'same'
      ? t.changes[change.kind]
      : format.percentChange(change.kind === 'more' ? change.by : -change.by)
  if (change.kind === 'fresh') return said
  return (
    <>
      <AlignedAmount shown={format.money(before.charged)} places={places} />{' '}
      {/* As wide as most are, so that the amounts before them stand below each other. */}
      <span className="inline-block min-w-16">{t.inBrackets(said)}</span>
    </>
  )
}
