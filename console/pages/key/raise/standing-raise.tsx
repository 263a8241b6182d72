import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { endQuotaRaise } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { useFailureToast, useToast } from '../../../ui/toasts.tsx'

/** Shows that a key's quota is raised, until when, and what it is afterwards; who may end it can. */
export function StandingRaise(props: { readonly apiKey: ApiKeyView; readonly mayEnd: boolean }): ReactNode {
  const t = useTexts('key').detail.raise
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  const { apiKey, mayEnd } = props
  const end = useMutation({
    mutationFn: () => endQuotaRaise(apiKey.id),
    onSuccess: () => toast({ text: t.ended(apiKey.name) }),
    onError: useFailureToast(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  const raise = apiKey.quota_raise
  if (raise === null) return null
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <p className="min-w-0 flex-1 basis-48 text-sm text-ink-2">
        {t.standing(format.money(raise.limit), format.time(raise.ends_at))}
      </p>
      {mayEnd && (
        <Button isBusy={end.isPending} onClick={() => end.mutate()}>
          {t.end}
        </Button>
      )}
    </div>
  )
}
