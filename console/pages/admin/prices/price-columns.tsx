import { type ReactNode, useMemo } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import type { SalesOfModel } from '../../../api/price-admin.ts'
import { UNIT_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { isZero } from '../../../format/money.ts'
import { nameOf } from '../../../format/name-of.ts'
import { tokenSize } from '../../../format/number.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { AlignedAmount } from '../../../ui/aligned-amount.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { useIsWide } from '../../../ui/use-media.ts'
import { columnsOf } from '../../../table/columns-of.ts'
import { readImportSource } from './import/catalogue-entry.ts'

/** Longer prices are rare: they stand out of the column a little, and all others keep close to its end. */
const MOST_PRICE_PLACES = 3

interface PricedModel {
  readonly model: ModelView
  /** `none`: nothing was asked of it; null: not known yet. */
  readonly sales: SalesOfModel | 'none' | null
}

/** The decimal places of the longest price, and of the longest amount that was charged or earned. */
interface Places {
  readonly prices: number
  readonly sold: number
}

export function usePriceColumns({ prices, sold: places }: Places): readonly Column<PricedModel>[] {
  const t = useTexts('prices')
  const m = useTexts('models')
  const format = useFormat()
  const isWide = useIsWide()
  return useMemo(() => {
    const nothing = <span className="text-ink-3">–</span>
    const price = (kind: 'input' | 'output' | 'cache_read'): Omit<Column<PricedModel>, 'id' | 'header'> => ({
      align: 'end',
      width: 'w-28',
      cell: ({ model }) => {
        const amount = model.price?.[kind] ?? null
        if (amount === null) return nothing
        return isZero(amount) ? (
          m.free
        ) : (
          <AlignedAmount shown={format.exactMoney(amount)} places={Math.min(MOST_PRICE_PLACES, prices)} />
        )
      },
    })
    const sold = (row: PricedModel, show: (sales: SalesOfModel) => ReactNode): ReactNode =>
      row.sales === null || row.sales === 'none' ? nothing : show(row.sales)
    return columnsOf<PricedModel, keyof typeof t.columns>(t.columns, {
      name: {
        role: 'title',
        cell: ({ model }) => (
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <CutName text={model.name} className="max-w-52 max-lg:max-w-full 2xl:max-w-md" wrapsOnCards />
            {model.kind !== 'chat' && <Badge>{m.modelKinds[model.kind]}</Badge>}
            {model.recommended && <Badge tone="accent">{t.recommended}</Badge>}
            {model.price_locked && <Badge>{t.locked}</Badge>}
            {model.scheduled != null && (
              <Badge tone="accent">{t.planning.badge(format.date(model.scheduled.effective_at))}</Badge>
            )}
            {model.price === null && <Badge tone="warn">{t.states.no_price}</Badge>}
            {(model.targets ?? []).length === 0 && <Badge tone="warn">{t.states.no_target}</Badge>}
            {model.managed && <Badge>{t.states.managed}</Badge>}
          </span>
        ),
      },
      groups: {
        align: 'end',
        width: 'w-20',
        cell: ({ model: { groups } }) => (
          <span title={format.list(groups.map(({ name }) => name))}>{format.number(groups.length)}</span>
        ),
      },
      input: { ...price('input'), onPhone: 'figure' },
      output: { ...price('output'), onPhone: 'figure' },
      cacheRead: { id: 'cache_read', ...price('cache_read') },
      rules: { width: 'w-36', cell: ({ model }) => <Rules model={model} /> },
      requests: { align: 'end', width: 'w-28', cell: (row) => sold(row, ({ requests }) => format.number(requests)) },
      charged: {
        align: 'end',
        width: 'w-28',
        cell: (row) => sold(row, ({ charged }) => <AlignedAmount shown={format.money(charged)} places={places} />),
      },
      margin: {
        align: 'end',
        width: 'w-32',
        cell: (row) =>
          sold(row, ({ costed, margin }) =>
            isZero(costed) && isZero(margin) ? (
              <span className="text-ink-3" title={t.noCost}>
                –
              </span>
            ) : (
              <AlignedAmount
                shown={format.money(margin)}
                places={places}
                className={margin.startsWith('-') ? 'text-bad' : ''}
              />
            ),
          ),
      },
      source: { width: 'w-44', isHiddenAtFirst: !isWide, cell: ({ model }) => <PriceSource model={model} /> },
      changedBy: {
        id: 'changed_by',
        width: 'w-44',
        isHiddenAtFirst: true,
        cell: ({ model }) => <ChangedBy model={model} />,
      },
    })
  }, [t, m, format, prices, places, isWide])
}

/** What else than the prices of tokens decides. */
function Rules({ model: { price } }: { readonly model: ModelView }): ReactNode {
  const t = useTexts('prices').rules
  const { kinds } = useTexts('models')
  const format = useFormat()
  const units = UNIT_KINDS.flatMap((kind) => {
    const amount = price?.[kind] ?? null
    return amount === null ? [] : [`${kinds[kind]} ${format.exactMoney(amount)}`]
  })
  const marks = [
    ...units,
    ...(price?.tiers ?? []).map(({ above_input_tokens: above }) => t.tiers(tokenSize(above))),
    ...(Object.keys(price?.service_tiers ?? {}).length === 0 ? [] : [t.service]),
    ...(Object.keys(price?.inference_geo ?? {}).length === 0 ? [] : [t.geo]),
    ...(Object.keys(price?.per_call ?? {}).length === 0 ? [] : [t.calls]),
  ]
  if (marks.length === 0) return <span className="text-ink-3">–</span>
  return (
    <span className="flex flex-wrap gap-1 max-lg:justify-end">
      {marks.map((mark) => (
        <Badge key={mark}>{mark}</Badge>
      ))}
    </span>
  )
}

interface OfModel {
  readonly model: Pick<ModelView, 'managed' | 'price_changed'>
}

/** Where the price that a model has is from, and since when it has it. */
function PriceSource({ model: { managed, price_changed: changed } }: OfModel): ReactNode {
  const t = useTexts('prices').source
  const format = useFormat()
  if (managed) return t.file
  if (changed == null) return <Nothing />
  const { form, rest } = readImportSource(changed.import_source ?? '')
  const source = [...(form === null ? [] : [t.forms[form]]), rest].filter((part) => part !== '').join(' ')
  const imported = source === '' ? t.import : t.importOf(source)
  const own = changed.via === 'file' ? t.file : t.byHand
  return (
    <>
      <CutName text={changed.action === 'model.import' ? imported : own} className="max-w-44" wrapsOnCards />
      <span className="block text-xs text-ink-3" title={format.time(changed.created_at)}>
        {format.date(changed.created_at)}
      </span>
    </>
  )
}

/** Who set it. */
function ChangedBy({ model: { managed, price_changed: changed } }: OfModel): ReactNode {
  const t = useTexts('prices').source
  if (managed) return t.file
  if (changed == null) return <Nothing />
  const { actor, actor_email: email } = changed
  return <CutName text={email ?? nameOf(actor, t.actors)} className="max-w-44" wrapsOnCards />
}

function Nothing(): ReactNode {
  const t = useTexts('prices').source
  return (
    <span className="text-ink-3" title={t.unknown}>
      –
    </span>
  )
}
