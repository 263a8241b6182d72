import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PricesView } from '../../../../src/contract/models.ts'
import { modelHistoryQuery } from '../../../api/price-admin.ts'
import { TOKEN_KINDS, UNIT_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useKindLabels } from './amount-fields.tsx'
import { priceChanges } from './price-changes.ts'

const KINDS = [...TOKEN_KINDS, ...UNIT_KINDS]

/** When the price was changed, by whom, and what it was. */
export function PriceHistory(props: {
  readonly id: string
  /** Puts a price from before a change into the form; null: the reader may change none. */
  readonly onTakeBack: ((price: PricesView) => void) | null
}): ReactNode {
  const t = useTexts('prices').history
  const { kinds } = useKindLabels()
  const format = useFormat()
  const history = useQuery(modelHistoryQuery(props.id))
  const amount = (text: string | null): string => (text === null ? t.nothing : format.exactMoney(text))
  return (
    <Section title={t.title} lead={t.lead}>
      <QueryView query={history} skeleton={<SkeletonLines />}>
        {({ data }) => {
          const changes = priceChanges(data, KINDS)
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
