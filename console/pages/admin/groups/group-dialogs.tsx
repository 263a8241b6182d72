import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { changeGroup, type UseOfGroup } from '../../../api/group-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { GroupUsers } from './group-effect.tsx'
import type { GroupStep } from './group-menu.tsx'

const GroupForm = lazyPart(() => import('./group-form.tsx'))
const DeleteGroup = lazyPart(() => import('./delete-group.tsx'))

/** The dialog that the address names, by the id of its group. One that is gone opens nothing. */
export default function GroupDialogs(props: {
  readonly groups: readonly GroupView[]
  readonly uses: ReadonlyMap<string, UseOfGroup> | null
  readonly wish: { readonly isNew: boolean } & { readonly [Step in GroupStep]: string | undefined }
  onClose(): void
}): ReactNode {
  const { groups, uses, wish, onClose } = props
  const found = (id: string | undefined): GroupView | null => groups.find((each) => each.id === id) ?? null
  const [edited, copied, disabled, deleted] = [
    found(wish.edit),
    found(wish.copy),
    found(wish.disable),
    found(wish.delete),
  ]
  const useOf = ({ id }: GroupView): UseOfGroup | null => uses?.get(id) ?? null
  if (wish.isNew) return <GroupForm kind="new" from={null} use={null} onClose={onClose} />
  if (edited !== null) {
    return <GroupForm key={edited.id} kind="edit" from={edited} use={useOf(edited)} onClose={onClose} />
  }
  if (copied !== null) return <GroupForm key={copied.id} kind="new" from={copied} use={null} onClose={onClose} />
  if (disabled !== null)
    return <DisableGroup key={disabled.id} group={disabled} use={useOf(disabled)} onClose={onClose} />
  if (deleted !== null) {
    return <DeleteGroup key={deleted.id} group={deleted} use={useOf(deleted)} groups={groups} onClose={onClose} />
  }
  return null
}

function DisableGroup(props: {
  readonly group: GroupView
  readonly use: UseOfGroup | null
  onClose(): void
}): ReactNode {
  const t = useTexts('groups')
  const toast = useToast()
  const queries = useQueryClient()
  const { use, onClose } = props
  // As it was when it was asked: where it was changed since, both versions are shown.
  const [group] = useState(props.group)
  const disable = useVersionedEdit<{ readonly enabled: false }>({
    version: group.version,
    send: async (wish, version) => {
      await changeGroup(group.id, wish, version)
      toast({ text: t.disabled(group.name) })
      onClose()
    },
    onSettled: () => {
      for (const name of ['groups', 'models', 'attention']) void queries.invalidateQueries({ queryKey: [name] })
    },
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
