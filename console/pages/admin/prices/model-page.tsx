import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { deleteModel } from '../../../api/catalogue-changes.ts'
import { modelQuery, modelWeekQuery } from '../../../api/price-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { PriceTable } from '../../models/price-table.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import { ChangeModelButton } from './change-model-button.tsx'
import { ModelTargets } from './model-targets.tsx'
import { PriceCalculator } from './price-calculator.tsx'
import { PriceEditor } from './price-editor.tsx'
import { type PriceForm, toForm } from './price-form.ts'
import { PlannedPrice, PriceHistory } from './price-history.tsx'

const EditModel = lazyPart(() => import('../../models/edit-model.tsx'), null, { isForFew: true })
const EditTargets = lazyPart(() => import('./edit-targets.tsx'))
const ModelFacts = lazyPart(() => import('./facts/model-facts.tsx'), null, { isForFew: true })

/** One model: its price, what a request costs at it, where its requests go, and what it cost before. */
export default function ModelPage(): ReactNode {
  const t = useTexts('prices')
  const { modelId = '' } = useParams({ strict: false })
  const model = useQuery(modelQuery(modelId))
  return (
    <>
      <BackLink to={ADMIN_PATHS.prices}>{t.back}</BackLink>
      <QueryView query={model} skeleton={<PageSkeleton />}>
        {(data) => <ModelParts key={data.id} model={data} />}
      </QueryView>
    </>
  )
}

function ModelParts({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('prices')
  const m = useTexts('models')
  const format = useFormat()
  const { data: week } = useQuery(modelWeekQuery(model.name))
  // null: nothing was changed in the form, which shows the model as it is.
  const [changed, setChanged] = useState<{ readonly form: PriceForm; readonly version: string | undefined } | null>(
    null,
  )
  const form = changed?.form ?? toForm(model.price)
  // As it was when the form was first touched: what another admin changes meanwhile is not overwritten unseen.
  const version = changed?.version ?? model.version
  const [mayEdit, mayPrice] = [useMay('catalogue'), useMay('prices')]
  const [opened, setOpened] = useState<'settings' | 'targets' | 'facts' | 'delete' | null>(null)
  const close = (): void => setOpened(null)
  const navigate = useNavigate()
  const toast = useToast()
  const groups = model.groups.map(({ name }) => name)
  return (
    <>
      <PageHeader
        title={model.name}
        actions={
          !model.managed && (
            <>
              {mayPrice && (
                <ChangeModelButton model={model} change={{ price_locked: !model.price_locked }}>
                  {model.price_locked ? t.unlock : t.lock}
                </ChangeModelButton>
              )}
              {mayEdit && (
                <>
                  <ChangeModelButton model={model} change={{ recommended: !model.recommended }}>
                    {model.recommended ? t.unrecommend : t.recommend}
                  </ChangeModelButton>
                  <Button onClick={() => setOpened('settings')}>{t.edit}</Button>
                  <Button onClick={() => setOpened('delete')}>{t.deleting.action}</Button>
                </>
              )}
            </>
          )
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {model.managed && <Notice>{t.managed}</Notice>}
        {model.price_locked && !model.managed && <Notice>{t.lockedText}</Notice>}
        <PlannedPrice
          model={model}
          action={
            mayPrice && (
              <ChangeModelButton model={model} change={{ scheduled: null }}>
                {t.planning.cancel}
              </ChangeModelButton>
            )
          }
        />
        <Section title={t.facts}>
          <DetailList
            rows={[
              { label: m.modelKind, value: m.kindKnown(m.modelKinds[model.kind], m.kindEvidence[model.kind_from]) },
              { label: t.columns.groups, value: t.usedBy(groups) },
              {
                label: t.week,
                value:
                  week === undefined
                    ? '–'
                    : week.requests === 0
                      ? t.noWeek
                      : t.weekText(format.number(week.requests), format.money(week.cost)),
              },
            ]}
          />
        </Section>
        {model.managed || !mayPrice ? (
          <Section title={t.editor.title}>
            <PriceTable model={model} />
          </Section>
        ) : (
          <PriceEditor
            model={model}
            form={form}
            version={version}
            onForm={(wanted) => setChanged(wanted === null ? null : { form: wanted, version })}
          />
        )}
        <PriceCalculator model={model} form={form} />
        <ModelTargets
          model={model}
          onEdit={mayEdit && !model.managed ? () => setOpened('targets') : null}
          onFacts={() => setOpened('facts')}
        />
        <PriceHistory
          id={model.id}
          onTakeBack={
            model.managed || !mayPrice
              ? null
              : (price) => {
                  setChanged({ form: toForm(price), version })
                  toast({ text: t.history.inForm })
                }
          }
        />
      </div>
      {opened === 'settings' && <EditModel model={model} onClose={close} />}
      {opened === 'targets' && <EditTargets model={model} onClose={close} />}
      {opened === 'facts' && <ModelFacts model={model} mayEdit={mayEdit && !model.managed} onClose={close} />}
      {opened === 'delete' && (
        <DeleteDialog
          name={model.name}
          texts={t.deleting}
          send={() => deleteModel(model.id)}
          onDone={() => void navigate({ to: ADMIN_PATHS.prices })}
          refreshes={['models', 'upstreams', 'groups', 'attention']}
          onClose={close}
        >
          <p>
            {groups.length === 0 ? t.deleting.noGroup : t.deleting.groups(format.list(groups))} {t.deleting.text}
          </p>
        </DeleteDialog>
      )}
    </>
  )
}
