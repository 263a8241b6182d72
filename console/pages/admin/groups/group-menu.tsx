import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { changeGroup } from '../../../api/group-admin.ts'
import { groupsDictionary } from '../../../dictionaries/groups.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { MenuItem, MenuLine, MenuLink } from '../../../ui/menu-items.tsx'
import { useToast } from '../../../ui/toasts.tsx'

/** What stands in the address while its dialog is open. */
export type GroupStep = 'edit' | 'copy' | 'disable' | 'delete'

/** What can be done with one group. Those from the file can be duplicated, and changed there alone. */
export default function GroupMenu(props: {
  readonly group: GroupView
  onStep(step: GroupStep, group: GroupView): void
}): ReactNode {
  const t = groupsDictionary.useTexts()
  const { group, onStep } = props
  const enable = useEnabling(group)
  const duplicate = (
    <MenuItem icon="copy" onSelect={() => onStep('copy', group)}>
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
      <MenuItem icon="edit" onSelect={() => onStep('edit', group)}>
        {t.edit}
      </MenuItem>
      {duplicate}
      {history}
      {group.enabled ? (
        <MenuItem icon="pause" onSelect={() => onStep('disable', group)}>
          {t.disable}
        </MenuItem>
      ) : (
        <MenuItem icon="play" onSelect={enable}>
          {t.enable}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="trash" isDangerous onSelect={() => onStep('delete', group)}>
        {t.delete}
      </MenuItem>
    </>
  )
}

/** Enabling is harmless, so it is not asked about. */
function useEnabling(group: GroupView): () => void {
  const t = groupsDictionary.useTexts()
  const toast = useToast()
  const problemText = useProblemText()
  const queries = useQueryClient()
  const enable = useMutation({
    mutationFn: () => changeGroup(group.id, { enabled: true }, group.version),
    // Said by the options and not by the call: the menu is gone by then.
    onSuccess: () => {
      toast({ text: t.enabled(group.name) })
      for (const name of ['groups', 'models', 'attention']) void queries.invalidateQueries({ queryKey: [name] })
    },
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
  return () => enable.mutate()
}
