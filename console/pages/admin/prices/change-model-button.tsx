import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { changeModel, type ModelChange } from '../../../api/catalogue-changes.ts'
import { modelQuery } from '../../../api/price-admin.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { Button, type ButtonProps } from '../../../ui/button.tsx'

/** Changes a model by a press, with both versions where another admin changed it meanwhile. */
export function useModelChange(model: ModelView): ReturnType<typeof useVersionedEdit<ModelChange>> {
  const queries = useQueryClient()
  return useVersionedEdit<ModelChange>({
    version: model.version ?? '',
    send: async (to, version) => {
      const saved = await changeModel(model.id, to, version)
      queries.setQueryData(modelQuery(saved.id).queryKey, saved)
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['models'] }),
  })
}

/** A button that changes a model. */
export function ChangeModelButton(
  props: Omit<ButtonProps, 'onClick' | 'isBusy'> & { readonly model: ModelView; readonly change: ModelChange },
): ReactNode {
  const { model, change, ...button } = props
  const edit = useModelChange(model)
  return (
    <>
      <Button {...button} isBusy={edit.isPending} onClick={() => edit.press(change)} />
      {edit.dialog}
    </>
  )
}
