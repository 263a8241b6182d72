import type { ReactNode } from 'react'
import type { ModelView } from '../../../../src/contract/models.ts'
import { TOKEN_KINDS, UNIT_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { tokenSize } from '../../../format/number.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useKindLabels } from './amount-fields.tsx'
import { priceDifference } from './price-changes.ts'

/** What is planned for a model's price, against what it is now. `action`: takes the plan away. */
export function PlannedPrice(props: { readonly model: ModelView; readonly action: ReactNode }): ReactNode {
  const t = useTexts('prices')
  const { kinds } = useKindLabels()
  const format = useFormat()
  const { model } = props
  const { scheduled } = model
  if (scheduled === null || scheduled === undefined) return null
  const { amounts, hasOtherRules } = priceDifference(model.price, scheduled.price, [...TOKEN_KINDS, ...UNIT_KINDS])
  const amount = (text: string | null): string => (text === null ? t.history.nothing : format.exactMoney(text))
  const limits = [
    [t.planning.context, scheduled.context_tokens, model.context_tokens],
    [t.planning.output, scheduled.max_output_tokens, model.max_output_tokens],
  ] as const
  return (
    <Notice tone="accent" title={t.planning.title(format.time(scheduled.effective_at))} action={props.action}>
      <ul>
        {amounts.map(({ kind, before, after }) => (
          <li key={kind}>{t.history.change(kinds[kind], amount(before), amount(after))}</li>
        ))}
        {hasOtherRules && (
          <li>
            {t.history.rules} {t.history.changed}
          </li>
        )}
        {limits.map(
          ([label, planned, now]) =>
            planned !== undefined &&
            planned !== now && <li key={label}>{t.history.change(label, sizeOf(now), sizeOf(planned))}</li>,
        )}
        {scheduled.price === null && <li>{t.planning.unserved}</li>}
      </ul>
    </Notice>
  )
}

function sizeOf(tokens: number | null): string {
  return tokens === null ? '–' : tokenSize(tokens)
}
