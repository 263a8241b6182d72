import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { changeUpstream, type NewUpstream, tryUpstream } from '../../../api/upstream-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useRefresh } from '../../../forms/use-refresh.ts'
import { PATHS } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { otherWays, seemsMisaddressed, type Way } from './other-ways.ts'
import type { UpstreamMade } from './set-up-upstream.ts'
import { TrialResult } from './trial-result.tsx'

/** What came of a new upstream: each step, the test request, and what to do next. */
export function SetUpDone(props: {
  readonly made: UpstreamMade
  /** The secrets as they were typed: another address takes them once more. */
  readonly credentials: NewUpstream['credentials']
}): ReactNode {
  const t = useTexts('upstreams').adding
  const problemText = useProblemText()
  const shared = useSharedTexts()
  const { upstream, trial, other, attempt } = useOtherWays(props.made, props.credentials)
  const { served, failed } = props.made
  return (
    <div className="grid gap-4">
      <ol className="grid gap-1" role="status">
        <StepLine isGood>{t.steps.upstream(upstream.name)}</StepLine>
        {served.length > 0 && <StepLine isGood>{t.steps.models(served.length)}</StepLine>}
        {failed.map(({ name, error }) => (
          <StepLine key={name} isGood={false}>
            {shared.labelled(name, problemText(error))}
          </StepLine>
        ))}
        {trial !== null && <StepLine isGood={trial.ok}>{t.steps.answer(trial.model)}</StepLine>}
      </ol>
      {trial !== null && <TrialResult trial={trial} />}
      {trial !== null && !trial.ok && other !== null && <p>{t.misaddressed}</p>}
      {attempt.error !== null && <ErrorState error={attempt.error} />}
      <div className="flex flex-wrap gap-2">
        {trial?.ok === false && other !== null && (
          <Button look="primary" isBusy={attempt.isPending} onClick={() => attempt.mutate(other)}>
            {t.tryAs(other.protocol, other.base_url)}
          </Button>
        )}
        {trial?.ok === true && (
          <Link to={PATHS.overview} className={buttonClass('primary')}>
            {t.next}
          </Link>
        )}
        <Link
          to={ADMIN_PATHS.upstream}
          params={{ upstreamId: upstream.id }}
          {...(served.length === 0 ? { search: { compare: 'models' } } : {})}
          className={buttonClass(served.length === 0 ? 'primary' : 'secondary')}
        >
          {served.length === 0 ? t.addModels : t.open}
        </Link>
      </div>
    </div>
  )
}

function StepLine({ isGood, children }: { readonly isGood: boolean; readonly children: ReactNode }): ReactNode {
  const t = useTexts('upstreams').adding
  return (
    <li className="flex gap-2">
      <Icon name={isGood ? 'check' : 'close'} className={`mt-0.75 shrink-0 ${isGood ? 'text-good' : 'text-bad'}`} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {!isGood && <span className="sr-only">{t.stepFailed} </span>}
        {children}
      </span>
    </li>
  )
}

/** The upstream and its test as they stand, and the next way to try, where the test failed as one does on the wrong way. */
function useOtherWays(made: UpstreamMade, credentials: NewUpstream['credentials']) {
  const refresh = useRefresh()
  const [{ upstream, trial, tried }, setNow] = useState({ ...made, tried: [] as readonly Way[] })
  const attempt = useMutation({
    mutationFn: async ({ protocol, base_url: baseUrl }: Way) => {
      const body = { protocol, base_url: baseUrl, ...(credentials.length === 0 ? {} : { credentials }) }
      const changed = await changeUpstream(upstream.id, body, upstream.version)
      setNow((now) => ({ ...now, upstream: changed, tried: [...now.tried, upstream] }))
      return tryUpstream(upstream.id, { model: trial?.model ?? '' })
    },
    onSuccess: (tested) => setNow((now) => ({ ...now, trial: tested })),
    onSettled: () => refresh(['upstreams', 'models', 'attention']),
  })
  const [other = null] = trial !== null && seemsMisaddressed(trial) ? otherWays(upstream, tried) : []
  return { upstream, trial, other, attempt }
}
