import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { changeKey, deleteKey } from '../../api/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { focusBeside } from '../../table/row-focus.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useNow } from '../../ui/use-now.ts'

/** Asks before a key is deleted or disabled, which cuts what runs with it. */
export function ConfirmStep(props: {
  readonly kind: 'delete' | 'disable'
  readonly apiKey: ApiKeyView
  onClose(): void
}): ReactNode {
  const t = useTexts('keys').confirm
  const format = useFormat()
  const nowMs = useNow()
  const toast = useToast()
  const queryClient = useQueryClient()
  const { kind, apiKey, onClose } = props
  const step = useMutation({
    mutationFn: async () => {
      if (kind === 'delete') await deleteKey(apiKey.id)
      else await changeKey(apiKey.id, { status: 'disabled' })
    },
    onSuccess: () => {
      toast({ text: kind === 'delete' ? t.deleted(apiKey.name) : t.disabled(apiKey.name) })
      void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] }).then(focusBeside(apiKey.id))
      onClose()
    },
  })
  const lastUsed = apiKey.last_used_at
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      isDangerous
      isBusy={step.isPending}
      error={step.error}
      onConfirm={() => step.mutate()}
      title={kind === 'delete' ? t.deleteTitle(apiKey.name) : t.disableTitle(apiKey.name)}
      action={kind === 'delete' ? t.deleteAction : t.disableAction}
    >
      <p>{kind === 'delete' ? t.deleteText : t.disableText}</p>
      <p className="mt-2">{lastUsed === null ? t.deleteUnused : t.deleteUsed(format.ago(lastUsed, nowMs))}</p>
    </ConfirmDialog>
  )
}
