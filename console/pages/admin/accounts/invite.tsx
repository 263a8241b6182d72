import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { invite, type OneTimeLink } from '../../../api/accounts.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission } from '../../../forms/use-submission.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { ShownLink } from './one-time-link.tsx'
import { ROLES } from '../roles.ts'

/** Makes a link by which one person opens an account, and shows it once. */
export default function Invite({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('accounts')
  const guarded = useGuarded()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<AccountView['role']>('user')
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const submission = useSubmission({
    fields: ['email', 'role'],
    send: (key) => guarded(() => invite({ email: email.trim() === '' ? null : email.trim(), role }, key)),
    onDone: setLink,
  })
  if (link !== null) {
    return (
      <Dialog isOpen size="small" title={t.link.title} onClose={onClose}>
        <ShownLink link={link} />
      </Dialog>
    )
  }
  return (
    <Dialog isOpen size="small" title={t.inviting.title} description={t.inviting.lead} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.inviting.action} onCancel={onClose} />}
      >
        <TextField
          name="email"
          label={t.inviting.email}
          hint={t.inviting.emailHint}
          isOptional
          type="email"
          autoComplete="off"
          autoFocus
          maxLength={254}
          value={email}
          onValue={setEmail}
          error={submission.errorOf('email')}
        />
        <Field name="role" label={t.inviting.role} hint={t.roleHints[role]} error={submission.errorOf('role')}>
          {(control) => (
            <Select
              {...control}
              value={role}
              onValue={setRole}
              options={ROLES.map((value) => ({ value, label: t.roles[value] }))}
            />
          )}
        </Field>
      </Form>
    </Dialog>
  )
}
