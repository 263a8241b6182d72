import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { invite, type OneTimeLink } from '../../../api/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { ShownLink } from './one-time-link.tsx'
import { ROLES } from '../roles.ts'

/** Makes a link by which one person opens an account, and shows it once. */
export default function Invite({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('accounts')
  const guarded = useGuarded()
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const form = useForm({
    initial: { email: '', role: 'user' as AccountView['role'] },
    send: ({ email, role }, { key }) =>
      guarded(() => invite({ email: email.trim() === '' ? null : email.trim(), role }, key)),
    onDone: setLink,
  })
  const { role } = form.values
  if (link !== null) {
    return (
      <Dialog isOpen size="small" title={t.link.title} onClose={onClose}>
        <ShownLink link={link} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.inviting.title}
      description={t.inviting.lead}
      action={t.inviting.action}
      onClose={onClose}
    >
      <TextField
        {...form.text('email', t.inviting.email)}
        hint={t.inviting.emailHint}
        isOptional
        type="email"
        autoComplete="off"
        autoFocus
        maxLength={254}
      />
      <SelectField
        name="role"
        label={t.inviting.role}
        hint={t.roleHints[role]}
        error={form.errorOf('role')}
        value={role}
        onValue={(next) => form.change({ role: next })}
        options={ROLES.map((value) => ({ value, label: t.roles[value] }))}
      />
    </FormDialog>
  )
}
