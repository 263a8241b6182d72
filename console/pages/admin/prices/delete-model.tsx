import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { deleteModel } from '../../../api/catalogue-changes.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useToast } from '../../../ui/toasts.tsx'

/** Asks before a model is deleted, and says which groups lose it. */
export default function DeleteModel(props: { readonly model: ModelView; onDone(): void; onClose(): void }): ReactNode {
  const t = useTexts('prices').deleting
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  const { model } = props
  const remove = useMutation({
    mutationFn: () => deleteModel(model.id),
    onSuccess: () => {
      toast({ text: t.done(model.name) })
      props.onDone()
      for (const name of ['models', 'upstreams', 'groups', 'attention']) {
        void queries.invalidateQueries({ queryKey: [name] })
      }
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={t.title(model.name)}
      action={t.action}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={props.onClose}
    >
      <div className="grid gap-3">
        <p>
          {model.groups.length === 0 ? t.noGroup : t.groups(format.list(model.groups.map(({ name }) => name)))} {t.text}
        </p>
        {remove.error !== null && <ErrorState error={remove.error} />}
      </div>
    </ConfirmDialog>
  )
}
