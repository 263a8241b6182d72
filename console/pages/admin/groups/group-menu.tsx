import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { changeGroup } from '../../../api/group-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { MenuItem, MenuLine, MenuLink } from '../../../ui/menu-items.tsx'
import type { RowMenuProps } from '../kit/resource-page.tsx'
import { useChange } from '../../../forms/use-change.ts'

/** The dialogs of a group, as the address names them. */
export type GroupStep = 'edit' | 'copy' | 'disable' | 'delete'

/** What can be done with one group. Those from the file can be duplicated, and changed there alone. */
export default function GroupMenu({ item: group, onStep }: RowMenuProps<GroupView, GroupStep>): ReactNode {
  const t = useTexts('groups')
  // Enabling is harmless, so it is not asked about.
  const enable = useChange({
    send: () => changeGroup(group.id, { enabled: true }, group.version),
    done: () => t.enabled(group.name),
    refreshes: ['groups', 'models', 'attention'],
  })
  const duplicate = (
    <MenuItem icon="copy" onSelect={() => onStep('copy')}>
      {t.duplicate}
    </MenuItem>
  )
  const history = (
    <MenuLink icon="clock" link={<Link to={ADMIN_PATHS.audit} search={{ q: group.id }} />}>
      {t.history}
    </MenuLink>
  )
  if (group.managed) {
    return (
      <>
        <p className="max-w-64 px-2.5 py-1.5 text-sm text-ink-2">{t.managed}</p>
        {duplicate}
        {history}
      </>
    )
  }
  return (
    <>
      <MenuItem icon="edit" onSelect={() => onStep('edit')}>
        {t.edit}
      </MenuItem>
      {duplicate}
      {history}
      {group.enabled ? (
        <MenuItem icon="pause" onSelect={() => onStep('disable')}>
          {t.disable}
        </MenuItem>
      ) : (
        <MenuItem icon="play" onSelect={() => enable.mutate()}>
          {t.enable}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="trash" isDangerous onSelect={() => onStep('delete')}>
        {t.delete}
      </MenuItem>
    </>
  )
}
