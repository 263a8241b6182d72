import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import { tryUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SaidAdvice } from '../../faults/said-advice.tsx'
import { useTrialSaid } from '../upstreams/trial-result.tsx'

/** One real request to the upstream that an item names, for a model that fails there; null: the item names none. */
export function useUpstreamTest({ kind, upstream, model, listed }: AttentionItemView) {
  const queries = useQueryClient()
  const asked = model ?? listed?.names[0]
  const trial = useMutation({
    mutationFn: (to: { readonly id: string; readonly model: string }) => tryUpstream(to.id, { model: to.model }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['upstreams'] }),
  })
  if (kind !== 'model_failing' || upstream === null || asked === undefined) return null
  return { upstream, trial, send: () => trial.mutate({ id: upstream.id, model: asked }) }
}

type UpstreamTest = NonNullable<ReturnType<typeof useUpstreamTest>>

export function TestButton({ test, title }: { readonly test: UpstreamTest; readonly title: string }): ReactNode {
  const t = useTexts('operations').test
  return (
    <Button isBusy={test.trial.isPending} aria-label={`${t.action}: ${title}`} onClick={test.send}>
      {t.action}
    </Button>
  )
}

/** What came of it, in the row itself. */
export function TestSaid({ test }: { readonly test: UpstreamTest }): ReactNode {
  const t = useTexts('operations').test
  const format = useFormat()
  const trialSaid = useTrialSaid()
  const { data, error } = test.trial
  if (error !== null) return <ErrorState error={error} />
  if (data === undefined) return null
  const { name } = test.upstream
  return (
    <Notice tone={data.ok ? 'good' : 'bad'} isLive>
      {data.ok ? t.works(name, format.duration(data.total_ms)) : t.fails(name, trialSaid(data))}
      {data.said !== null && <SaidAdvice said={data.said} />}
    </Notice>
  )
}
