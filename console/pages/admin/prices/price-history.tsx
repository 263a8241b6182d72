import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ModelView, PricesView } from '../../../../src/contract/models.ts'
import { modelHistoryQuery } from '../../../api/price-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { tokenSize } from '../../../format/number.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { priceChanges, priceDifference } from './price-changes.ts'

/** When the price was changed, by whom, and what it was. */
export function PriceHistory(props: {
  readonly id: string
  /** Puts a price from before a change into the form; null: the reader may change none. */
  readonly onTakeBack: ((price: PricesView) => void) | null
}): ReactNode {
  const t = useTexts('prices').history
  const { kinds } = useTexts('models')
  const format = useFormat()
  const history = useQuery(modelHistoryQuery(props.id))
  const amount = (text: string | null): string => (text === null ? t.nothing : format.exactMoney(text))
  return (
    <Section title={t.title} lead={t.lead}>
      <QueryView query={history} skeleton={<SkeletonLines />}>
        {({ data }) => {
          const changes = priceChanges(data)
          if (changes.length === 0) return <p className="text-ink-2">{t.none}</p>
          return (
            <ul>
              {changes.map(({ entry, amounts, hasOtherRules, before: earlier }) => (
                <li key={entry.id} className="border-t border-line py-2 first:border-t-0 first:pt-0">
                  <span className="text-sm text-ink-3">
                    {format.time(entry.created_at)} · {entry.actor_email ?? entry.actor}
                    {entry.action === 'model.create' && ` · ${t.created}`}
                  </span>
                  <span className="flex flex-wrap gap-x-4">
                    {amounts.map(({ kind, before, after }) => (
                      <span key={kind}>{t.change(kinds[kind], amount(before), amount(after))}</span>
                    ))}
                    {hasOtherRules && (
                      <span>
                        {t.rules} {t.changed}
                      </span>
                    )}
                    {earlier !== null && props.onTakeBack !== null && (
                      <Button look="quiet" className="ml-auto" onClick={() => props.onTakeBack?.(earlier)}>
                        {t.takeBack}
                      </Button>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </Section>
  )
}

/** What is planned for a model's price, against what it is now. `action`: takes the plan away. */
export function PlannedPrice(props: { readonly model: ModelView; readonly action: ReactNode }): ReactNode {
  const t = useTexts('prices')
  const { kinds } = useTexts('models')
  const format = useFormat()
  const { model } = props
  const { scheduled } = model
  if (scheduled === null || scheduled === undefined) return null
  const { amounts, hasOtherRules } = priceDifference(model.price, scheduled.price)
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
