import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { changeKey, createKey, deleteKey } from '../../api/keys.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { useOneTimeSecret } from '../../forms/use-one-time-secret.ts'
import { EditKey } from './edit-key.tsx'
import { creationOf } from './form/key-draft.ts'
import { KeyForm } from './form/key-form.tsx'
import type { KeyStep } from './key-step.ts'
import { RotateKey } from './secret/rotate-key.tsx'
import { SecretFlow } from './secret/secret-flow.tsx'
import { ImportKey, UseKey } from './use-key.tsx'
import { focusBeside } from '../../table/row-focus.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useNow } from '../../ui/use-now.ts'

/** The dialog of a step. It is taken off the page when it closes, and everything that was typed or shown in it goes, too. */
export default function KeyStepDialog({ step, onClose }: { readonly step: KeyStep; onClose(): void }): ReactNode {
  switch (step.kind) {
    case 'create':
      return <CreateKey onClose={onClose} />
    case 'use':
      return <UseKey apiKey={step.apiKey} onClose={onClose} />
    case 'import':
      return <ImportKey apiKey={step.apiKey} onClose={onClose} />
    case 'edit':
      return <EditKey apiKey={step.apiKey} fix={step.fix} onClose={onClose} />
    case 'rotate':
      return <RotateKey apiKey={step.apiKey} onClose={onClose} />
    case 'disable':
    case 'delete':
      return <ConfirmStep kind={step.kind} apiKey={step.apiKey} onClose={onClose} />
  }
}

/** Asks before a key is deleted or disabled, which cuts what runs with it. */
function ConfirmStep(props: {
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

/** Makes a key and shows its secret, once. */
function CreateKey({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('keys')
  const queryClient = useQueryClient()
  const secret = useOneTimeSecret()
  return (
    <SecretFlow title={t.form.title} titleWhenMade={t.secret.title} onClose={onClose}>
      {(onMade) => (
        <KeyForm
          before={null}
          keptAs="key"
          submitLabel={t.form.submit}
          onCancel={onClose}
          send={async (draft, { idempotencyKey, sinceMs }) => {
            const answer = await createKey(creationOf(draft, sinceMs), idempotencyKey)
            secret.keep(answer)
            return answer.key
          }}
          onDone={(key) => {
            onMade({ key, secret: secret.take() })
            void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] })
          }}
        />
      )}
    </SecretFlow>
  )
}
