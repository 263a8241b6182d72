import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { closeAccount } from '../../../../api/accounts.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../../../forms/use-submission.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useToast } from '../../../../ui/toasts.tsx'

/** Says what ends, what is forgotten and what is kept, and closes the account once its address is typed. */
export default function CloseAccount(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('oneAccount').closing
  const format = useFormat()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const { account, onClose } = props
  const [typed, setTyped] = useState('')
  const submission = useSubmission({
    fields: ['email'],
    check: (): FieldErrors => (typed.trim().toLowerCase() === account.email.toLowerCase() ? {} : { email: t.mismatch }),
    send: (key) => guarded(() => closeAccount(account.id, key)),
    onDone: () => {
      for (const name of ['accounts', 'audit', 'attention']) void queries.invalidateQueries({ queryKey: [name] })
      toast({ text: t.done })
      onClose()
    },
  })
  return (
    <Dialog isOpen size="small" title={t.title(account.email)} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.submit} onCancel={onClose} />}
      >
        <div className="grid gap-2">
          <p>{t.ends}</p>
          <p>{t.forgets}</p>
          <p className="font-medium text-ink">{t.keeps(format.exactMoney(account.balance))}</p>
        </div>
        <TextField
          name="email"
          label={t.confirm}
          value={typed}
          onValue={setTyped}
          error={submission.errorOf('email')}
          autoComplete="off"
          autoFocus
        />
      </Form>
    </Dialog>
  )
}
