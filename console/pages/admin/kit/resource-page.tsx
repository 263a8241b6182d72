import { Fragment, type ReactNode } from 'react'
import { type Right, useMay } from '../../../api/use-may.ts'
import type { Column } from '../../../table/column.ts'
import type { TablePage } from '../../../table/data-table.tsx'
import { pageAt } from '../../../table/page-at.ts'
import type { FlatSearch, Sort } from '../../../table/table-search.ts'
import { useFlatSearch } from '../../../table/use-flat-search.ts'
import { useTableState } from '../../../table/use-table-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ListPage, type ListTexts } from './list-page.tsx'
import type { MenuRow } from './menu-rows.tsx'

const MenuRows = lazyPart(() => import('./menu-rows.tsx'))

/** One line of the menu of a row, or none; `step`: it opens a dialog of the row. */
type StepRow<Step> =
  | false
  | MenuRow
  | (Omit<Extract<MenuRow, { onSelect(): void }>, 'onSelect'> & { readonly step: Step })

/** The dialog that the address names: of one item by its id, or of something new by its kind. */
export type AskedDialog<Item, Step> =
  | { readonly step: 'new'; readonly kind: string; readonly item: null }
  | { readonly step: Step; readonly kind?: undefined; readonly item: Item }

interface Listed {
  readonly id: string
  /** Whether it is set in the configuration file, and changed there alone. */
  readonly managed?: boolean
}

interface ResourcePageProps<Item extends Listed, Step extends string> {
  /** The name of the table, by which this browser keeps the choice of columns. */
  readonly name: string
  readonly icon: IconName
  readonly texts: ListTexts & { readonly new: string; readonly managed?: string }
  /** The kind of what the button in the head creates, as the address names it. */
  readonly kind: string
  /** The right to change what is listed. */
  readonly right: Right
  /** The query by which all of them were read, and what it returned. */
  readonly query: Omit<TablePage<Item>, 'data'>
  readonly items: readonly Item[] | undefined
  readonly columns: readonly Column<Item>[]
  readonly sort: Sort
  nameOf(item: Item): string
  /** The texts that are searched; absent: the name. */
  searched?(item: Item): readonly string[]
  readonly menu?: {
    readonly texts: { readonly columns: { readonly actions: string }; actionsOf(name: string): string }
    /** What can be done with one of them. */
    rows(item: Item): readonly StepRow<Step>[]
  }
  /** Opens a row; absent: its form, for those who may change it. */
  onOpen?(item: Item): void
  /** The path of the API under which the list is downloaded. */
  readonly download?: `/api/${string}`
  /** The dialogs of a row, by the names that the address has for them. */
  readonly steps: readonly Step[]
  dialog(asked: AskedDialog<Item, Step>, onClose: () => void): ReactNode
  readonly notes?: ReactNode
  more?(onNew: (kind: string) => void): ReactNode
}

/** A page of objects that are read as a whole: searched here, and created, changed and deleted in dialogs with addresses. */
export function ResourcePage<Item extends Listed, Step extends string>(
  props: ResourcePageProps<Item, Step>,
): ReactNode {
  const { texts, query, items, nameOf, menu, steps } = props
  const table = useTableState({ filters: [], sort: props.sort })
  const mayChange = useMay(props.right)
  const [flat, go] = useFlatSearch()
  const dialogs: readonly string[] = ['new', ...steps]
  const others = Object.fromEntries(Object.entries(flat).filter(([name]) => !dialogs.includes(name)))
  const onNew = (wanted: string): void => go({ ...others, new: wanted })
  const onStep = (step: Step, { id }: Item): void => go({ ...others, [step]: id })
  const edit = steps.find((step) => step === 'edit')
  const onOpen = props.onOpen ?? (mayChange && edit !== undefined ? (item: Item) => onStep(edit, item) : undefined)
  const asked = askedIn(flat, { items, steps })
  const managed = asked?.step === 'edit' && asked.item?.managed === true ? asked.item : null
  const close = (): void => go(others)
  const words = table.search.toLowerCase()
  const searched = props.searched ?? ((item: Item) => [nameOf(item)])
  const rows = items?.filter((item) => searched(item).some((text) => text.toLowerCase().includes(words)))
  return (
    <>
      <ListPage
        name={props.name}
        icon={props.icon}
        texts={texts}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => onNew(props.kind)}>
              {texts.new}
            </Button>
          )
        }
        notes={props.notes}
        columns={
          menu !== undefined && mayChange ? [...props.columns, actionsColumn(menu, nameOf, onStep)] : props.columns
        }
        state={table}
        page={{ ...query, data: rows && pageAt(rows, table.cursor) }}
        rowId={({ id }) => id}
        rowName={nameOf}
        {...(onOpen === undefined ? {} : { onOpen })}
        {...(props.download === undefined
          ? {}
          : { download: { path: props.download, query: { search: table.search } } })}
        more={props.more?.(onNew)}
      />
      {mayChange && asked !== null && (
        <Fragment key={`${asked.step} ${asked.item?.id ?? asked.kind}`}>
          {managed !== null ? (
            <Drawer isOpen title={nameOf(managed)} onClose={close}>
              <Notice>{texts.managed}</Notice>
            </Drawer>
          ) : (
            props.dialog(asked, close)
          )}
        </Fragment>
      )}
    </>
  )
}

function askedIn<Item extends Listed, Step extends string>(
  flat: FlatSearch,
  { items, steps }: Pick<ResourcePageProps<Item, Step>, 'items' | 'steps'>,
): AskedDialog<Item, Step> | null {
  const { new: kind } = flat
  if (kind !== undefined) return { step: 'new', kind, item: null }
  const step = steps.find((each) => flat[each] !== undefined)
  // An item that is gone opens nothing.
  const item = step === undefined ? undefined : items?.find(({ id }) => id === flat[step])
  return step === undefined || item === undefined ? null : { step, item }
}

function actionsColumn<Item extends Listed, Step extends string>(
  { rows, texts }: NonNullable<ResourcePageProps<Item, Step>['menu']>,
  nameOf: (item: Item) => string,
  onStep: (step: Step, item: Item) => void,
): Column<Item> {
  return {
    id: 'actions',
    header: texts.columns.actions,
    role: 'actions',
    width: 'w-14',
    cell: (item) => (
      <span className="flex justify-end">
        <Menu onNear={MenuRows.load} trigger={<IconButton icon="more" label={texts.actionsOf(nameOf(item))} />}>
          <MenuRows
            rows={rows(item)
              .filter((row) => row !== false)
              .map((row) => ('step' in row ? { ...row, onSelect: () => onStep(row.step, item) } : row))}
          />
        </Menu>
      </span>
    ),
  }
}
