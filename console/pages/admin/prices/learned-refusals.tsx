import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { changeModel } from '../../../api/catalogue-changes.ts'
import { modelQuery } from '../../../api/price-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useVersionedEdit } from '../../../forms/use-versioned-edit.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { targetOf, toTargetForm } from './target-form.ts'

type Target = NonNullable<ModelView['targets']>[number]
type Learned = NonNullable<ModelView['learned']>[number]

/** What a target has refused by name and is asked without, each with the way to make that permanent. */
export function LearnedRefusals(props: {
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
          {mayEdit && <MakePermanent model={model} learned={each} />}
        </li>
      ))}
      {model.managed && <li className="text-sm text-ink-3">{t.managed}</li>}
    </ul>
  )
}

function MakePermanent({ model, learned }: { readonly model: ModelView; readonly learned: Learned }): ReactNode {
  const t = useTexts('prices').targets.learned
  const queries = useQueryClient()
  const edit = useVersionedEdit<readonly object[]>({
    version: model.version ?? '',
    send: async (targets, version) => {
      const saved = await changeModel(model.id, { targets }, version)
      queries.setQueryData(modelQuery(saved.id).queryKey, saved)
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['models'] }),
  })
  return (
    <>
      <Button
        isBusy={edit.isPending}
        title={t.keepHint}
        onClick={() =>
          edit.press((model.targets ?? []).map((target) => targetOf(toTargetForm(without(target, learned)))))
        }
      >
        {t.keep(learned.setting)}
      </Button>
      {edit.dialog}
    </>
  )
}

/** The target with the setting among those that it does not take. */
function without(target: Target, learned: Learned): Target {
  if (!isAt(target, learned) || target.drop_fields.includes(learned.setting)) return target
  return { ...target, drop_fields: [...target.drop_fields, learned.setting] }
}

function isAt({ upstream, model }: Target, learned: Learned): boolean {
  return learned.upstream === upstream && learned.model === model
}
