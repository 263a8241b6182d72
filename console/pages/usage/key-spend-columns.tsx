import { useMemo, type ReactNode } from 'react'
import type { KeySpendPageView, TagSpendsView } from '../../../src/contract/usage.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { changeOf } from '../../format/change.ts'
import { useFormat } from '../../format/use-format.ts'
import { KeyName } from '../keys/key-name.tsx'
import type { Column } from '../../table/column.ts'
import { columnsOf } from '../../table/columns-of.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'

type KeySpend = KeySpendPageView['data'][number]

/** Decimal places of the sum of a key: less than a thousandth of a dollar is rare. */
const COST_PLACES = 5

/** What a row of either table has. */
type SpendFigures = Omit<TagSpendsView['data'][number], 'tag' | 'keys'>

/** The columns of the table with what each key spent. */
export function useKeySpendColumns(): readonly Column<KeySpend>[] {
  const t = useTexts('keySpend')
  const figures = useFigureColumns<KeySpend>(true)
  return useMemo(
    () => [
      { id: 'key', header: t.columns.key, role: 'title', sort: 'name', cell: (key) => <KeyCell spend={key} /> },
      ...figures,
    ],
    [t, figures],
  )
}

/** The columns of requests, tokens and cost. `isSorted`: by the server. */
export function useFigureColumns<Row extends SpendFigures>(isSorted: boolean): readonly Column<Row>[] {
  const t = useTexts('keySpend')
  const format = useFormat()
  return useMemo(() => {
    const sorted = (sort: string) => (isSorted ? { sort, sortsFirst: 'desc' as const } : {})
    return columnsOf<Row, keyof typeof t.columns>(t.columns, {
      requests: {
        align: 'end',
        onPhone: 'figure',
        ...sorted('requests'),
        cell: (of) => (
          <span title={of.failed === 0 ? undefined : t.failed(format.number(of.failed))}>
            {format.number(of.requests)}
          </span>
        ),
      },
      tokens: {
        align: 'end',
        ...sorted('tokens'),
        cell: ({ input_tokens: input, output_tokens: output }) => (
          <span title={format.number(input + output)}>{format.compact(input + output)}</span>
        ),
      },
      cost: {
        align: 'end',
        onPhone: 'figure',
        ...sorted('cost'),
        cell: (of) => (
          <AlignedAmount
            shown={format.money(of.cost)}
            places={COST_PLACES}
            title={format.exactMoney(of.cost)}
            className="font-medium"
          />
        ),
      },
      share: { align: 'end', cell: (of) => format.percent(of.share) },
      change: { align: 'end', cell: (of) => <ChangeCell spend={of} /> },
    })
  }, [t, format, isSorted])
}

function KeyCell({ spend }: { readonly spend: KeySpend }): ReactNode {
  const t = useTexts('keySpend')
  if (spend.name === null) return t.keyGone(spend.key_id)
  return (
    <div className="max-w-md min-w-36 py-0.5">
      <KeyName {...spend} id={spend.key_id} name={spend.name} />
    </div>
  )
}

function ChangeCell({ spend }: { readonly spend: SpendFigures }): ReactNode {
  const t = useTexts('keySpend')
  const format = useFormat()
  const change = changeOf(spend.cost, spend.cost_before)
  const text =
    change.kind === 'fresh' || change.kind === 'same'
      ? t[change.kind]
      : format.percentChange(change.kind === 'more' ? change.by : -change.by)
  return (
    <span className="whitespace-nowrap" title={t.before(format.exactMoney(spend.cost_before))}>
      {text}
    </span>
  )
}
