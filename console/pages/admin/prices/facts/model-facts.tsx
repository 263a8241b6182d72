import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelFactsView } from '../../../../../src/contract/model-facts.ts'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { modelFactsQuery } from '../../../../api/price-admin.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { SelectField } from '../../../../forms/select-field.tsx'
import { useFormat } from '../../../../format/use-format.ts'
import { Button } from '../../../../ui/button.tsx'
import { Drawer } from '../../../../ui/dialog.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { FactRow } from './fact-row.tsx'

type Target = ModelFactsView['targets'][number]

/** What a model takes at each of its targets, where that is known from, and the rules that are set in its place. */
export default function ModelFacts(props: {
  readonly model: ModelView
  readonly mayEdit: boolean
  onClose(): void
}): ReactNode {
  const t = useTexts('modelFacts')
  const query = useQuery(modelFactsQuery(props.model.id))
  return (
    <Drawer isOpen title={t.title(props.model.name)} description={t.lead} onClose={props.onClose}>
      <QueryView query={query} skeleton={<SkeletonLines />}>
        {({ facts, model }) => <Targets facts={facts} model={model} mayEdit={props.mayEdit} />}
      </QueryView>
    </Drawer>
  )
}

function Targets(props: {
  readonly facts: ModelFactsView
  readonly model: ModelView
  readonly mayEdit: boolean
}): ReactNode {
  const t = useTexts('modelFacts')
  const { facts, model, mayEdit } = props
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, facts.targets.length - 1)
  const target = facts.targets[at]
  if (target === undefined) return null
  const name = (of: Target): string => `${of.upstream} · ${of.model}`
  return (
    <div className="grid gap-4">
      {facts.targets.length === 1 ? (
        <p className="font-medium [overflow-wrap:anywhere]">{name(target)}</p>
      ) : (
        <SelectField
          name="target"
          label={t.target}
          value={String(at)}
          onValue={(index) => setChosen(Number(index))}
          options={facts.targets.map((of, index) => ({ value: String(index), label: name(of) }))}
        />
      )}
      <p className="text-ink-2">
        {target.family === null ? t.noFamily : t.family(target.family, target.maker ?? target.family)}
      </p>
      <FactList key={at} at={at} target={target} facts={facts} model={model} mayEdit={mayEdit} />
    </div>
  )
}

/** What the family states and what is ruled, or everything. */
function FactList(props: {
  readonly at: number
  readonly target: Target
  readonly facts: ModelFactsView
  readonly model: ModelView
  readonly mayEdit: boolean
}): ReactNode {
  const t = useTexts('modelFacts')
  const format = useFormat()
  const { at, target, facts, model, mayEdit } = props
  const [showsAll, setShowsAll] = useState(false)
  const [edited, setEdited] = useState<string | null>(null)
  const columns = new Map(facts.facts.map((column) => [column.name, column]))
  const isRuled = (fact: Target['facts'][number]): boolean =>
    fact.rule_of_target !== null || fact.rule_of_model !== null
  const shown = target.facts.filter((fact) => showsAll || fact.source !== null || isRuled(fact) || fact.name === edited)
  return (
    <div>
      {shown.length === 0 && <p className="mb-2 text-ink-2">{t.nothing}</p>}
      <ul>
        {shown.map((fact) => {
          const column = columns.get(fact.name)
          return (
            column !== undefined && (
              <FactRow
                key={fact.name}
                fact={fact}
                column={column}
                at={at}
                model={model}
                isEdited={edited === fact.name}
                onEdit={mayEdit ? (isOpen) => setEdited(isOpen ? fact.name : null) : null}
              />
            )
          )
        })}
      </ul>
      <Button look="quiet" className="mt-2" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
        {showsAll ? t.showFewer : t.showAll(format.number(target.facts.length))}
      </Button>
    </div>
  )
}
