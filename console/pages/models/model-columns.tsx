import { useMemo, type ReactNode } from 'react'
import type { PricesView } from '../../../src/contract/models.ts'
import { UNIT_KINDS } from '../../api/price-kinds.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { isZero } from '../../format/money.ts'
import { tokenSize } from '../../format/number.ts'
import { useFormat } from '../../format/use-format.ts'
import type { Column } from '../../table/column.ts'
import { AlignedAmount } from '../../ui/aligned-amount.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { KeyLink } from './key-link.tsx'
import { HealthDot } from './model-health.tsx'
import { firstTier } from './price-rows.ts'
import { protocolsInShort, type ListedModel } from './model-list.ts'
import { useIsWide } from '../../ui/use-media.ts'
import { TryLink } from '../try-link.tsx'
import { wireName } from '../../format/wire-names.ts'

const FavouriteButton = lazyPart(
  () => import('../../ui/favourite-button.tsx'),
  <span className="size-8.5 shrink-0 touch:size-11" />,
)

/** Decimal places of a price for a million tokens. */
const PRICE_PLACES = 3

type ModelColumn = Column<ListedModel>

/** `namesGroup`: whether it is said of which group the prices are, since none was chosen. */
export function useModelColumns(namesGroup: boolean): readonly ModelColumn[] {
  const t = useTexts('models')
  const isWide = useIsWide()
  return useMemo(() => {
    const price = (id: 'input' | 'output' | 'cache_read' | 'cache_write', header: string): ModelColumn => ({
      id,
      header,
      align: 'end',
      isEmptyFor: ({ offer }) =>
        offer === null || (offer.price[id] === null && (id !== 'input' || offer.price.input !== null)),
      cell: (row) => <Price row={row} kind={id} />,
    })
    const priceGroup: ModelColumn = {
      id: 'group',
      header: t.group,
      isEmptyFor: ({ offer }) => offer === null,
      cell: ({ offer }) =>
        offer === null ? (
          <Nothing />
        ) : (
          <CutName text={offer.group} className="max-w-24 max-lg:max-w-full 2xl:max-w-40" />
        ),
    }
    return [
      { id: 'name', header: t.model, role: 'title', sort: 'name', cell: (row) => <ModelName row={row} /> },
      { ...price('input', t.input), sort: 'input', onPhone: 'figure' },
      { ...price('output', t.output), sort: 'output', onPhone: 'figure' },
      // Prices of ten columns need the width of a desktop.
      { ...price('cache_read', t.cacheRead), isHiddenAtFirst: !isWide },
      { ...price('cache_write', t.cacheWrite), isHiddenAtFirst: true },
      ...(namesGroup ? [priceGroup] : []),
      {
        id: 'context',
        header: t.context,
        align: 'end',
        sort: 'context',
        sortsFirst: 'desc',
        isEmptyFor: ({ model }) => model.context_tokens === null,
        cell: ({ model }) => <TokenCount count={model.context_tokens} />,
      },
      {
        id: 'max_output',
        header: t.maxOutput,
        align: 'end',
        isHiddenAtFirst: true,
        cell: ({ model }) => <TokenCount count={model.max_output_tokens} />,
      },
      {
        id: 'use',
        header: t.use,
        align: 'end',
        sort: 'use',
        sortsFirst: 'desc',
        isEmptyFor: ({ traffic }) => traffic === null || traffic.requests === 0,
        cell: ({ traffic }) => <OwnUse traffic={traffic} />,
      },
      {
        id: 'protocols',
        header: t.protocols,
        width: 'w-52',
        isHiddenAtFirst: true,
        cell: ({ model }) => <Protocols names={model.protocols} />,
      },
      { id: 'keys', header: t.myKeys, cell: (row) => <Keys row={row} /> },
      {
        id: 'actions',
        header: t.actions,
        role: 'actions',
        cell: (row) => <ModelActions row={row} />,
      },
    ]
  }, [t, namesGroup, isWide])
}

/** Whether it can be tried: only conversations can. */
function ModelActions({ row }: { readonly row: ListedModel }): ReactNode {
  const t = useTexts('models')
  const { model, obstacle } = row
  return (
    <span className="flex justify-end">
      {model.kind === 'chat' && <FavouriteButton model={model.name} />}
      {model.kind === 'chat' && obstacle === null && <TryLink model={model.name} isSmall />}
      {/* A phone has it where the model is opened. */}
      <span className="max-sm:hidden">
        <CopyButton text={model.name} what={t.copyName(model.name)} />
      </span>
    </span>
  )
}

