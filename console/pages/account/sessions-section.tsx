import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SessionView } from '../../../src/contract/sign-in.ts'
import { accessTokensQuery } from '../../api/access-tokens.ts'
import { endSession, sessionsQuery, signOutEverywhere } from '../../api/sign-in.ts'
import { visitsQuery } from '../../api/visits.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useChange } from '../../forms/use-change.ts'
import { clientName } from '../../format/client-name.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/use-now.ts'

export function SessionsSection(): ReactNode {
  const t = useTexts('account').sessions
  const sessions = useQuery(sessionsQuery)
  const [isAsking, setAsking] = useState(false)
  const end = useChange({ send: endSession, done: () => t.ended, refreshes: ['sessions'] })
  const [keepsTokens, setKeepsTokens] = useState(false)
  const hasTokens = (useQuery(accessTokensQuery).data?.data.length ?? 0) > 0
  const endAll = useChange({
    send: signOutEverywhere,
    done: () => t.everywhereDone,
    refreshes: ['sessions', 'access-tokens'],
  })
  const ask = (): void => {
    setKeepsTokens(false)
    setAsking(true)
  }
  const hasOthers = sessions.data?.data.some((session) => !session.is_current) === true
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <Button icon="signOut" disabled={!hasOthers && !hasTokens} isBusy={endAll.isPending} onClick={ask}>
          {t.everywhere}
        </Button>
      }
    >
      <QueryView query={sessions} skeleton={<SkeletonLines count={3} />}>
        {({ data }) => (
          <ul className="divide-y divide-line">
            {data.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
            ))}
          </ul>
        )}
      </QueryView>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t.everywhereTitle}
        action={t.everywhere}
        isDangerous
        onConfirm={() => {
          setAsking(false)
          endAll.mutate({ keepsTokens })
        }}
      >
        <div className="grid gap-2">
          <p>{t.everywhereText}</p>
          {hasTokens && (
            <Checkbox checked={keepsTokens} onChecked={setKeepsTokens} hint={t.keepTokensHint}>
              {t.keepTokens}
            </Checkbox>
          )}
        </div>
      </ConfirmDialog>
    </Section>
  )
}

function SessionRow({ session, onEnd }: { readonly session: SessionView; onEnd(): void }): ReactNode {
  const t = useTexts('account').sessions
  const format = useFormat()
  const nowMs = useNow()
  const name = clientName(session.client) ?? t.unknownClient
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5">
      <Icon name="device" className="text-ink-3" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium" title={session.client}>
            {name}
          </span>
          {session.is_current && (
            <Badge tone="good" hasDot>
              {t.current}
            </Badge>
          )}
        </div>
        <div className="text-sm text-ink-3">
          {session.address} · {t.seen(format.ago(session.last_seen_at, nowMs))}
        </div>
      </div>
      {!session.is_current && (
        <Button aria-label={t.endOf(name)} onClick={onEnd}>
          {t.end}
        </Button>
      )}
    </li>
  )
}

/** When admins saw the account as its owner does, and why; nothing where none did. */
export function VisitsSection(): ReactNode {
  const t = useTexts('account').visits
  const format = useFormat()
  const { data } = useQuery(visitsQuery)
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <ul className="divide-y divide-line">
        {data.data.map(({ id, at, until, reason }) => (
          <li key={id} className="py-2 first:pt-0 last:pb-0">
            <span className="block [overflow-wrap:anywhere]">{reason}</span>
            <span className="block text-sm text-ink-3">{t.span(format.time(at), format.time(until))}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
