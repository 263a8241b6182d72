import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ModelFactsView } from '../../../../../src/contract/model-facts.ts'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { modelFactsQuery } from '../../../../api/price-admin.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { SelectField } from '../../../../forms/select-field.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Drawer } from '../../../../ui/dialog.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { ChangeModelButton } from '../change-model-button.tsx'
import { EditFact, useFactTexts } from './edit-fact.tsx'
import { type Column, type FactOfTarget, ruleChange, ruledAt } from './rule-change.ts'

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

/** One fact of a target: its value in force, the shipped one with its source, and the form that sets another. */
function FactRow(props: {
  readonly fact: FactOfTarget
  readonly column: Column
  /** The index of the target. */
  readonly at: number
  readonly model: ModelView
  readonly isEdited: boolean
  /** null: the reader may change nothing. */
  readonly onEdit: ((isOpen: boolean) => void) | null
}): ReactNode {
  const t = useTexts('modelFacts')
  const { labelOf, valueText } = useFactTexts()
  const { fact, column, at, model, isEdited, onEdit } = props
  const ruled = ruledAt(fact, at)
  const label = labelOf(fact.name)
  return (
    <li aria-label={label} className="border-t border-line py-2.5 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-56">
          <span className="block text-sm text-ink-2 [overflow-wrap:anywhere]">{label}</span>
          <span className="block font-medium [overflow-wrap:anywhere]">{valueText(fact.name, fact.value)}</span>
          {ruled !== null && (
            <span className="block">
              <Badge tone="accent">{ruled === 'model' ? t.setForModel : t.setForTarget}</Badge>
            </span>
          )}
          <span className="block text-sm text-ink-3 [overflow-wrap:anywhere]">
            {ruled !== null && `${t.shipped(valueText(fact.name, fact.shipped))} · `}
            <Source source={fact.source} />
          </span>
        </div>
        {onEdit !== null && !isEdited && (
          <div className="flex flex-wrap gap-1">
            {ruled !== null && (
              <ChangeModelButton
                look="quiet"
                aria-label={t.resetOf(label)}
                model={model}
                change={ruleChange(model, { name: fact.name, scope: ruled, value: undefined })}
              >
                {t.reset}
              </ChangeModelButton>
            )}
            <Button look="quiet" aria-label={t.changeOf(label)} onClick={() => onEdit(true)}>
              {t.change}
            </Button>
          </div>
        )}
      </div>
      {isEdited && onEdit !== null && (
        <EditFact fact={fact} column={column} at={at} model={model} onClose={() => onEdit(false)} />
      )}
    </li>
  )
}

/** Where the shipped value is from: a page, a public report, or what the protocol’s models take in general. */
function Source({ source }: Pick<FactOfTarget, 'source'>): ReactNode {
  const t = useTexts('modelFacts')
  if (source === null) return t.protocolDefault
  const address = addressOf(source.from)
  if (address === null) return `${source.from}, ${source.at}`
  return (
    <a href={address} target="_blank" rel="noreferrer" title={source.from} className="text-accent underline">
      {t.source(source.at)}
    </a>
  )
}

function addressOf(from: string): string | null {
  if (/^https:\/\/\S+$/.test(from)) return from
  const report = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(from)
  return report === null ? null : `https://github.com/${report[1]}/issues/${report[2]}`
}
