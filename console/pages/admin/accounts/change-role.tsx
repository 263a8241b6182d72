import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { changeAccount } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { useSubmission } from '../../../forms/use-submission.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { ROLES } from '../roles.ts'

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
  const shared = useSharedTexts()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the dialog was opened.
  const [account] = useState(props.account)
  const [role, setRole] = useState(account.role)
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['accounts'] })
  const submission = useSubmission({
    fields: [],
    send: (_key, overwritten) => guarded(() => changeAccount(account.id, { role }, overwritten ?? account.version)),
    onTheirs: () => {
      refresh()
      props.onClose()
    },
    onDone: (saved) => {
      refresh()
      toast({ text: t.changeRole.done(t.roles[saved.role]) })
      props.onClose()
    },
  })
  return (
    <Dialog
      isOpen
      size="small"
      title={t.changeRole.title(account.email)}
      description={t.changeRole.lead}
      onClose={props.onClose}
    >
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={shared.save} onCancel={props.onClose} />}
      >
        <RadioCards
          name="role"
          label={t.columns.role}
          options={ROLES.map((value) => ({ value, label: t.roles[value], detail: t.roleHints[value] }))}
          value={role}
          onValue={setRole}
          columns={1}
        />
      </Form>
    </Dialog>
  )
}
