import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useNow } from '../ui/use-now.ts'
import type { TableState } from './use-table-state.ts'

/** Below a table: how many there are, where one is, back and on. */
export function TablePager(props: {
  readonly state: TableState
  readonly page:
    | { readonly next_cursor: string | null; readonly total?: number; readonly total_is_more?: boolean }
    | undefined
  /** When the rows were read, epoch milliseconds. */
  readonly readAtMs: number | undefined
}): ReactNode {
  const t = useSharedTexts()
  const format = useFormat()
  const { state, page, readAtMs } = props
  const nowMs = useNow()
  // That there is nothing is said where the rows would be.
  const total = page?.total === 0 ? undefined : page?.total
  const next = page?.next_cursor ?? null
  const hasPages = state.cursor !== null || next !== null
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 text-sm text-ink-3">
      <span className="mr-auto">
        {readAtMs !== undefined && readAtMs > 0 && (
          <>
            {t.table.asOf(format.clock(readAtMs, nowMs))}
            {(total !== undefined || (hasPages && state.pageNumber !== null)) && ' · '}
          </>
        )}
        {total !== undefined && t.table.found(format.number(total), page?.total_is_more === true)}
        {hasPages && state.pageNumber !== null && (
          <>
            {total !== undefined && ' · '}
            {t.table.pageNumber(state.pageNumber)}
          </>
        )}
      </span>
      {hasPages && (
        <>
          <Button icon="left" disabled={state.cursor === null} onClick={state.goPrevious}>
            {t.table.previous}
          </Button>
          <Button disabled={next === null} onClick={() => next !== null && state.goNext(next)}>
            <span className="flex items-center gap-2">
              {t.table.next}
              <Icon name="right" />
            </span>
          </Button>
        </>
      )}
    </div>
  )
}
