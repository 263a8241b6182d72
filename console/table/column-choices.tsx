import type { ReactNode } from 'react'
import { MenuCheck } from '../ui/menu-items.tsx'
import type { ShownColumns } from './use-shown-columns.ts'

/** Which columns are shown, as items of a menu. Loaded when it is opened. */
export default function ColumnChoices<Row>({ columns }: { readonly columns: ShownColumns<Row> }): ReactNode {
  return columns.choices.map((choice) => (
    <MenuCheck key={choice.id} checked={choice.isShown} onChecked={() => columns.toggle(choice.id)}>
      {choice.header}
    </MenuCheck>
  ))
}
