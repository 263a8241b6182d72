import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from '../ui/button.tsx'
import { DownloadMenu } from '../ui/download-menu.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useIsPhone } from '../ui/use-media.ts'
import { PhoneControls } from './phone-controls.tsx'
import { SearchField } from './search-field.tsx'
import { SortSelect } from './sort-select.tsx'
import { TableMenu } from './table-menu.tsx'
import type { ToolbarProps } from './toolbar-props.ts'

/** Above a table: search, filters, which columns and how close, look again. */
export function TableToolbar(props: ToolbarProps): ReactNode {
  const isPhone = useIsPhone()
  return (
    <div className="flex flex-wrap items-center gap-2">
      {props.title !== undefined && <h2 className="text-lg max-sm:flex-1">{props.title}</h2>}
      {props.searchLabel !== null && <SearchField label={props.searchLabel} state={props.state} />}
      {isPhone ? <PhoneControls {...props} /> : <Controls {...props} />}
    </div>
  )
}

function Controls(props: ToolbarProps): ReactNode {
  const t = useSharedTexts()
  const { state } = props
  return (
    <>
      {props.filters}
      {props.sortable.length > 0 && <SortSelect state={state} columns={props.sortable} />}
      {state.isFiltered && (
        <Button look="quiet" onClick={state.clear} className="text-sm">
          {t.table.clearFilters}
        </Button>
      )}
      <div className="ml-auto flex">
        {props.download !== undefined && <DownloadMenu {...props.download} isQuiet />}
        <TableMenu columns={props.columns} />
        <IconButton icon="refresh" label={t.table.refresh} aria-busy={props.isFetching} onClick={props.onRefresh} />
      </div>
    </>
  )
}
