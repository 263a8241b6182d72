import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { changeAccount } from '../../../api/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { ROLES } from '../roles.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

/** The button and the dialog by which an account gets another role; those of the declarative file have theirs there. */
export function ChangeRole({ account }: { readonly account: AccountView }): ReactNode {
  const t = useTexts('accounts')
  const [isOpen, setOpen] = useState(false)
  if (account.managed) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.changeRole.action}</Button>
      {isOpen && <RoleDialog account={account} onClose={() => setOpen(false)} />}
    </>
  )
}

function RoleDialog(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts')
  const guarded = useGuarded()
  // As it was when the dialog was opened.
  const [account] = useState(props.account)
  const form = useForm({
    initial: { role: account.role },
    fields: [],
    send: ({ role }, { version }) => guarded(() => changeAccount(account.id, { role }, version ?? account.version)),
    done: (saved) => t.changeRole.done(t.roles[saved.role]),
    refreshes: ['accounts'],
    onClose: props.onClose,
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.changeRole.title(account.email)}
      description={t.changeRole.lead}
      onClose={props.onClose}
    >
      <RadioCards
        name="role"
        label={t.columns.role}
        options={ROLES.map((value) => ({ value, label: t.roles[value], detail: t.roleHints[value] }))}
        value={form.values.role}
        onValue={(role) => form.change({ role })}
        columns={1}
      />
    </FormDialog>
  )
}
