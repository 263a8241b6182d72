import { useQueryClient } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { createKey, type MadeKey } from '../../../api/keys.ts'
import { keysDictionary } from '../../../dictionaries/keys.ts'
import { creationOf } from '../form/key-draft.ts'
import { KeyForm } from '../form/key-form.tsx'
import { SecretFlow } from './secret-flow.tsx'

/** Makes a key and shows its secret, once. */
export function CreateKey({ onClose }: { onClose(): void }): ReactNode {
  const t = keysDictionary.useTexts()
  const queryClient = useQueryClient()
  // Between answer and display. The mutation's own result stays in a cache, so the secret must not be in it.
  const secret = useRef<string | null>(null)
  return (
    <SecretFlow title={t.form.title} titleWhenMade={t.secret.title} onClose={onClose}>
      {(onMade) => (
        <KeyForm
          before={null}
          submitLabel={t.form.submit}
          onCancel={onClose}
          send={async (draft, idempotencyKey) => {
            const answer = await createKey(creationOf(draft, Date.now()), idempotencyKey)
            secret.current = answer.secret
            return answer.key
          }}
          onDone={(key) => {
            const made: MadeKey = { key, secret: secret.current }
            secret.current = null
            onMade(made)
            void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] })
          }}
        />
      )}
    </SecretFlow>
  )
}
