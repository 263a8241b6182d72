import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { createSigningSecret } from '../../../../api/payments.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { useOneTimeSecret } from '../../../../forms/use-one-time-secret.ts'
import { useSubmission } from '../../../../forms/use-submission.ts'
import { Button } from '../../../../ui/button.tsx'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { Notice } from '../../../../ui/notice.tsx'

/** Creates the secret that a shop signs its orders with, and shows it, once: it lives in this component's state alone. */
export function ShopSecret({ hasOne, onClose }: { readonly hasOne: boolean; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings').shop
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const kept = useOneTimeSecret()
  const [made, setMade] = useState<{ readonly secret: string | null } | null>(null)
  const submission = useSubmission({
    fields: [],
    send: async (key) => kept.keep(await createSigningSecret(key)),
    onDone: () => {
      setMade({ secret: kept.take() })
      void queries.invalidateQueries({ queryKey: ['settings', 'payments'] })
    },
  })
  if (made === null) {
    return (
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={hasOne ? t.replace : t.create} onCancel={onClose} />}
      >
        <p>{hasOne ? t.replaceText : t.createText}</p>
      </Form>
    )
  }
  return (
    <div className="grid gap-4">
      <Notice tone={made.secret === null ? 'bad' : 'warn'} isLive>
        {made.secret === null ? t.lost : t.once}
      </Notice>
      {made.secret !== null && <CopyField label={t.secret} value={made.secret} />}
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          {shared.close}
        </Button>
      </div>
    </div>
  )
}
