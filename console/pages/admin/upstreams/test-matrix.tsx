import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { UpstreamStatusView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { modelsQuery } from '../../../api/models.ts'
import { tryUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { MatrixChoice } from './matrix-choice.tsx'
import { MatrixResult } from './matrix-result.tsx'
import { TrialFields } from './trial-fields.tsx'
import { PLAIN_TRIAL, trialBody } from './trial-options.ts'
import { matrixCells, cellKey, type CellState, MOST_CELLS, runMatrix } from './matrix-run.ts'

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
