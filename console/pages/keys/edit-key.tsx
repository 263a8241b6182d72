import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeyField } from '../../../src/causes/fixes.ts'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { changeKey } from '../../api/keys.ts'
import { keysDictionary } from '../../dictionaries/keys.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { changeOf, draftOf } from './form/key-draft.ts'
import { KeyForm } from './form/key-form.tsx'

/** Changes the settings of a key. Only what was changed is sent. */
export function EditKey(props: {
  readonly apiKey: ApiKeyView
  readonly field?: KeyField | undefined
  onClose(): void
}): ReactNode {
  const { apiKey, onClose } = props
  const t = keysDictionary.useTexts()
  const shared = useSharedTexts()
  const queryClient = useQueryClient()
  const toast = useToast()
  return (
    <Dialog isOpen onClose={onClose} title={t.form.editTitle(apiKey.name)}>
      <KeyForm
        before={{ keyId: apiKey.id, draft: draftOf(apiKey), expiresAt: apiKey.expires_at }}
        opensAt={props.field}
        submitLabel={shared.save}
        onCancel={onClose}
        send={async (draft) => {
          const change = changeOf(draft, apiKey, Date.now())
          return Object.keys(change).length === 0 ? null : changeKey(apiKey.id, change)
        }}
        onDone={(saved) => {
          toast({ text: saved === null ? t.form.unchanged : t.form.saved(saved.name) })
          void queryClient.invalidateQueries({ queryKey: ['keys'] })
          onClose()
        }}
      />
    </Dialog>
  )
}
