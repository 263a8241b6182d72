import type { ReactNode } from 'react'
import type { ModelView } from '../../../../../src/contract/models.ts'
import { changeModel, type ModelChange } from '../../../../api/catalogue-changes.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../../forms/use-versioned-edit.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { useRefresh } from '../../../../forms/use-refresh.ts'
import { EditFact } from './edit-fact.tsx'
import { type Column, type FactOfTarget, ruleChange, ruledAt } from './rule-change.ts'
import { useFactTexts } from './use-fact-texts.ts'

/** One fact of a target: its value in force, the shipped one with its source, and the form that sets another. */
export function FactRow(props: {
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
            {ruled !== null && <Reset model={model} fact={fact} at={at} label={label} />}
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

/** Takes the rule back that is in force. */
function Reset(props: {
  readonly model: ModelView
  readonly fact: FactOfTarget
  readonly at: number
  readonly label: string
}): ReactNode {
  const t = useTexts('modelFacts')
  const { model, fact, at, label } = props
  const refresh = useRefresh()
  const edit = useVersionedEdit<ModelChange>({
    version: model.version ?? '',
    send: (change, version) => changeModel(model.id, change, version),
    onSettled: () => refresh(['models']),
  })
  const scope = ruledAt(fact, at)
  return (
    <>
      <Button
        look="quiet"
        aria-label={t.resetOf(label)}
        isBusy={edit.isPending}
        onClick={() => scope !== null && edit.press(ruleChange(model, { name: fact.name, scope, value: undefined }))}
      >
        {t.reset}
      </Button>
      {edit.dialog}
    </>
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
