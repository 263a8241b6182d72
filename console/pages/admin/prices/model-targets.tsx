import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import type { ModelChange } from '../../../api/catalogue-changes.ts'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { type PageTexts, useTexts } from '../../../dictionaries/texts.ts'
import { type Format, useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { ChangeModelButton } from './change-model-button.tsx'
import { targetOf, toTargetForm } from './target-form.ts'

type Target = NonNullable<ModelView['targets']>[number]
type Texts = PageTexts['prices']['targets']

/** Where a model's requests go, and what they cost there. */
export function ModelTargets(props: {
  readonly model: ModelView
  /** null: the reader may not. */
  readonly onEdit: (() => void) | null
  /** Shows what the model takes at each. */
  onFacts(): void
}): ReactNode {
  const { model, onEdit, onFacts } = props
  const t = useTexts('prices').targets
  const format = useFormat()
  const targets = model.targets ?? []
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <>
          {targets.length > 0 && <Button onClick={onFacts}>{t.facts}</Button>}
          {onEdit !== null && <Button onClick={onEdit}>{t.edit}</Button>}
        </>
      }
    >
      {targets.length === 0 ? (
        <p className="text-ink-2">{t.none}</p>
      ) : (
        <ul>
          {targets.map((target) => (
            <li
              key={`${target.upstream} ${target.model} ${target.groups.join(' ')}`}
              className="border-t border-line py-2 first:border-t-0 first:pt-0"
            >
              <span className="font-medium [overflow-wrap:anywhere]">
                <UpstreamLink name={target.upstream} /> · <span className="font-mono text-sm">{target.model}</span>
              </span>
              <span className="block text-sm text-ink-2">
                {termsOf(target, { t, format, ofModel: model.rules }).join(' · ')}
              </span>
              <LearnedRefusals model={model} target={target} mayEdit={onEdit !== null} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Leads to where an upstream is tested; the bare name until it is known. */
function UpstreamLink({ name }: { readonly name: string }): ReactNode {
  const { data: upstreams } = useQuery(upstreamsQuery)
  const id = upstreams?.find((each) => each.name === name)?.id
  if (id === undefined) return name
  return (
    <Link to={ADMIN_PATHS.upstream} params={{ upstreamId: id }} className="text-accent hover:underline">
      {name}
    </Link>
  )
}

function termsOf(
  { groups, priority, weight, cost, spend_per_day: cap, drop_fields: dropped, rules }: Target,
  { t, format, ofModel }: { readonly t: Texts; readonly format: Format; readonly ofModel: ModelView['rules'] },
): string[] {
  const ruled = new Set([...Object.keys(ofModel), ...Object.keys(rules)]).size
  const costText = (): string[] => {
    if (cost == null) return []
    if (cost.factor !== null) return [t.cost(cost.factor)]
    const { input, output } = cost
    return [
      t.ownCost(input === null ? '–' : format.exactMoney(input), output === null ? '–' : format.exactMoney(output)),
    ]
  }
  return [
    groups.length === 0 ? t.all : format.list(groups),
    t.weight(format.number(priority), format.number(weight)),
    ...costText(),
    ...(cap === null ? [] : [t.cap(format.money(cap))]),
    ...(dropped.length === 0 ? [] : [t.leavesOut(format.list(dropped))]),
    ...(ruled === 0 ? [] : [t.ruled(format.number(ruled))]),
  ]
}

type Learned = NonNullable<ModelView['learned']>[number]

/** What a target has refused by name and is asked without, each with the way to make that permanent. */
function LearnedRefusals(props: {
  readonly model: ModelView
  readonly target: Target
  readonly mayEdit: boolean
}): ReactNode {
  const { model, target, mayEdit } = props
  const t = useTexts('prices').targets.learned
  const format = useFormat()
  const learned = (model.learned ?? []).filter((each) => isAt(target, each))
  if (learned.length === 0) return null
  return (
    <ul aria-label={t.title(target.upstream)} className="mt-1 grid gap-1">
      {learned.map((each) => (
        <li key={`${each.setting} ${each.value}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
            {t.leavesOut(each.value === null ? each.setting : `${each.setting} ${each.value}`)}
            <span className="block text-ink-3">{t.refused(format.time(each.refused_at), each.said)}</span>
          </span>
          {mayEdit && (
            <ChangeModelButton model={model} change={without(model, each)} title={t.keepHint}>
              {t.keep(each.setting)}
            </ChangeModelButton>
          )}
        </li>
      ))}
      {model.managed && <li className="text-sm text-ink-3">{t.managed}</li>}
    </ul>
  )
}

/** The change by which the target is asked without the setting for good. */
function without({ targets = [] }: ModelView, learned: Learned): ModelChange {
  const changed = targets.map((target) =>
    !isAt(target, learned) || target.drop_fields.includes(learned.setting)
      ? target
      : { ...target, drop_fields: [...target.drop_fields, learned.setting] },
  )
  return { targets: changed.map((target) => targetOf(toTargetForm(target))) }
}

function isAt({ upstream, model }: Target, learned: Learned): boolean {
  return learned.upstream === upstream && learned.model === model
}
