import { useState, type ReactNode } from 'react'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CardList } from '../../../table/card-list.tsx'
import type { Column } from '../../../table/column.ts'
import { RowTable } from '../../../table/row-table.tsx'
import { Button } from '../../../ui/button.tsx'
import { useIsNarrow } from '../../../ui/use-media.ts'

/** So many cards are a few screens of a phone; a table shows all that the server sends. */
const FIRST_CARDS = 30

/** Newest first, as the server sends them; on narrow windows cards, so that no amount is out of sight. */
export function LatestList(props: {
  readonly records: readonly UsageRecordView[]
  readonly columns: readonly Column<UsageRecordView>[]
  onOpen(record: UsageRecordView): void
}): ReactNode {
  const { live: t } = useTexts('requests')
  const format = useFormat()
  const isNarrow = useIsNarrow()
  const [areAllShown, setAllShown] = useState(false)
  const { records } = props
  const isCut = isNarrow && !areAllShown && records.length > FIRST_CARDS
  const List = isNarrow ? CardList<UsageRecordView> : RowTable<UsageRecordView>
  return (
    <>
      <List
        label={t.list}
        columns={props.columns}
        rows={isCut ? records.slice(0, FIRST_CARDS) : records}
        isStale={false}
        sort={{ by: 'created_at', order: 'desc' }}
        onSort={() => {}}
        rowId={({ id }) => id}
        rowName={({ created_at: at }) => format.second(at)}
        onOpen={props.onOpen}
        selected={null}
        onSelected={() => {}}
      />
      {isCut && (
        <Button className="justify-self-center" onClick={() => setAllShown(true)}>
          {t.showAll(records.length)}
        </Button>
      )}
    </>
  )
}
