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
import { TryLink } from '../try-link.tsx'
import { wireName } from '../../format/wire-names.ts'

const FavouriteButton = lazyPart(
  () => import('../../ui/favourite-button.tsx'),
  <span className="size-8.5 shrink-0 touch:size-11" />,
)

/** Decimal places of a price for a million tokens. */
const PRICE_PLACES = 3

type ModelColumn = Column<ListedModel>

/** `namesGroup`: whether the price says of which group it is, since none was chosen. */
export function useModelColumns(namesGroup: boolean): readonly ModelColumn[] {
  const t = useTexts('models')
  return useMemo(() => {
    const price = (id: 'input' | 'output' | 'cache_read' | 'cache_write', header: string): ModelColumn => ({
      id,
      header,
      align: 'end',
      width: 'w-28',
      cell: (row) => <Price row={row} kind={id} namesGroup={namesGroup && id === 'input'} />,
    })
    return [
      { id: 'name', header: t.model, role: 'title', sort: 'name', cell: (row) => <ModelName row={row} /> },
      { ...price('input', t.input), sort: 'input' },
      { ...price('output', t.output), sort: 'output' },
      price('cache_read', t.cacheRead),
      { ...price('cache_write', t.cacheWrite), isHiddenAtFirst: true },
      {
        id: 'context',
        header: t.context,
        align: 'end',
        sort: 'context',
        sortsFirst: 'desc',
        width: 'w-28',
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
        width: 'w-28',
        cell: ({ traffic }) => <OwnUse traffic={traffic} />,
      },
      {
        id: 'protocols',
        header: t.protocols,
        width: 'w-52',
        isHiddenAtFirst: true,
        cell: ({ model }) => <Protocols names={model.protocols} />,
      },
      { id: 'keys', header: t.myKeys, width: 'w-40', cell: (row) => <Keys row={row} /> },
      {
        id: 'actions',
        header: t.actions,
        role: 'actions',
        width: 'w-32',
        cell: (row) => <ModelActions row={row} />,
      },
    ]
  }, [t, namesGroup])
}

/** Whether it can be tried: only conversations can. */
function ModelActions({ row }: { readonly row: ListedModel }): ReactNode {
  const t = useTexts('models')
  const { model, obstacle } = row
  return (
    <span className="flex justify-end">
      {model.kind === 'chat' && <FavouriteButton model={model.name} />}
      {model.kind === 'chat' && obstacle === null && <TryLink model={model.name} isSmall />}
      <CopyButton text={model.name} what={t.copyName(model.name)} />
    </span>
  )
}

function OwnUse({ traffic }: Pick<ListedModel, 'traffic'>): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  if (traffic === null || traffic.requests === 0) return <span className="text-ink-3">–</span>
  return <span title={t.useCost(format.money(traffic.cost))}>{format.number(traffic.requests)}</span>
}

function ModelName({ row }: { readonly row: ListedModel }): ReactNode {
  const t = useTexts('models')
  return (
    <span className="flex items-center gap-x-2">
      <HealthDot traffic={row.traffic} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <CutName text={row.model.name} className="max-w-40 font-mono max-lg:max-w-full 2xl:max-w-md" wrapsOnCards />
        {row.model.kind !== 'chat' && <Badge>{t.modelKinds[row.model.kind]}</Badge>}
        {row.model.recommended && <Badge tone="accent">{t.recommended}</Badge>}
        {row.obstacle !== null && <Badge tone="warn">{t.notAvailable}</Badge>}
      </span>
    </span>
  )
}

function Price(props: {
  readonly row: ListedModel
  readonly kind: 'input' | 'output' | 'cache_read' | 'cache_write'
  readonly namesGroup: boolean
}): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const { offer } = props.row
  if (offer === null) return <span className="text-ink-3">–</span>
  const price = offer.price[props.kind]
  if (offer.price.input === null && props.kind === 'input') return <UnitPrices price={offer.price} />
  if (offer.price.input === null) return <span className="text-ink-3">–</span>
  if (price === null) return <span className="text-sm whitespace-nowrap text-ink-3">{t.asInput}</span>
  return (
    <>
      {isZero(price) ? (
        <span className="whitespace-nowrap">{t.free}</span>
      ) : (
        <AlignedAmount shown={format.exactMoney(price)} places={PRICE_PLACES} />
      )}
      <LongerPrice price={offer.price} kind={props.kind} />
      {props.namesGroup && (
        <span className="block text-xs text-ink-3">
          <CutName text={t.inGroup(offer.group)} className="max-w-32 max-lg:max-w-full 2xl:max-w-40" />
        </span>
      )}
      {props.kind === 'input' && <UnitPrices price={offer.price} />}
    </>
  )
}

/** Shows that longer prompts cost more, and how much. */
function LongerPrice(props: {
  readonly price: PricesView
  readonly kind: 'input' | 'output' | 'cache_read' | 'cache_write'
}): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  const tier = firstTier(props.price)
  const amount = tier?.[props.kind]
  if (tier === null || amount === undefined) return null
  return (
    <span className="block text-xs whitespace-nowrap text-ink-3">
      {t.longer(tokenSize(tier.above_input_tokens), format.exactMoney(amount))}
    </span>
  )
}

/** What stands in place of a price for tokens, or comes on top of it. */
function UnitPrices({ price }: { readonly price: PricesView }): ReactNode {
  const t = useTexts('models')
  const format = useFormat()
  return UNIT_KINDS.map((kind) => {
    const amount = price[kind]
    if (amount === null) return null
    return (
      <span key={kind} className="block">
        <span className="whitespace-nowrap">{isZero(amount) ? t.free : format.exactMoney(amount)}</span>
        <span className="block text-xs whitespace-nowrap text-ink-3">{t.kinds[kind]}</span>
      </span>
    )
  })
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
