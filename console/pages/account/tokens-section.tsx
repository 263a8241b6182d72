import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { AccessTokenView } from '../../../src/contract/access-tokens.ts'
import { accessTokensQuery, deleteAccessToken } from '../../api/access-tokens.ts'
import { accountDictionary } from '../../dictionaries/account.ts'
import { useProblemText } from '../../dictionaries/problem-text.ts'
import { useFormat } from '../../format/use-format.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { useNow } from '../../ui/use-now.ts'

const NewTokenDialog = lazy(() => import('./new-token-dialog.tsx'))

export function TokensSection(): ReactNode {
  const t = accountDictionary.useTexts().tokens
  const toast = useToast()
  const problemText = useProblemText()
  const guarded = useGuarded()
  const client = useQueryClient()
  const tokens = useQuery(accessTokensQuery)
  const [isCreating, setCreating] = useState(false)
  const [leaving, setLeaving] = useState<AccessTokenView | null>(null)
  const renew = (): void => void client.invalidateQueries({ queryKey: accessTokensQuery.queryKey })
  const remove = useMutation({
    mutationFn: (id: string) => guarded(() => deleteAccessToken(id)),
    onSuccess: () => {
      toast({ text: t.removed })
      renew()
    },
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
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
      {tokens.data === undefined ? (
        tokens.error === null ? (
          <SkeletonLines count={3} />
        ) : (
          <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />
        )
      ) : tokens.data.data.length === 0 ? (
        <EmptyState icon="terminal" title={t.none.title}>
          {t.none.text}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {tokens.data.data.map((token) => (
            <TokenRow key={token.id} token={token} onRemove={() => setLeaving(token)} />
          ))}
        </ul>
      )}
      {isCreating && (
        <Suspense>
          <NewTokenDialog onCreated={renew} onClose={() => setCreating(false)} />
        </Suspense>
      )}
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t.removeTitle}
        action={t.removeAction}
        isDangerous
        onConfirm={() => {
          if (leaving !== null) remove.mutate(leaving.id)
          setLeaving(null)
        }}
      >
        {leaving !== null && t.removeText(leaving.name)}
      </ConfirmDialog>
    </Section>
  )
}

function TokenRow({ token, onRemove }: { readonly token: AccessTokenView; onRemove(): void }): ReactNode {
  const t = accountDictionary.useTexts().tokens
  const format = useFormat()
  const nowMs = useNow()
  const used = token.last_used_at === null ? t.unused : t.used(format.relative(token.last_used_at, nowMs))
  const end = token.expires_at === null ? t.noEnd : t.expires(format.date(token.expires_at))
  return (
    <li className="flex min-h-14 items-center gap-3 py-1.5">
      <div className="min-w-0 flex-1">
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
      </div>
      <IconButton icon="trash" label={t.remove(token.name)} onClick={onRemove} />
    </li>
  )
}
