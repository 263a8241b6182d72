import type { ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { seeAs } from '../../../api/accounts.ts'
import { beginSeeing } from '../../../api/seeing.ts'
import { usePersonId } from '../../../api/use-person-id.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

/** Asks why, which the owner reads, and shows the account's own console in this tab. */
export default function SeeAs(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts').seeAs
  const { account, onClose } = props
  const viewerId = usePersonId()
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => ({ reason: reason.trim() === '' && 'required' }),
    send: ({ reason }) => seeAs(account.id, reason.trim()),
    onDone: ({ grant, until }) => {
      if (grant === null) return
      beginSeeing({ accountId: account.id, grant, until, ...(viewerId === null ? {} : { viewerId }) })
    },
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.title(account.email)}
      description={t.lead}
      action={t.submit}
      onClose={onClose}
    >
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={200} autoFocus />
    </FormDialog>
  )
}
