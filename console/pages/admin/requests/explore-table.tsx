import type { ReactNode } from 'react'
import type { ExploredView } from '../../../../src/contract/explore.ts'
import { type PageTexts, useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { longestPlaces } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { useHiddenEdges } from '../../../ui/use-hidden-edges.ts'
import { type Dimension, MOST_SUMMED, SUMMED } from './explore-search.ts'
import { FigureCells, type FigureColumn } from './explore-figures.tsx'

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
  const hasNoCosts = columns.some(({ id }) => id === 'cost') && sums.totals.provider_cost === null
  const isCut = sums.since !== null && sums.since !== sums.kept_since
  const whole = wholeTexts(sums, {
    t,
    time: (at) => format.time(at),
    // Of sums of days more requests are added up than are summed one by one.
    count: format.number(Math.max(isDeep ? MOST_SUMMED : SUMMED, sums.totals.requests)),
  })
  if (sums.rows.length === 0) return <p className="card p-4 text-ink-2">{sentences([t.empty, ...whole])}</p>
  return (
    <>
      <div className="card overflow-hidden">
        <div
          ref={watchEdges}
          role="region"
          aria-label={t.title}
          tabIndex={0}
          className="overflow-x-auto fading-row outline-offset-[-2px]"
        >
          <table className="w-full border-collapse text-right">
            <thead className="text-sm text-ink-3">
              <tr>
                {by.map((each) => (
                  <th key={each} scope="col" className="px-3 py-2 text-left font-medium">
                    {t.dimensions[each]}
                  </th>
                ))}
                {columns.map((column) => (
                  <th key={column.id} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                    {column.header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr className="border-t border-line font-medium">
                <th scope="row" colSpan={Math.max(1, by.length)} className="px-3 py-2 text-left font-medium">
                  {t.total}
                </th>
                <FigureCells figures={sums.totals} columns={columns} places={places} />
              </tr>
              {sums.rows.map((row) => (
                <tr key={JSON.stringify(row.parts)} className="border-t border-line">
                  {by.map((each, i) => (
                    <td key={each} className="max-w-64 px-3 py-1.5 text-left">
                      <Part dimension={each} part={row.parts[i]} onNarrow={onNarrow} />
                    </td>
                  ))}
                  <FigureCells figures={row} columns={columns} places={places} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <p className="text-sm text-ink-3">
        {sentences([
          ...whole,
          ...(sums.rows.length >= MOST_ROWS ? [t.most] : []),
          sums.timed_since === null ? t.timed : t.timedSince(format.time(sums.timed_since)),
          ...(hasNoCosts ? [t.noCosts] : []),
        ])}
      </p>
      {isCut && !isDeep && (
        <Button look="secondary" className="justify-self-start" onClick={onDeepen}>
          {sums.totals.requests > SUMMED ? t.sumEarlier : t.sumMore(format.number(MOST_SUMMED))}
        </Button>
      )}
    </>
  )
}

/** Says what the sums lack: requests beyond those that are summed one by one, and records that were deleted. */
function wholeTexts(
  { since, kept_since: keptSince, refusals_since: refusalsSince }: ExploredView,
  said: {
    readonly t: PageTexts['requests']
    time(at: string): string
    readonly count: string
  },
): readonly string[] {
  const { t, time, count } = said
  return [
    ...(since === null || since === keptSince ? [] : [t.since(time(since), count)]),
    ...(keptSince === null ? [] : [t.keptSince(time(keptSince))]),
    ...(refusalsSince === null || refusalsSince === keptSince ? [] : [t.refusalsSince(time(refusalsSince))]),
  ]
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
