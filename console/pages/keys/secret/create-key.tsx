import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createKey } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useOneTimeSecret } from '../../../forms/use-one-time-secret.ts'
import { creationOf } from '../form/key-draft.ts'
import { KeyForm } from '../form/key-form.tsx'
import { SecretFlow } from './secret-flow.tsx'

/** Makes a key and shows its secret, once. */
export function CreateKey({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('keys')
  const queryClient = useQueryClient()
  const secret = useOneTimeSecret()
  return (
    <SecretFlow title={t.form.title} titleWhenMade={t.secret.title} onClose={onClose}>
      {(onMade) => (
        <KeyForm
          before={null}
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
