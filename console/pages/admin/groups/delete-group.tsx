import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { deleteGroup, moveKeys, type UseOfGroup } from '../../../api/group-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import { GroupUsers } from './group-effect.tsx'

/** Deletes a group; where keys use it, asks first where they go. */
export default function DeleteGroup(props: {
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
