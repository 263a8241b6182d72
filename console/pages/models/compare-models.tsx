import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { modelsDictionary } from '../../dictionaries/models.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { wireName } from '../wire-names.ts'
import type { ListedModel } from './model-list.ts'

/** Two models side by side; what differs stands out. */
export default function CompareModels(props: {
  readonly models: readonly [ListedModel, ListedModel]
  onClose(): void
}): ReactNode {
  const t = modelsDictionary.useTexts()
  const rows = useRows()
  const [left, right] = props.models
  return (
    <Dialog isOpen onClose={props.onClose} title={t.compare.title} size="large">
      <table className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr className="border-b border-line align-bottom">
            <th scope="col" className="w-1/4 py-2 pr-3 text-sm font-medium text-ink-3">
              {t.compare.property}
            </th>
            {props.models.map(({ model }) => (
              <th key={model.id} scope="col" className="py-2 pr-3 font-mono font-medium">
                <Link
                  to={PATHS.models}
                  search={{ model: model.name }}
                  className="break-all text-accent hover:underline"
                >
                  {model.name}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, text }) => {
            // Neither has it: a line that says nothing.
            if (text(left) === t.unknown && text(right) === t.unknown) return null
            const isSame = text(left) === text(right)
            return (
              <tr key={label} className="border-b border-line align-top last:border-0">
                <th scope="row" className="py-2 pr-3 text-sm font-normal text-ink-3">
                  {label}
                </th>
                {props.models.map((listed) => (
                  <td key={listed.model.id} className={classNames('py-2 pr-3', isSame ? 'text-ink-2' : 'font-medium')}>
                    {text(listed)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </Dialog>
  )
}

const PRICED = ['input', 'output', 'cache_read', 'cache_write', 'per_request', 'per_image', 'per_second'] as const

/** What is compared, each as a text. */
function useRows(): readonly { readonly label: string; text(listed: ListedModel): string }[] {
  const t = modelsDictionary.useTexts()
  const format = useFormat()
  const tokens = (count: number | null): string => (count === null ? t.unknown : format.number(count))
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
    { label: t.context, text: ({ model }) => tokens(model.context_tokens) },
    { label: t.maxOutput, text: ({ model }) => tokens(model.max_output_tokens) },
    { label: t.group, text: ({ offer }) => offer?.group ?? t.unknown },
    ...PRICED.map((kind) => ({ label: t.kinds[kind], text: (listed: ListedModel) => price(listed, kind) })),
    { label: t.protocols, text: ({ model }) => model.protocols.map(wireName).join(', ') },
    {
      label: t.health,
      text: ({ traffic }) => (traffic?.answers == null ? t.healthUnknown : t.healthInShort[traffic.answers]),
    },
    { label: t.use, text: ({ traffic }) => format.number(traffic?.requests ?? 0) },
    { label: t.myKeys, text: ({ model }) => model.keys.map(({ name }) => name).join(', ') || t.noKey },
  ]
}