function OwnUse({ traffic }: Pick<ListedModel, 'traffic'>): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  if (traffic === null || traffic.requests === 0) return <Nothing />
  return <span title={t.useCost(format.money(traffic.cost))}>{format.number(traffic.requests)}</span>
}

function ModelName({ row }: { readonly row: ListedModel }): ReactNode {
  const t = useTexts('models')
  return (
    <span className="flex items-center gap-x-2">
      <HealthDot traffic={row.traffic} />
      <span className="flex min-w-0 items-center gap-x-2">
        <CutName text={row.model.name} className="max-w-40 max-lg:min-w-0 max-lg:max-w-full 2xl:max-w-md" />
        {row.model.kind !== 'chat' && <Badge>{t.modelKinds[row.model.kind]}</Badge>}
        {row.model.recommended && <Badge tone="accent">{t.recommended}</Badge>}
        {row.offer !== null && <LongerPrice price={row.offer.price} />}
        {row.obstacle !== null && <Badge tone="warn">{t.notAvailable}</Badge>}
      </span>
    </span>
  )
}

function Price(props: {
  readonly row: ListedModel
  readonly kind: 'input' | 'output' | 'cache_read' | 'cache_write'
}): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const { offer } = props.row
  if (offer === null) return <Nothing />
  const price = offer.price[props.kind]
  if (offer.price.input === null && props.kind === 'input') return <UnitPrices price={offer.price} />
  if (offer.price.input === null) return <Nothing />
  if (price === null) return <span className="text-sm whitespace-nowrap text-ink-3">{t.asInput}</span>
  return (
    <>
      {isZero(price) ? (
        <span className="whitespace-nowrap">{t.free}</span>
      ) : (
        <AlignedAmount shown={format.exactMoney(price)} places={PRICE_PLACES} />
      )}
      {props.kind === 'input' && <UnitPrices price={offer.price} isFurther />}
    </>
  )
}

/** Says that longer prompts cost more, and how much. */
function LongerPrice({ price }: { readonly price: PricesView }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const tier = firstTier(price)
  if (tier === null) return null
  const { input, output } = tier
  const amounts = [input, output].flatMap((amount) => (amount === undefined ? [] : [format.exactMoney(amount)]))
  return (
    <span title={t.longer(tokenSize(tier.above_input_tokens), amounts.join(' / '))}>
      <Badge>{t.tiered}</Badge>
    </span>
  )
}

/** What stands in place of a price for tokens, or comes on top of it. */
function UnitPrices(props: { readonly price: PricesView; readonly isFurther?: boolean }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  return UNIT_KINDS.map((kind) => {
    const amount = props.price[kind]
    if (amount === null) return null
    return (
      <span key={kind} className="whitespace-nowrap">
        {props.isFurther === true && ' + '}
        {isZero(amount) ? t.free : format.exactMoney(amount)}{' '}
        <span className="text-xs text-ink-3">{t.kinds[kind]}</span>
      </span>
    )
  })
}

function Nothing(): ReactNode {
  return <span className="text-ink-3">–</span>
}

function TokenCount({ count }: { readonly count: number | null }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  if (count === null) return <span className="text-sm text-ink-3">{t.unknown}</span>
  return <span title={t.tokens(format.number(count))}>{tokenSize(count)}</span>
}

function Protocols({ names }: { readonly names: readonly string[] }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const { isEveryChat, shown, more } = protocolsInShort(names)
  return (
    <span
      className="flex items-center gap-1 whitespace-nowrap max-lg:flex-wrap max-lg:justify-end"
      title={format.list(names.map(wireName))}
    >
      {isEveryChat && <Badge>{t.everyChat}</Badge>}
      {shown.map((name) => (
        <Badge key={name}>{wireName(name)}</Badge>
      ))}
      {more > 0 && <span className="text-sm text-ink-3">{t.more(more)}</span>}
    </span>
  )
}

function Keys({ row }: { readonly row: ListedModel }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const { keys } = row.model
  if (keys.length === 0) return <span className="text-sm text-ink-3">{t.noKey}</span>
  const [first, ...others] = keys
  return (
    <span className="whitespace-nowrap" title={format.list(keys.map(({ name }) => name))}>
      {first !== undefined && <KeyLink id={first.id} name={first.name} isNarrow />}
      {others.length > 0 && <span className="text-ink-3"> {t.more(others.length)}</span>}
    </span>
  )
}
