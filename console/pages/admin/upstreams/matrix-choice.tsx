import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { isZero } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { matrixCost } from './matrix-cost.ts'
import { type Cell, MOST_CELLS } from './matrix-run.ts'

interface Choice {
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  onChosen(chosen: readonly string[]): void
}

/** The choice of models and credentials to test, and about what that costs. */
export function MatrixChoice(props: {
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
