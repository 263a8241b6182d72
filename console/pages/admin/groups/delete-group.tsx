import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { deleteGroup, moveKeys, type UseOfGroup } from '../../../api/group-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { formatMultiplier } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Select } from '../../../ui/select.tsx'
import { useToast } from '../../../ui/toasts.tsx'
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
  const queries = useQueryClient()
  const toast = useToast()
  const { group, use, onClose } = props
  // As it was when it was asked: while keys are moved they become fewer.
  const [hasKeys] = useState(use !== null && use.keys + use.fallback_keys > 0)
  const others = props.groups.filter(({ id }) => id !== group.id)
  const [targetId, setTargetId] = useState((others.find((each) => each.enabled && each.open) ?? others[0])?.id ?? '')
  const target = others.find(({ id }) => id === targetId)
  const [remaining, setRemaining] = useState<number | null>(null)
  const remove = useMutation({
    mutationFn: async () => {
      if (hasKeys && target !== undefined) await moveKeys(group.id, { to: target.name, onMoved: setRemaining })
      await deleteGroup(group.id)
    },
    onSuccess: () => {
      toast({ text: t.done(group.name) })
      onClose()
    },
    // Some of its keys may be elsewhere, also when it could not be deleted.
    onSettled: () => {
      for (const name of ['groups', 'models', 'attention', 'keys']) void queries.invalidateQueries({ queryKey: [name] })
    },
  })
  const isStuck = hasKeys && target === undefined
  return (
    <ConfirmDialog
      isOpen
      title={t.title(group.name)}
      action={hasKeys ? t.actionMoving : t.action}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => {
        if (!isStuck) remove.mutate()
      }}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>
          <GroupUsers use={use} more={t.text} />
        </p>
        {isStuck && <p className="text-bad">{t.noOther}</p>}
        {hasKeys && target !== undefined && (
          <Field name="to" label={t.whereTo} hint={hintOf(target)}>
            {(control) => (
              <Select
                {...control}
                options={others.map(({ id, name, multiplier }) => ({
                  value: id,
                  label: `${name} · ${formatMultiplier(multiplier)}`,
                }))}
                value={targetId}
                onValue={setTargetId}
              />
            )}
          </Field>
        )}
        {remove.isPending && remaining !== null && remaining > 0 && (
          <p role="status">{t.remaining(format.number(remaining))}</p>
        )}
        {remove.error !== null && <ErrorState error={remove.error} />}
      </div>
    </ConfirmDialog>
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
