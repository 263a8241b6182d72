import type { ReactNode } from 'react'
import { seeingNow } from '../api/seeing.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import DownloadItems from '../ui/download-items.tsx'
import type { Download } from '../ui/download.ts'
import { MenuItem, MenuLine } from '../ui/menu-items.tsx'
import TableMenuItems from './table-menu-items.tsx'
import type { ShownColumns } from './use-shown-columns.ts'

/** What a phone has behind one button: the table as a file, look again, and how it is wanted. */
export default function PhoneMenuItems(props: {
  readonly columns: ShownColumns<unknown>
  readonly download: Download | undefined
  onRefresh(): void
}): ReactNode {
  const t = useSharedTexts()
  return (
    <>
      <MenuItem icon="refresh" onSelect={props.onRefresh}>
        {t.table.refresh}
      </MenuItem>
      {props.download !== undefined && seeingNow() === null && <DownloadItems {...props.download} />}
      <MenuLine />
      <TableMenuItems columns={props.columns} />
    </>
  )
}
