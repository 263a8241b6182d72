import { useTexts } from '../../dictionaries/texts.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { wireName } from '../../format/wire-names.ts'
import type { ListedModel } from './model-list.ts'

interface ComparedLine {
  readonly label: string
  /** The text of the one model and of the other. */
  readonly texts: readonly [string, string]
  readonly isSame: boolean
}

/** What two models have, side by side, as texts. What neither has is left out: a line that says nothing. */
export function useComparedLines([left, right]: readonly [ListedModel, ListedModel]): readonly ComparedLine[] {
  const { unknown } = useTexts('models')
  return useRows()
    .map(({ label, text }) => ({ label, texts: [text(left), text(right)] as const }))
    .filter(({ texts }) => texts.some((text) => text !== unknown))
    .map(({ label, texts }) => ({ label, texts, isSame: texts[0] === texts[1] }))
}

const PRICED = ['input', 'output', 'cache_read', 'cache_write', 'per_request', 'per_image', 'per_second'] as const

/** What is compared, each as a text. */
function useRows(): readonly { readonly label: string; text(listed: ListedModel): string }[] {
  const t = useTexts('models')
  const format = useFormat()
  const tokens = (count: number | null): string => (count === null ? t.unknown : t.tokens(format.number(count)))
  const price = ({ offer }: ListedModel, kind: (typeof PRICED)[number]): string => {
    const amount = offer?.price[kind] ?? null
    if (amount === null) return t.unknown
    return isZero(amount) ? t.free : format.exactMoney(amount)
  }
  return [
    {
      label: t.modelKind,
      text: ({ model }) =>
        model.recommended ? `${t.modelKinds[model.kind]} · ${t.recommended}` : t.modelKinds[model.kind],
    },
    {
      label: t.supports,
      text: ({ model }) => format.list(model.abilities.map((each) => t.abilities[each])) || t.unknown,
    },
    { label: t.context, text: ({ model }) => tokens(model.context_tokens) },
    { label: t.maxOutput, text: ({ model }) => tokens(model.max_output_tokens) },
    { label: t.group, text: ({ offer }) => offer?.group ?? t.unknown },
    ...PRICED.map((kind) => ({ label: t.kinds[kind], text: (listed: ListedModel) => price(listed, kind) })),
    { label: t.protocols, text: ({ model }) => format.list(model.protocols.map(wireName)) },
    {
      label: t.health,
      text: ({ traffic }) => (traffic?.answers == null ? t.healthUnknown : t.healthInShort[traffic.answers]),
    },
    { label: t.use, text: ({ traffic }) => format.number(traffic?.requests ?? 0) },
    { label: t.myKeys, text: ({ model }) => format.list(model.keys.map(({ name }) => name)) || t.noKey },
  ]
}
