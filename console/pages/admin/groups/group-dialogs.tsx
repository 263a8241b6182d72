import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { changeGroup, type UseOfGroup } from '../../../api/group-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import type { AskedDialog } from '../kit/resource-page.tsx'
import { useRefresh } from '../../../forms/use-refresh.ts'
import { GroupUsers } from './group-effect.tsx'
import type { GroupStep } from './group-menu.tsx'

const EditGroup = lazyPart(() => import('./edit-group.tsx'))
const DeleteGroup = lazyPart(() => import('./delete-group.tsx'))

/** The dialog of a group that the address names. */
export default function GroupDialogs(props: {
  readonly asked: AskedDialog<GroupView, GroupStep>
  readonly groups: readonly GroupView[]
  readonly uses: ReadonlyMap<string, UseOfGroup> | null
  onClose(): void
}): ReactNode {
  const { asked, groups, uses, onClose } = props
  if (asked.step === 'new') return <EditGroup kind="new" from={null} use={null} onClose={onClose} />
  const { step, item: group } = asked
  const use = uses?.get(group.id) ?? null
  if (step === 'edit') return <EditGroup kind="edit" from={group} use={use} onClose={onClose} />
  if (step === 'copy') return <EditGroup kind="new" from={group} use={null} onClose={onClose} />
  if (step === 'disable') return <DisableGroup group={group} use={use} onClose={onClose} />
  return <DeleteGroup group={group} use={use} groups={groups} onClose={onClose} />
}

function DisableGroup(props: {
  readonly group: GroupView
  readonly use: UseOfGroup | null
  onClose(): void
}): ReactNode {
  const t = useTexts('groups')
  const toast = useToast()
  const refresh = useRefresh()
  const { use, onClose } = props
  // As it was when it was asked: where it was changed since, both versions are shown.
  const [group] = useState(props.group)
  const disable = useVersionedEdit<{ readonly enabled: false }>({
    version: group.version,
    send: async (change, version) => {
      await changeGroup(group.id, change, version)
      toast({ text: t.disabled(group.name) })
      onClose()
    },
    onSettled: () => refresh(['groups', 'models', 'attention']),
  })
  return (
    <>
      <ConfirmDialog
        isOpen={!disable.hasCollided}
        title={t.disabling.title(group.name)}
        action={t.disable}
        isDangerous
        isBusy={disable.isPending}
        onConfirm={() => disable.press({ enabled: false })}
        onClose={onClose}
      >
        <p>
          <GroupUsers use={use} more={use !== null && use.keys > 0 ? t.effect.disabled : undefined} />
        </p>
      </ConfirmDialog>
      {disable.dialog}
    </>
  )
}
