import type { ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { closeAccount } from '../../../../api/accounts.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { TextField } from '../../../../forms/text-field.tsx'
import { useFormat } from '../../../../format/use-format.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { useForm } from '../../../../forms/use-form.ts'

/** Says what ends, what is forgotten and what is kept, and closes the account once its address is typed. */
export default function CloseAccount(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('oneAccount').closing
  const format = useFormat()
  const guarded = useGuarded()
  const { account, onClose } = props
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim().toLowerCase() !== account.email.toLowerCase() && 'mismatch' }),
    messages: t,
    send: (_values, { key }) => guarded(() => closeAccount(account.id, key)),
    done: () => t.done,
    refreshes: ['accounts', 'audit', 'attention'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title(account.email)} action={t.submit} onClose={onClose}>
      <div className="grid gap-2">
        <p>{t.ends}</p>
        <p>{t.forgets}</p>
        <p className="font-medium text-ink">{t.keeps(format.exactMoney(account.balance))}</p>
      </div>
      <TextField {...form.text('email', t.confirm)} autoComplete="off" autoFocus />
    </FormDialog>
  )
}
