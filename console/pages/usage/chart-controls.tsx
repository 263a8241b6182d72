import type { ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { MOST_DAYS_BY_HOUR } from './span.ts'
import { MEASURES, SPLITS } from './usage-search.ts'
import type { UsageView } from './use-usage-search.ts'

/** What the chart draws, split by what, in which steps, and whether as a table. */
export function ChartControls({ view }: { readonly view: UsageView }): ReactNode {
  const t = useTexts('usage')
  const { labelled } = useSharedTexts()
  const { search } = view
  return (
    <>
      <Segments
        label={t.measure}
        className="ml-auto max-sm:w-full"
        options={MEASURES.map((value) => ({ value, label: t.measures[value] }))}
        value={search.measure}
        onValue={(measure) => view.change({ measure })}
      />
      <Select
        aria-label={t.split}
        className="w-33 max-sm:w-auto max-sm:flex-[1_1_40%]"
        options={SPLITS.map((value) => ({ value, label: labelled(t.split, t.splits[value]) }))}
        value={search.split}
        onValue={(split) => view.change({ split })}
      />
      <Segments
        label={t.by}
        className="max-sm:flex-[1_1_40%]"
        options={(['day', 'hour'] as const).map((value) => ({
          value,
          label: t.sizes[value],
          isDisabled: !view.sizes.includes(value),
          whyDisabled: t.hoursOut(MOST_DAYS_BY_HOUR),
        }))}
        value={view.by}
        onValue={(by) => view.change({ by: by === view.sizes[0] ? null : by })}
      />
      <Segments
        label={t.view}
        className="max-sm:flex-[1_1_40%]"
        options={[
          { value: 'chart', label: t.asChart },
          { value: 'table', label: t.asTable },
        ]}
        value={search.isTable ? 'table' : 'chart'}
        onValue={(look) => view.change({ isTable: look === 'table' })}
      />
    </>
  )
}
