import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountView, InvitationView } from '../../../../src/contract/accounts.ts'
import { invitationsQuery, invite, type OneTimeLink, withdrawInvitation } from '../../../api/accounts.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, Drawer } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useChange } from '../../../forms/use-change.ts'
import { useForm } from '../../../forms/use-form.ts'
import { ROLES } from '../roles.ts'
import { ShownLink } from './one-time-link.tsx'

/** Who was invited, and what became of it; what was not used yet is withdrawn here. */
export default function Invitations({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('accounts').invitations
  const invitations = useQuery(invitationsQuery)
  const [isWithdrawn, setWithdrawn] = useState(false)
  return (
    <Drawer isOpen title={t.title} onClose={onClose}>
      {/* Not in a toast: what stands beside a drawer is not said while it is open. */}
      <p role="status" className="text-good">
        {isWithdrawn && t.withdrawn}
      </p>
      <QueryView query={invitations} skeleton={<SkeletonLines count={6} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-ink-2">{t.none}</p>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((each) => (
                <Invitation key={each.id} invitation={each} onWithdrawn={() => setWithdrawn(true)} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Drawer>
  )
}

function Invitation(props: { readonly invitation: InvitationView; onWithdrawn(): void }): ReactNode {
  const texts = useTexts('accounts')
  const t = texts.invitations
  const format = useFormat()
  const nowMs = useNow()
  const mayChange = useMay('admin')
  const { id, role, expires_at: expiresAt, used_by: usedBy } = props.invitation
  const withdraw = useChange({
    send: () => withdrawInvitation(id),
    onDone: props.onWithdrawn,
    refreshes: ['accounts'],
  })
  const state = usedBy !== null ? 'used' : Date.parse(expiresAt) <= nowMs ? 'expired' : 'open'
  const who = props.invitation.email ?? t.anyone
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{who}</span>
          <Badge tone={state === 'used' ? 'good' : state === 'open' ? 'accent' : 'neutral'} hasDot>
            {t.states[state]}
          </Badge>
        </span>
        <span className="block text-sm text-ink-3">
          {texts.roles[role]} · {texts.link.until(format.time(expiresAt))}
        </span>
      </span>
      {state === 'open' && mayChange && (
        <Button aria-label={t.withdrawOf(who)} isBusy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {t.withdraw}
        </Button>
      )}
    </li>
  )
}

/** Makes a link by which one person opens an account, and shows it once. */
export function Invite({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('accounts')
  const guarded = useGuarded()
  const [link, setLink] = useState<OneTimeLink | null>(null)
  const form = useForm({
    initial: { email: '', role: 'user' as AccountView['role'] },
    send: ({ email, role }, { key }) =>
      guarded(() => invite({ email: email.trim() === '' ? null : email.trim(), role }, key)),
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
        {...form.choice('role', t.inviting.role)}
        hint={t.roleHints[form.values.role]}
        options={ROLES.map((value) => ({ value, label: t.roles[value] }))}
      />
    </FormDialog>
  )
}
