import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { AccountSignIn as Ways } from '../../../../../src/contract/account-sign-in.ts'
import { accountSignInQuery, endAccountSession, endAccountSessions } from '../../../../api/accounts.ts'
import { useMay } from '../../../../api/use-may.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { clientName } from '../../../../format/client-name.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { Button } from '../../../../ui/button.tsx'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { DetailList } from '../../../../ui/detail-list.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { Section, Sheet } from '../../../../ui/section.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { useNow } from '../../../../ui/use-now.ts'
import { useChange } from '../../../../forms/use-change.ts'

/** How the owner of an account signs in, and the sessions, which an admin ends. */
export default function AccountSignIn({ account }: { readonly account: AccountView }): ReactNode {
  const ways = useQuery(accountSignInQuery(account.id))
  return (
    <QueryView query={ways} skeleton={<SkeletonLines count={6} />}>
      {(data) => (
        <Sheet>
          <WaysIn ways={data} />
          <Sessions accountId={account.id} ways={data} />
        </Sheet>
      )}
    </QueryView>
  )
}

function WaysIn({ ways }: { readonly ways: Ways }): ReactNode {
  const t = useTexts('oneAccount').signIn
  const format = useFormat()
  const { yes, no } = useSharedTexts()
  const said = (is: boolean): string => (is ? yes : no)
  return (
    <Section title={t.ways}>
      <DetailList
        rows={[
          { label: t.password, value: said(ways.has_password) },
          { label: t.secondFactor, value: said(ways.second_factor) },
          { label: t.email, value: said(ways.is_email_verified) },
          {
            label: t.passkeys,
            value: ways.passkeys.length === 0 ? t.none : format.list(ways.passkeys.map(({ name }) => name)),
          },
          {
            label: t.provider,
            value: ways.oidc_linked_at === null ? t.none : t.linked(format.time(ways.oidc_linked_at)),
          },
          { label: t.tokens, value: format.number(ways.access_tokens) },
        ]}
      />
    </Section>
  )
}

function Sessions({ accountId, ways }: { readonly accountId: string; readonly ways: Ways }): ReactNode {
  const t = useTexts('oneAccount').signIn
  const format = useFormat()
  const nowMs = useNow()
  const mayChange = useMay('admin')
  const { sessions, access_tokens: tokens } = ways
  const [isAsking, setAsking] = useState(false)
  const end = useChange({
    send: (session: string) => endAccountSession(accountId, session),
    done: () => t.ended,
    refreshes: ['accounts'],
  })
  return (
    <Section
      title={t.sessions}
      actions={
        mayChange && sessions.length + tokens > 0 ? (
          <Button icon="signOut" onClick={() => setAsking(true)}>
            {t.endAll}
          </Button>
        ) : undefined
      }
    >
      {isAsking && <EndAllDialog accountId={accountId} hasTokens={tokens > 0} onClose={() => setAsking(false)} />}
      {sessions.length === 0 ? (
        <p className="text-ink-2">{t.noSessions}</p>
      ) : (
        <ul className="divide-y divide-line">
          {sessions.map((session) => {
            const name = clientName(session.client) ?? t.unknownClient
            return (
              <li key={session.id} className="flex min-h-14 items-center gap-3 py-1.5">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium" title={session.client}>
                    {name}
                  </span>
                  <span className="block text-sm text-ink-3">
                    {session.address} · {t.seen(format.ago(session.last_seen_at, nowMs))}
                  </span>
                </span>
                {mayChange && (
                  <Button aria-label={t.endOf(name)} onClick={() => end.mutate(session.id)}>
                    {t.end}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

function EndAllDialog(props: { readonly accountId: string; readonly hasTokens: boolean; onClose(): void }): ReactNode {
  const { accountId, hasTokens, onClose } = props
  const t = useTexts('oneAccount').signIn
  const [keepsTokens, setKeepsTokens] = useState(false)
  const end = useChange({
    send: () => endAccountSessions(accountId, { keepsTokens }),
    done: () => t.allEnded,
    onDone: onClose,
    refreshes: ['accounts'],
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t.endAllTitle}
      action={t.endAll}
      isDangerous
      isBusy={end.isPending}
      onConfirm={() => end.mutate()}
    >
      <div className="grid gap-2">
        <p>{t.endAllText}</p>
        {hasTokens && (
          <Checkbox checked={keepsTokens} onChecked={setKeepsTokens} hint={t.keepTokensHint}>
            {t.keepTokens}
          </Checkbox>
        )}
      </div>
    </ConfirmDialog>
  )
}
