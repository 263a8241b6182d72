import type { ReactNode } from 'react'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { usageDictionary } from '../../dictionaries/usage.ts'
import { KeyCombobox } from '../key-combobox.tsx'
import type { UsageView } from './use-usage-search.ts'

/** The key whose requests are shown. */
export default function KeyChoice({
  view,
  keyName,
}: {
  readonly view: UsageView
  readonly keyName: string | undefined
}): ReactNode {
  const t = usageDictionary.useTexts()
  const shared = useSharedTexts()
  return (
    <div className="grid gap-1 text-sm text-ink-3">
      {t.filters.key}
      <div className="text-base text-ink">
        <KeyCombobox
          label={t.filters.key}
          placeholder={shared.table.all}
          value={view.search.filters.key ?? null}
          name={keyName}
          onValue={(key) => view.change({ filters: { ...view.search.filters, key: key ?? undefined } })}
        />
      </div>
    </div>
  )
}
