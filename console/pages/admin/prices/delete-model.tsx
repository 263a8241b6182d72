import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { deleteModel } from '../../../api/catalogue-changes.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { DeleteDialog } from '../kit/delete-dialog.tsx'

/** Asks before a model is deleted, and says which groups lose it. */
export default function DeleteModel(props: { readonly model: ModelView; onDone(): void; onClose(): void }): ReactNode {
  const t = useTexts('prices').deleting
  const format = useFormat()
  const { model } = props
  return (
    <DeleteDialog
      name={model.name}
      texts={t}
      send={() => deleteModel(model.id)}
      onDone={props.onDone}
      refreshes={['models', 'upstreams', 'groups', 'attention']}
      onClose={props.onClose}
    >
      <p>
        {model.groups.length === 0 ? t.noGroup : t.groups(format.list(model.groups.map(({ name }) => name)))} {t.text}
      </p>
    </DeleteDialog>
  )
}
