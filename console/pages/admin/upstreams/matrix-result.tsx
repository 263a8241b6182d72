import type { ReactNode } from 'react'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { isZero, sumOf } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { SaidAdvice } from '../../faults/said-advice.tsx'
import { cellKey, type CellState } from './matrix-run.ts'
import { useTrialSaid } from './trial-result.tsx'

/** What came of each request so far, and below it why some failed. */
export function MatrixResult(props: {
  readonly models: readonly string[]
  /** `['']`: the upstream wants none. */
  readonly credentials: readonly string[]
  readonly states: ReadonlyMap<string, CellState>
  readonly isOver: boolean
}): ReactNode {
  const t = useTexts('upstreams').matrix
  const { models, credentials, states } = props
  const stateOf = (model: string, credential: string): CellState | undefined =>
    states.get(cellKey({ model, credential: credential === '' ? null : credential }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Summary states={[...states.values()]} isOver={props.isOver} />
      <div tabIndex={0} role="region" aria-label={t.title} className="overflow-x-auto">
        <table className="w-full text-left text-sm">
          <thead className="text-ink-3">
            <tr>
              <th scope="col" className="py-1 pr-4 font-normal">
                {t.model}
              </th>
              {credentials.map((name) => (
                <th key={name} scope="col" className="py-1 pr-4 font-normal whitespace-nowrap">
                  {name === '' ? t.noCredential : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model} className="border-t border-line">
                <th scope="row" className="py-1.5 pr-4 font-medium [overflow-wrap:anywhere]">
                  {model}
                </th>
                {credentials.map((name) => (
                  <td key={name} className="py-1.5 pr-4 whitespace-nowrap">
                    <CellShown state={stateOf(model, name)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Failures {...{ models, credentials, stateOf }} />
    </div>
  )
}

function CellShown({ state }: { readonly state: CellState | undefined }): ReactNode {
  const t = useTexts('upstreams').matrix
  const format = useFormat()
  if (state === undefined) return '–'
  if (state.kind === 'waiting') return <span className="text-ink-3">{t.waiting}</span>
  if (state.kind === 'running') {
    return (
      <span className="inline-flex items-center gap-1.5 text-ink-2">
        <Spinner /> {t.running}
      </span>
    )
  }
  if (state.kind === 'error') return <Badge tone="warn">{t.notSent}</Badge>
  const { ok, status, total_ms: took } = state.trial
  return (
    <Badge tone={ok ? 'good' : 'bad'} hasDot>
      {ok ? t.ok(format.duration(took)) : t.failed(status === null ? null : String(status), format.duration(took))}
    </Badge>
  )
}

function Summary(props: { readonly states: readonly CellState[]; readonly isOver: boolean }): ReactNode {
  const t = useTexts('upstreams').matrix
  const format = useFormat()
  const trials = props.states.flatMap((state) => (state.kind === 'done' ? [state.trial] : []))
  const waiting = props.states.filter(({ kind }) => kind === 'waiting').length
  const good = trials.filter(({ ok }) => ok).length
  const cost = sumOf(trials.map(({ provider_cost: usd }) => usd ?? '0'))
  const isAllGood = good === props.states.length
  return (
    <Notice
      tone={!props.isOver ? 'accent' : isAllGood ? 'good' : waiting > 0 && good === trials.length ? 'warn' : 'bad'}
      isLive
    >
      {props.isOver ? t.answered(good, props.states.length) : t.progress(trials.length, props.states.length)}
      {props.isOver && waiting > 0 && <span className="block text-sm">{t.unsent(waiting)}</span>}
      {!isZero(cost) && <span className="block text-sm">{t.costSoFar(format.exactMoney(cost))}</span>}
    </Notice>
  )
}

function Failures(props: {
  readonly models: readonly string[]
  readonly credentials: readonly string[]
  stateOf(model: string, credential: string): CellState | undefined
}): ReactNode {
  const t = useTexts('upstreams').matrix
  const problemText = useProblemText()
  const trialSaid = useTrialSaid()
  const failed = props.models.flatMap((model) =>
    props.credentials.flatMap((credential) => {
      const state = props.stateOf(model, credential)
      const name = credential === '' ? model : `${model} · ${credential}`
      if (state?.kind === 'error') return [{ name, why: problemText(state.error), said: null }]
      if (state?.kind !== 'done' || state.trial.ok) return []
      return [{ name, why: trialSaid(state.trial), said: state.trial.said }]
    }),
  )
  if (failed.length === 0) return null
  return (
    <div>
      <h3 className="mb-1 font-medium">{t.why}</h3>
      <dl className="text-sm">
        {failed.map(({ name, why, said }) => (
          <div key={name} className="border-t border-line py-1.5 first:border-t-0">
            <dt className="font-medium [overflow-wrap:anywhere]">{name}</dt>
            <dd className="text-ink-2 [overflow-wrap:anywhere]">
              {why}
              {said !== null && <SaidAdvice said={said} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
