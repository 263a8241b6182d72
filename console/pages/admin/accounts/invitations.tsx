import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { InvitationView } from '../../../../src/contract/accounts.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { invitationsQuery, withdrawInvitation } from '../../../api/accounts.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useChange } from '../../../forms/use-change.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/use-now.ts'

/** Who was invited, what each invitation gives and what became of it; what was not used yet is withdrawn here. */
export default function Invitations({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('accounts').invitations
  const invitations = useQuery(invitationsQuery)
  const [isWithdrawn, setWithdrawn] = useState(false)
  return (
    <Drawer isOpen title={t.title} onClose={onClose}>
      {/* Not in a toast: what stands beside a drawer is not said while it is open. */}
      <p role="status" className="text-ink-2">
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
  const { id, role, expires_at: expiresAt, used_by: usedBy, invited_by: inviter } = props.invitation
  const withdraw = useChange({
    send: () => withdrawInvitation(id),
    onDone: props.onWithdrawn,
    refreshes: ['accounts'],
  })
  const state = usedBy !== null ? 'used' : Date.parse(expiresAt) <= nowMs ? 'expired' : 'open'
  const who = props.invitation.email ?? t.anyone
  const given = useGiven(props.invitation)
  const facts = [
    texts.roles[role],
    ...(inviter === null ? [] : [t.by(inviter)]),
    ...(state === 'used' ? [] : [t.until(format.time(expiresAt))]),
  ]
  return (
    <li className="flex items-center gap-3 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          {usedBy === null ? (
            <span className="font-medium [overflow-wrap:anywhere]">{who}</span>
          ) : (
            <Link
              to={ADMIN_PATHS.account}
              params={{ accountId: usedBy }}
              className="inline-flex min-h-6 touch:min-h-11 items-center font-medium [overflow-wrap:anywhere] text-accent hover:underline"
            >
              {who}
            </Link>
          )}
          <Badge tone={state === 'used' ? 'good' : 'neutral'} hasDot>
            {t.states[state]}
          </Badge>
        </span>
        {given !== '' && <span className="block">{t.gives(given)}</span>}
        <span className="block text-sm [overflow-wrap:anywhere] text-ink-3">{facts.join(' · ')}</span>
      </span>
      {state === 'open' && mayChange && (
        <Button aria-label={t.withdrawOf(who)} isBusy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          {t.withdraw}
        </Button>
      )}
    </li>
  )
}

/** What an invitation gives beside the account; empty: nothing. */
function useGiven({ credit, plan, open_groups: groups }: InvitationView): string {
  const t = useTexts('accounts').invitations
  const format = useFormat()
  return [
    ...(credit === null ? [] : [format.exactMoney(credit)]),
    ...(plan === null ? [] : [t.plan(plan.name)]),
    ...(groups.length === 0 ? [] : [t.groups(format.list(groups))]),
  ].join(' · ')
}
