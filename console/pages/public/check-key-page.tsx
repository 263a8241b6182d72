import { useState, type ReactNode } from 'react'
import type { KeyChecked } from '../../../src/contract/public-pages.ts'
import { checkKey } from '../../api/public-pages.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { KeyStanding } from './key-standing.tsx'
import { PublicFrame } from './public-frame.tsx'

/** The use and limits of one key, to those who have its secret. What is pasted is in the state of this page alone. */
export default function CheckKeyPage(): ReactNode {
  const t = useTexts('public').check
  const [checked, setChecked] = useState<KeyChecked | null>(null)
  return (
    <PublicFrame page="key_check" title={t.title} lead={t.lead}>
      {checked === null ? (
        <CheckForm onChecked={setChecked} />
      ) : (
        <KeyStanding checked={checked} onClose={() => setChecked(null)} />
      )}
    </PublicFrame>
  )
}

function CheckForm({ onChecked }: { onChecked(checked: KeyChecked): void }): ReactNode {
  const t = useTexts('public').check
  const shared = useSharedTexts()
  const [secret, setSecret] = useState('')
  const submission = useSubmission({
    fields: ['key'],
    check: () => (secret.trim() === '' ? { key: shared.required } : {}),
    send: () => checkKey(secret.trim()),
    onDone: onChecked,
  })
  return (
    <div className="card max-w-xl p-5">
      <Form
        submission={submission}
        label={t.title}
        foot={
          <div className="flex justify-end">
            <Button type="submit" look="primary" isBusy={submission.isSending}>
              {t.action}
            </Button>
          </div>
        }
      >
        <TextField
          // A name that no password store takes for its own.
          name="checked-key"
          label={t.key}
          hint={t.hint}
          type="password"
          isSecret
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          maxLength={200}
          value={secret}
          onValue={setSecret}
          error={submission.errorOf('key')}
        />
      </Form>
    </div>
  )
}
