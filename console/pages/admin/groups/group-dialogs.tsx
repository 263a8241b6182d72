import { type ReactNode, useState } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { changeGroup, deleteGroup, moveKeys, type UseOfGroup } from '../../../api/group-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import type { AskedDialog } from '../kit/resource-page.tsx'
import { useRefresh } from '../../../forms/use-refresh.ts'
import { GroupUsers } from './group-effect.tsx'

const EditGroup = lazyPart(() => import('./edit-group.tsx'))

/** The dialogs of a group, as the address names them. */
export type GroupStep = 'edit' | 'copy' | 'disable' | 'delete'

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

/** Deletes a group; where keys use it, asks first where they go. */
function DeleteGroup(props: {
  readonly group: GroupView
  readonly use: UseOfGroup | null
  readonly groups: readonly GroupView[]
  onClose(): void
}): ReactNode {
  const t = useTexts('groups').deleting
  const format = useFormat()
  const { group, use, onClose } = props
  // As it was when it was asked: while keys are moved they become fewer.
  const [hasKeys] = useState(use !== null && use.keys + use.fallback_keys > 0)
  const others = props.groups.filter(({ id }) => id !== group.id)
  const [targetId, setTargetId] = useState((others.find((each) => each.enabled && each.open) ?? others[0])?.id ?? '')
  const target = others.find(({ id }) => id === targetId)
  const [remaining, setRemaining] = useState<number | null>(null)
  const isStuck = hasKeys && target === undefined
  return (
    <DeleteDialog
      name={group.name}
      texts={hasKeys ? { ...t, action: t.actionMoving } : t}
      isBlocked={isStuck}
      send={async () => {
        try {
          if (hasKeys && target !== undefined) await moveKeys(group.id, { to: target.name, onMoved: setRemaining })
          await deleteGroup(group.id)
        } finally {
          setRemaining(null)
        }
      }}
      // Some of its keys may be elsewhere, also when it could not be deleted.
      refreshes={['groups', 'models', 'attention', 'keys']}
      onClose={onClose}
    >
      <p>
        <GroupUsers use={use} more={t.text} />
      </p>
      {isStuck && <p className="text-bad">{t.noOther}</p>}
      {hasKeys && target !== undefined && (
        <SelectField
          name="to"
          label={t.whereTo}
          hint={hintOf(target)}
          options={others.map(({ id, name, multiplier }) => ({
            value: id,
            label: `${name} · ${formatMultiplier(multiplier)}`,
          }))}
          value={targetId}
          onValue={setTargetId}
        />
      )}
      {remaining !== null && remaining > 0 && <p role="status">{t.remaining(format.number(remaining))}</p>}
    </DeleteDialog>
  )

  function hintOf({ enabled, open, multiplier }: GroupView): ReactNode {
    return (
      <>
        {t.moving(formatMultiplier(multiplier))}
        {!open && <span className="block text-warn">{t.closed}</span>}
        {!enabled && <span className="block text-warn">{t.off}</span>}
      </>
    )
  }
}
