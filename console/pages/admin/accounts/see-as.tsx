import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { seeAs } from '../../../api/accounts.ts'
import { beginSeeing } from '../../../api/seeing.ts'
import { usePersonId } from '../../../api/use-person-id.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** Asks why, which the owner reads, and shows the account's own console in this tab. */
export default function SeeAs(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts').seeAs
  const shared = useSharedTexts()
  const { account, onClose } = props
  const viewerId = usePersonId()
  const [reason, setReason] = useState('')
  const submission = useSubmission({
    fields: ['reason'],
    check: (): FieldErrors => (reason.trim() === '' ? { reason: shared.required } : {}),
    send: () => seeAs(account.id, reason.trim()),
    onDone: ({ grant, until }) => {
      if (grant === null) return
      beginSeeing({ accountId: account.id, grant, until, ...(viewerId === null ? {} : { viewerId }) })
    },
  })
  return (
    <Dialog isOpen size="small" title={t.title(account.email)} description={t.lead} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.submit} onCancel={onClose} />}
      >
        <TextField
          name="reason"
          label={t.reason}
          hint={t.reasonHint}
          value={reason}
          onValue={setReason}
          error={submission.errorOf('reason')}
          maxLength={200}
          autoFocus
        />
      </Form>
    </Dialog>
  )
}
