import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { MenuCheck, MenuChoice, MenuGroup, MenuItem, MenuLine } from '../ui/menu-items.tsx'
import type { ShownColumns } from './use-shown-columns.ts'
import { useTableChoices } from './use-table-choices.ts'

/** The choice of this table's columns, and of how close the rows of all tables are. Loaded when it is opened. */
export default function TableMenuItems({ columns }: { readonly columns: ShownColumns<unknown> }): ReactNode {
  const { table: t } = useSharedTexts()
  const [{ isCompact }, change] = useTableChoices()
  return (
    <>
      {/* First: a table may have more columns than a phone has room. */}
      <MenuChoice<'comfortable' | 'compact'>
        label={t.density}
        value={isCompact ? 'compact' : 'comfortable'}
        onValue={(value) => change((choices) => ({ ...choices, isCompact: value === 'compact' }))}
        options={[
          { value: 'comfortable', label: t.comfortable },
          { value: 'compact', label: t.compact },
        ]}
      />
      <MenuLine />
      <MenuGroup label={t.columns}>
        {columns.choices.map((choice) => (
          <MenuCheck key={choice.id} checked={choice.isShown} onChecked={() => columns.toggle(choice.id)}>
            {choice.header}
          </MenuCheck>
        ))}
      </MenuGroup>
      <MenuItem isDisabled={columns.areUsual} onSelect={columns.reset}>
        {/* In line with the names above. */}
        <span className="w-4" />
        {t.resetColumns}
      </MenuItem>
    </>
  )
}
