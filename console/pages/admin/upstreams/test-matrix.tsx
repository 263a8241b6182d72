import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { modelsQuery } from '../../../api/models.ts'
import { tryUpstream } from '../../../api/upstream-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { isZero } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { MatrixResult } from './matrix-result.tsx'
import { type Cell, cellKey, type CellState, matrixCells, matrixCost, MOST_CELLS, runMatrix } from './matrix-run.ts'
import { TrialFields } from './trial-fields.tsx'
import { PLAIN_TRIAL, trialBody } from './trial-options.ts'

/** The only choice at an upstream without credentials. */
const NONE = ''

/** One real request for each chosen model with each chosen credential. */
export default function TestMatrix(props: {
  readonly upstream: UpstreamView
  readonly status: UpstreamStatusView | null
  onClose(): void
}): ReactNode {
  const t = useTexts('upstreams').matrix
  const queries = useQueryClient()
  const { upstream, status } = props
  const { data: known } = useQuery(modelsQuery)
  const names = upstream.credentials.length === 0 ? [NONE] : upstream.credentials.map(({ name }) => name)
  const [models, setModels] = useState<readonly string[]>(() => firstModels(upstream))
  const [credentials, setCredentials] = useState<readonly string[]>(() => inUse(names, status))
  const [states, setStates] = useState<ReadonlyMap<string, CellState> | null>(null)
  const [phase, setPhase] = useState<'choosing' | 'running' | 'stopping' | 'over'>('choosing')
  const [options, setOptions] = useState(PLAIN_TRIAL)
  const isStopped = useRef(false)
  // Closing it stops it, too.
  useEffect(() => {
    isStopped.current = false
    return () => void (isStopped.current = true)
  }, [])
  const cells = matrixCells(upstream, { models, credentials, known: known ?? [] })

  const start = async (): Promise<void> => {
    isStopped.current = false
    setPhase('running')
    setStates(new Map(cells.map((cell) => [cellKey(cell), { kind: 'waiting' }])))
    await runMatrix(cells, {
      send: ({ model, credential }) =>
        tryUpstream(upstream.id, { model, ...(credential === null ? {} : { credential }), ...trialBody(options) }),
      report: (cell, state) => setStates((all) => new Map(all).set(cellKey(cell), state)),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      isStopped: () => isStopped.current,
    })
    setPhase('over')
    void queries.invalidateQueries({ queryKey: ['upstreams'] })
  }
  const stop = (): void => {
    isStopped.current = true
    setPhase('stopping')
  }
  const isUnderWay = phase === 'running' || phase === 'stopping'
  return (
    <Dialog
      isOpen
      size="large"
      title={t.title}
      description={t.lead}
      onClose={props.onClose}
      foot={
        isUnderWay ? (
          <Button isBusy={phase === 'stopping'} onClick={stop}>
            {t.stop}
          </Button>
        ) : (
          <>
            {phase === 'over' && <Button onClick={() => setPhase('choosing')}>{t.choose}</Button>}
            <Button
              look="primary"
              disabled={cells.length === 0 || cells.length > MOST_CELLS}
              onClick={() => void start()}
            >
              {phase === 'over' ? t.again(cells.length) : t.start(cells.length)}
            </Button>
          </>
        )
      }
    >
      {phase === 'choosing' || states === null ? (
        <MatrixChoice
          upstream={upstream}
          known={known ?? []}
          cells={cells}
          textLength={options.text.trim().length}
          models={{ all: upstream.models, chosen: models, onChosen: setModels }}
          credentials={
            upstream.credentials.length === 0 ? null : { all: names, chosen: credentials, onChosen: setCredentials }
          }
        >
          <TrialFields options={options} onOptions={setOptions} />
        </MatrixChoice>
      ) : (
        <MatrixResult
          models={upstream.models.filter((name) => models.includes(name))}
          credentials={names.filter((name) => credentials.includes(name))}
          states={states}
          isOver={phase === 'over'}
        />
      )}
    </Dialog>
  )
}

/** The models that fit with one credential, so that the first choice can be begun. */
function firstModels({ models, credentials }: UpstreamView): readonly string[] {
  return models.slice(0, Math.max(1, Math.floor(MOST_CELLS / Math.max(1, credentials.length))))
}

/** The credentials that no person disabled: the others are left out at first. */
function inUse(names: readonly string[], status: UpstreamStatusView | null): readonly string[] {
  const disabled = status?.credentials.filter(({ state }) => state === 'disabled').map(({ name }) => name) ?? []
  const enabled = names.filter((name) => !disabled.includes(name))
  return (enabled.length === 0 ? names : enabled).slice(0, MOST_CELLS)
}

interface Choice {
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  onChosen(chosen: readonly string[]): void
}

/** The choice of models and credentials to test, and about what that costs. */
function MatrixChoice(props: {
  readonly upstream: UpstreamView
  readonly known: readonly ModelView[]
  readonly cells: readonly Cell[]
  /** Characters of the admin's own text; 0: it is the gateway's. */
  readonly textLength: number
  readonly models: Choice
  /** null: the upstream wants none. */
  readonly credentials: Choice | null
  /** How the tests are sent. */
  readonly children: ReactNode
}): ReactNode {
  const t = useTexts('upstreams').matrix
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const { cells, upstream, known, models, credentials } = props
  const counts = new Map(
    [...Map.groupBy(cells, ({ model }) => model)].map(([model, of]) => [model, of.length] as const),
  )
  const cost = matrixCost(counts, { models: known, upstream: upstream.name, textLength: props.textLength })
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Choices title={t.models} choice={models} />
        {credentials !== null && <Choices title={t.credentials} choice={credentials} />}
      </div>
      {props.children}
      {cells.length > MOST_CELLS ? (
        <Notice tone="warn">{t.tooMany(cells.length, format.number(MOST_CELLS))}</Notice>
      ) : (
        cells.length > 0 && (
          <Notice>
            {sentences([
              t.requests(cells.length),
              ...(isZero(cost.usd) ? [] : [t.cost(format.money(cost.usd))]),
              ...(cost.unknown.length === 0 ? [] : [t.costUnknown(format.list(cost.unknown))]),
            ])}
          </Notice>
        )
      )}
    </div>
  )
}

function Choices({ title, choice }: { readonly title: string; readonly choice: Choice }): ReactNode {
  const t = useTexts('upstreams').matrix
  const { all, chosen, onChosen } = choice
  const toggle = (name: string, isChosen: boolean): void =>
    onChosen(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{title}</legend>
      {all.length > 1 && (
        <Checkbox
          checked={chosen.length === all.length}
          isPartly={chosen.length > 0}
          onChecked={(isAll) => onChosen(isAll ? all : [])}
        >
          {t.all}
        </Checkbox>
      )}
      <div tabIndex={0} role="group" aria-label={title} className="max-h-60 overflow-y-auto">
        {all.map((name) => (
          <Checkbox key={name} checked={chosen.includes(name)} onChecked={(isChosen) => toggle(name, isChosen)}>
            <span className="[overflow-wrap:anywhere]">{name}</span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
