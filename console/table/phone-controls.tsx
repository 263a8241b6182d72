import { useState, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Menu } from '../ui/menu.tsx'
import { FilterLookContext } from './filter-look.ts'
import { SortSelect } from './sort-select.tsx'
import type { ToolbarProps } from './toolbar-props.ts'

const PhoneMenuItems = lazyPart(() => import('./phone-menu-items.tsx'))

/** The controls of a table where they would take the place of its rows: two buttons, of all filters and of all else. */
export function PhoneControls(props: ToolbarProps): ReactNode {
  const t = useSharedTexts()
  const { state, filters, sortable } = props
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(state.filters).length
  const hasSheet = filters !== undefined || sortable.length > 0
  return (
    <>
      {hasSheet && (
        <Button
          icon="filter"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className={props.searchLabel === null ? 'flex-1' : ''}
        >
          <span className="flex items-center gap-1.5">
            {t.table.filter}
            {count > 0 && (
              <span
                className="min-w-5 rounded-full bg-accent px-1.5 text-xs leading-5 text-accent-ink"
                title={t.table.filtersSet(count)}
              >
                {count}
              </span>
            )}
          </span>
        </Button>
      )}
      <div className="-mr-2 ml-auto">
        <Menu onNear={PhoneMenuItems.load} trigger={<IconButton icon="more" label={t.table.options} />}>
          <PhoneMenuItems columns={props.columns} download={props.download} onRefresh={props.onRefresh} />
        </Menu>
      </div>
      <Dialog
        isOpen={isOpen}
        size="small"
        title={t.table.filter}
        onClose={() => setOpen(false)}
        foot={
          <>
            <Button disabled={!state.isFiltered} onClick={state.clear}>
              {t.table.clearFilters}
            </Button>
            <Button look="primary" onClick={() => setOpen(false)}>
              {t.table.showRows}
            </Button>
          </>
        }
      >
        <FilterLookContext value="field">
          <div className="grid gap-4">
            {filters}
            {sortable.length > 0 && <SortSelect state={state} columns={sortable} />}
          </div>
        </FilterLookContext>
      </Dialog>
    </>
  )
}
