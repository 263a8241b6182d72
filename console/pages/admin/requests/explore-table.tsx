import type { ReactNode } from 'react'
import type { ExploredView } from '../../../../src/contract/explore.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { changeOf } from '../../../format/change.ts'
import { longestPlaces } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { STICKY_HEAD } from '../../../table/row-table.tsx'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useHiddenEdges } from '../../../ui/use-hidden-edges.ts'
import { type Dimension, MOST_SUMMED, SUMMED } from './explore-search.ts'

const HEAD = `${STICKY_HEAD} px-3 font-medium whitespace-nowrap`

/** The most rows that the server sends. */
const MOST_ROWS = 500

/** Sums with their total on top; each name narrows the view to itself. */
export function ExploreTable(props: {
  readonly by: readonly Dimension[]
  readonly sums: ExploredView
  readonly columns: readonly FigureColumn[]
  /** Whether as many requests are summed as the server allows. */
  readonly isDeep: boolean
  onNarrow(dimension: Dimension, value: string): void
  onDeepen(): void
}): ReactNode {
  const t = useTexts('requests')
  const { sentences } = useSharedTexts()
  const { by, sums, columns, isDeep, onNarrow, onDeepen } = props
  const format = useFormat()
  const watchEdges = useHiddenEdges()
  const places = longestPlaces(
    [sums.totals, ...sums.rows].flatMap(({ charged, before, provider_cost: cost, margin }) =>
      [charged, before?.charged ?? null, cost, margin].filter((amount) => amount !== null),
    ),
  )
  const hasNoCosts = sums.totals.provider_cost === null
  const { since, kept_since: keptSince, refusals_since: refusalsSince } = sums
  // Of sums of days more requests are added up than are summed one by one.
  const summed = format.number(Math.max(isDeep ? MOST_SUMMED : SUMMED, sums.totals.requests))
  // What the sums lack: requests beyond those that are summed one by one, and records that were deleted.
  const whole = [
    ...(since === null || since === keptSince ? [] : [t.since(format.time(since), summed)]),
    ...(keptSince === null ? [] : [t.keptSince(format.time(keptSince))]),
    ...(refusalsSince === null || refusalsSince === keptSince ? [] : [t.refusalsSince(format.time(refusalsSince))]),
  ]
  if (sums.rows.length === 0) return <p className="card p-4 text-ink-2">{sentences([t.empty, ...whole])}</p>
  return (
    <>
      <div
        ref={watchEdges}
        role="region"
        aria-label={t.title}
        tabIndex={0}
        // It scrolls only where it must: the head of sums that fit stays in sight of the window.
        className="card group overflow-clip outline-offset-[-2px] data-hidden-end:overflow-auto data-hidden-start:overflow-auto"
      >
        <table className="w-full border-collapse text-right text-sm">
          <thead className="text-ink-3">
            <tr>
              {by.map((each) => (
                <th key={each} scope="col" className={`${HEAD} text-left`}>
                  {t.dimensions[each]}
                </th>
              ))}
              {columns.map((column) => (
                <th key={column.id} scope="col" className={HEAD}>
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr className="h-9 font-medium">
              <th scope="row" colSpan={Math.max(1, by.length)} className="px-3 text-left font-medium">
                {t.total}
              </th>
              <FigureCells figures={sums.totals} columns={columns} places={places} />
            </tr>
            {sums.rows.map((row) => (
              <tr key={JSON.stringify(row.parts)} className="h-9 border-t border-line">
                {by.map((each, i) => (
                  <td key={each} className="max-w-64 px-3 text-left">
                    <Part dimension={each} part={row.parts[i]} onNarrow={onNarrow} />
                  </td>
                ))}
                <FigureCells figures={row} columns={columns} places={places} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-sm text-ink-3">
        {sentences([
          ...whole,
          ...(sums.rows.length >= MOST_ROWS ? [t.most] : []),
          sums.timed_since === null ? t.timed : t.timedSince(format.time(sums.timed_since)),
          ...(hasNoCosts ? [t.noCosts] : []),
        ])}
      </p>
      {since !== null && since !== keptSince && !isDeep && (
        <Button look="secondary" className="justify-self-start" onClick={onDeepen}>
          {sums.totals.requests > SUMMED ? t.sumEarlier : t.sumMore(format.number(MOST_SUMMED))}
        </Button>
      )}
    </>
  )
}

function Part(props: {
  readonly dimension: Dimension
  readonly part: ExploredView['rows'][number]['parts'][number] | undefined
  onNarrow(dimension: Dimension, value: string): void
}): ReactNode {
  const t = useTexts('requests')
  const { dimension, part } = props
  if (part === undefined || part.id === '') {
    return <span className="text-ink-3">{dimension === 'fault' ? t.ended : t.none}</span>
  }
  const name = part.name ?? t.gone(part.id)
  return (
    <button
      type="button"
      title={name}
      aria-label={t.filter(name)}
      onClick={() => props.onNarrow(dimension, part.id)}
      className="inline-block min-h-6 touch:min-h-11 max-w-full truncate text-left text-accent hover:underline"
    >
      {name}
    </button>
  )
}

type Figures = ExploredView['totals']

/** One figure of a row, as a column. */
interface FigureColumn {
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
  const hasCosts = sums === undefined || [sums.totals, ...sums.rows].some(({ provider_cost: cost }) => cost !== null)
  const money = (amount: string | null, places: number): ReactNode => (
    <AlignedAmount shown={amount === null ? NOTHING : format.money(amount)} places={places} />
  )
  const times = (of: Figures['total_ms']): string =>
    of === null ? NOTHING : shared.pair(format.duration(of.p50), format.duration(of.p95))
  const cells: Readonly<Record<keyof typeof columns, Omit<FigureColumn, 'id' | 'header'> | false>> = {
    requests: { cell: ({ requests }) => format.number(requests) },
    failed: { cell: ({ failed }) => format.number(failed) },
    tokens: hasTokens && {
      cell: ({ input_tokens: input, output_tokens: output }) =>
        shared.pair(format.compact(input ?? 0), format.compact(output ?? 0)),
    },
    cached: hasTokens && {
      cell: ({ input_tokens: input, cache_read_tokens: cached }) =>
        input === null || input === 0 ? NOTHING : format.percent((cached ?? 0) / input),
    },
    charged: { cell: ({ charged }, places) => money(charged, places) },
    before: { cell: (figures, places) => <Before figures={figures} places={places} />, look: () => 'text-ink-3' },
    cost: hasCosts && { cell: ({ provider_cost: cost }, places) => money(cost, places) },
    margin: hasCosts && {
      cell: ({ margin }, places) => money(margin, places),
      look: ({ margin }) => (margin?.startsWith('-') === true ? 'text-bad' : undefined),
    },
    firstByte: { cell: ({ first_byte_ms: of }) => times(of) },
    total: { cell: ({ total_ms: of }) => times(of) },
  }
  return Object.entries<Omit<FigureColumn, 'id' | 'header'> | false>(cells).flatMap(([name, column]) => {
    // Browsers keep the choice of columns by these names.
    const id = name === 'firstByte' ? 'first_byte' : name
    return column === false ? [] : [{ id, header: columns[name as keyof typeof columns], ...column }]
  })
}

/** The figures of one row. */
function FigureCells(props: {
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
