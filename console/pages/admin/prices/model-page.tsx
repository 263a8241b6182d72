import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ModelView, PricesView } from '../../../../src/contract/models.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { deleteModel } from '../../../api/catalogue-changes.ts'
import { modelQuery, modelWeekQuery } from '../../../api/price-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { PriceTable } from '../../models/price-table.tsx'
import { BackLink } from '../../../ui/back-link.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import type { MenuRow } from '../kit/menu-rows.tsx'
import { ChangeModelButton, useModelChange } from './change-model-button.tsx'
import { ModelTargets } from './model-targets.tsx'
import { PriceCalculator } from './price-calculator.tsx'
import { PriceEditor } from './price-editor.tsx'
import { type PriceForm, toForm } from './price-form.ts'
import { PlannedPrice, PriceHistory } from './price-history.tsx'

const MenuRows = lazyPart(() => import('../kit/menu-rows.tsx'))
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

type Opened = 'settings' | 'targets' | 'facts' | 'delete'

function ModelParts({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('prices')
  // null: nothing was changed in the form, which shows the model as it is.
  const [changed, setChanged] = useState<{ readonly form: PriceForm; readonly version: string | undefined } | null>(
    null,
  )
  const form = changed?.form ?? toForm(model.price)
  // As it was when the form was first touched: what another admin changes meanwhile is not overwritten unseen.
  const version = changed?.version ?? model.version
  const [mayEdit, mayPrice] = [useMay('catalogue') && !model.managed, useMay('prices') && !model.managed]
  const [opened, setOpened] = useState<Opened | null>(null)
  const toast = useToast()
  const takeBack = (price: PricesView): void => {
    setChanged({ form: toForm(price), version })
    toast({ text: t.history.inForm })
  }
  return (
    <>
      <ModelHead model={model} onOpen={setOpened} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <ModelNotices model={model} />
        <ModelSummary model={model} />
        {mayPrice ? (
          <PriceEditor
            model={model}
            form={form}
            version={version}
            onForm={(wanted) => setChanged(wanted === null ? null : { form: wanted, version })}
          />
        ) : (
          <Section title={t.editor.title}>
            <PriceTable model={model} />
          </Section>
        )}
        <PriceCalculator model={model} form={form} />
        <ModelTargets
          model={model}
          onEdit={mayEdit ? () => setOpened('targets') : null}
          onFacts={() => setOpened('facts')}
        />
        <PriceHistory id={model.id} onTakeBack={mayPrice ? takeBack : null} />
      </div>
      <ModelDialogs model={model} opened={opened} onClose={() => setOpened(null)} />
    </>
  )
}

/** The model’s name and what can be done with it. */
function ModelHead({ model, onOpen }: { readonly model: ModelView; onOpen(what: Opened): void }): ReactNode {
  const t = useTexts('prices')
  const [mayEdit, mayPrice] = [useMay('catalogue'), useMay('prices')]
  return (
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
                <Button onClick={() => onOpen('settings')}>{t.edit}</Button>
                <ModelMenu model={model} onDelete={() => onOpen('delete')} />
              </>
            )}
          </>
        )
      }
    />
  )
}

/** What is seldom done with a model, or dangerous. */
function ModelMenu({ model, onDelete }: { readonly model: ModelView; onDelete(): void }): ReactNode {
  const t = useTexts('prices')
  const { moreActions } = useSharedTexts()
  const change = useModelChange(model)
  const { recommended } = model
  const rows: readonly MenuRow[] = [
    {
      icon: 'check',
      text: recommended ? t.unrecommend : t.recommend,
      onSelect: () => change.press({ recommended: !recommended }),
    },
    { icon: 'trash', text: t.deleting.action, isDangerous: true, onSelect: onDelete },
  ]
  return (
    <>
      <Menu onNear={MenuRows.load} trigger={<IconButton icon="more" label={moreActions} />}>
        <MenuRows rows={rows} />
      </Menu>
      {change.dialog}
    </>
  )
}

/** Where it is managed, what imports leave alone, and what is planned. */
function ModelNotices({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('prices')
  const mayPrice = useMay('prices')
  return (
    <>
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
    </>
  )
}

/** What it is, who has it, and how much it was used. */
function ModelSummary({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('prices')
  const m = useTexts('models')
  const format = useFormat()
  const { data: week } = useQuery(modelWeekQuery(model.name))
  const used = (): string => {
    if (week === undefined) return '–'
    return week.requests === 0 ? t.noWeek : t.weekText(format.number(week.requests), format.money(week.cost))
  }
  return (
    <Section title={t.facts}>
      <DetailList
        rows={[
          { label: m.modelKind, value: m.kindKnown(m.modelKinds[model.kind], m.kindEvidence[model.kind_from]) },
          { label: t.columns.groups, value: t.usedBy(model.groups.map(({ name }) => name)) },
          { label: t.week, value: used() },
        ]}
      />
    </Section>
  )
}

function ModelDialogs(props: {
  readonly model: ModelView
  readonly opened: Opened | null
  onClose(): void
}): ReactNode {
  const t = useTexts('prices')
  const format = useFormat()
  const navigate = useNavigate()
  const mayEdit = useMay('catalogue')
  const { model, opened, onClose } = props
  const groups = model.groups.map(({ name }) => name)
  return (
    <>
      {opened === 'settings' && <EditModel model={model} onClose={onClose} />}
      {opened === 'targets' && <EditTargets model={model} onClose={onClose} />}
      {opened === 'facts' && <ModelFacts model={model} mayEdit={mayEdit && !model.managed} onClose={onClose} />}
      {opened === 'delete' && (
        <DeleteDialog
          name={model.name}
          texts={t.deleting}
          send={() => deleteModel(model.id)}
          onDone={() => void navigate({ to: ADMIN_PATHS.prices })}
          refreshes={['models', 'upstreams', 'groups', 'attention']}
          onClose={onClose}
        >
          <p>
            {groups.length === 0 ? t.deleting.noGroup : t.deleting.groups(format.list(groups))} {t.deleting.text}
          </p>
        </DeleteDialog>
      )}
    </>
  )
}
