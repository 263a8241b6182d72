import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { ModelView } from '../../../src/contract/models.ts'
import type { TrafficOfModel } from '../../api/models.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { KeyLink } from './key-link.tsx'
import { listedModels } from './model-list.ts'
import { PriceTable } from './price-table.tsx'
import { TryLink } from '../try-link.tsx'
import { wireName } from '../../format/wire-names.ts'

const EditModel = lazyPart(() => import('./edit-model.tsx'), null, { isForFew: true })

/** One model: its prices in every group, the keys that may call it, and what is known about it. */
export default function ModelDrawer(props: {
  readonly model: ModelView
  readonly traffic: TrafficOfModel | null
  onClose(): void
}): ReactNode {
  const { model, onClose } = props
  const t = useTexts('models')
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={model.name}
      foot={
        <>
          {model.targets !== undefined && !model.managed && <EditButton model={model} />}
          <Link to={PATHS.usage} search={{ model: model.name }} className={buttonClass('secondary')}>
            {t.drawer.usage}
          </Link>
          {model.kind === 'chat' && model.available && <TryLink model={model.name} />}
        </>
      }
    >
      <div className="grid gap-6">
        <Obstacle model={model} />
        <CopyField label={t.model} value={model.name} />
        <div>
          <h3>{t.drawer.prices}</h3>
          <p className="mb-2 text-sm text-ink-3">{t.drawer.priceLead}</p>
          <PriceTable model={model} />
        </div>
        <KeysOf model={model} />
        <About model={model} traffic={props.traffic} />
      </div>
    </Drawer>
  )
}

/** Opens the settings of the model, for admins. */
function EditButton({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('models')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.drawer.edit}</Button>
      {isOpen && <EditModel model={model} onClose={() => setOpen(false)} />}
    </>
  )
}

function Obstacle({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('models')
  const [listed] = listedModels([model], { search: '', filters: {}, sort: { by: 'name', order: 'asc' } })
  const texts = { no_price: t.noPrice, no_target: t.noTarget, in_no_group: t.inNoGroup }
  if (listed === undefined || listed.obstacle === null) return null
  return (
    <Notice tone="warn" title={t.notAvailable}>
      {texts[listed.obstacle]}
    </Notice>
  )
}

function KeysOf({ model }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('models')
  return (
    <div>
      <h3 className="mb-1">{t.drawer.keys}</h3>
      {model.keys.length === 0 ? (
        <>
          <p className="text-ink-2">{t.drawer.noKeys}</p>
          <Link to={PATHS.keys} className={buttonClass('secondary', 'mt-3')}>
            {t.drawer.manageKeys}
          </Link>
        </>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {model.keys.map((key) => (
            <li key={key.id}>
              <KeyLink id={key.id} name={key.name} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function About(props: { readonly model: ModelView; readonly traffic: TrafficOfModel | null }): ReactNode {
  const { model, traffic } = props
  const t = useTexts('models')
  const format = useFormat()
  const tokens = (count: number | null): string => (count === null ? t.unknown : t.tokens(format.number(count)))
  const targets = model.targets ?? []
  return (
    <div>
      <h3 className="mb-2">{t.drawer.about}</h3>
      <DetailList
        rows={[
          { label: t.modelKind, value: kindText(model, t) },
          ...(model.abilities.length === 0
            ? []
            : [
                {
                  label: t.supports,
                  value: t.abilitiesKnown(format.list(model.abilities.map((each) => t.abilities[each]))),
                },
              ]),
          { label: t.health, value: traffic?.answers == null ? t.healthUnknown : t.answers[traffic.answers] },
          ...(traffic === null || traffic.requests === 0
            ? []
            : [
                {
                  label: t.use,
                  value: `${format.number(traffic.requests)} · ${t.useCost(format.money(traffic.cost))}`,
                },
              ]),
          { label: t.context, value: tokens(model.context_tokens) },
          { label: t.maxOutput, value: tokens(model.max_output_tokens) },
          {
            label: t.protocols,
            value: (
              <span className="flex flex-wrap gap-1">
                {model.protocols.map((name) => (
                  <Badge key={name}>{wireName(name)}</Badge>
                ))}
              </span>
            ),
          },
          ...(targets.length === 0
            ? []
            : [
                {
                  label: t.drawer.targets,
                  value: format.list(targets.map((target) => targetText(target, t.drawer))),
                },
                ...(model.hedge_after_ms === null
                  ? []
                  : [{ label: t.drawer.hedge, value: format.duration(model.hedge_after_ms) }]),
              ]),
        ]}
      />
      {model.managed && <p className="mt-2 text-sm text-ink-3">{t.drawer.managed}</p>}
    </div>
  )
}

function kindText({ kind, kind_from: from, recommended }: ModelView, t: PageTexts['models']): string {
  const known = t.kindKnown(t.modelKinds[kind], t.kindEvidence[from])
  return recommended ? `${known} · ${t.recommended}` : known
}

type TargetTexts = Pick<PageTexts['models']['drawer'], 'targetFor'>

function targetText(target: NonNullable<ModelView['targets']>[number], t: TargetTexts): string {
  const { upstream, model, groups } = target
  return groups.length === 0 ? `${upstream}: ${model}` : t.targetFor(`${upstream}: ${model}`, groups)
}
