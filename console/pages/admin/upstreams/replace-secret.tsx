import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { replaceSecret } from '../../../api/upstream-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toasts.tsx'

/** Gives one credential of a pool another secret. */
export default function ReplaceSecret(props: {
  readonly upstream: UpstreamView
  readonly name: string
  onClose(): void
}): ReactNode {
  const t = useTexts('upstreams').replacing
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const toast = useToast()
  const { name, onClose } = props
  // As it was when the form was opened: the rest of the pool is sent along.
  const [upstream] = useState(props.upstream)
  const [secret, setSecret] = useState('')
  const submission = useSubmission({
    fields: ['credentials'],
    check: (): FieldErrors => (secret.trim() === '' ? { credentials: shared.required } : {}),
    send: (_key, overwritten) =>
      replaceSecret(upstream, { name, secret: secret.trim(), version: overwritten ?? upstream.version }),
    onTheirs: () => {
      void queries.invalidateQueries({ queryKey: ['upstreams'] })
      onClose()
    },
    onDone: () => {
      void queries.invalidateQueries({ queryKey: ['upstreams'] })
      toast({ text: t.done(name) })
      onClose()
    },
  })
  return (
    <Dialog isOpen size="small" title={t.title(name)} description={t.lead} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.action} onCancel={onClose} />}
      >
        <TextField
          name="credentials"
          label={t.secret}
          type="password"
          isSecret
          autoComplete="off"
          value={secret}
          onValue={setSecret}
          error={submission.errorOf('credentials')}
        />
      </Form>
    </Dialog>
  )
}
