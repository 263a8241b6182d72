import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccessTokenView } from '../../../src/contract/access-tokens.ts'
import { accessTokensQuery, deleteAccessToken } from '../../api/access-tokens.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useNewAction } from '../../ui/new-action.ts'
import { hasNoRows, QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useNow } from '../../ui/use-now.ts'
import { CredentialList } from './credential-list.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const NewTokenDialog = lazyPart(() => import('./new-token-dialog.tsx'))

export function TokensSection(): ReactNode {
  const t = useTexts('account').tokens
  const toast = useToast()
  const client = useQueryClient()
  const tokens = useQuery(accessTokensQuery)
  const [isCreating, setCreating] = useState(false)
  useNewAction(() => setCreating(true))
  const renew = (): void => void client.invalidateQueries({ queryKey: accessTokensQuery.queryKey })
  const removed = (): void => {
    toast({ text: t.removed })
    renew()
  }
  const none = (
    <EmptyState icon="terminal" title={t.none.title}>
      {t.none.text}
    </EmptyState>
  )
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          {t.create}
        </Button>
      }
    >
      <QueryView query={tokens} skeleton={<SkeletonLines count={3} />} empty={{ is: hasNoRows, shown: none }}>
        {({ data }) => (
          <CredentialList items={data} texts={t} remove={deleteAccessToken} onRemoved={removed}>
            {(token) => <AboutToken token={token} />}
          </CredentialList>
        )}
      </QueryView>
      {isCreating && <NewTokenDialog onCreated={renew} onClose={() => setCreating(false)} />}
    </Section>
  )
}

function AboutToken({ token }: { readonly token: AccessTokenView }): ReactNode {
  const t = useTexts('account').tokens
  const format = useFormat()
  const nowMs = useNow()
  const used = token.last_used_at === null ? t.unused : t.used(format.ago(token.last_used_at, nowMs))
  const end = token.expires_at === null ? t.noEnd : t.expires(format.date(token.expires_at))
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{token.name}</span>
        <Badge tone={token.scope === 'write' ? 'warn' : 'neutral'}>{t[token.scope]}</Badge>
      </div>
      <div className="text-sm text-ink-3">
        <code className="font-mono">
          {token.secret_start}…{token.secret_end}
        </code>{' '}
        · {end} · {used}
      </div>
    </>
  )
}
