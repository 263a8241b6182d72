import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Menu } from '../ui/menu.tsx'
import type { ShownColumns } from './use-shown-columns.ts'

const TableMenuItems = lazyPart(() => import('./table-menu-items.tsx'))

/** How a table is wanted: which columns, and how close the rows. */
export function TableMenu({ columns }: { readonly columns: ShownColumns<unknown> }): ReactNode {
  const t = useSharedTexts()
  return (
    <Menu onNear={TableMenuItems.load} trigger={<IconButton icon="columns" label={t.table.menu} />}>
      <TableMenuItems columns={columns} />
    </Menu>
  )
}
