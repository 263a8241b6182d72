import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { SearchCombobox } from '../../ui/search-combobox.tsx'
import type { UsageView } from './use-usage-search.ts'

/** So many are offered at once; the rest is found by typing. */
const MOST_OFFERED = 20

/** One of any number of keys: the server looks for what is typed, in names and in the shown parts of secrets. */
export default function KeyChoice({
  view,
  keyName,
}: {
  readonly view: UsageView
  readonly keyName: string | undefined
}): ReactNode {
  const t = useTexts('usage')
  const shared = useSharedTexts()
  const [typed, setTyped] = useState('')
  const keys = useQuery(keysQuery({ limit: MOST_OFFERED, sort: 'last_used_at', order: 'desc', search: typed }))
  const value = view.search.filters.key ?? null
  const found = (keys.data?.data ?? []).map((key) => ({
    value: key.id,
    label: key.name,
    detail: `${key.secret_start}…${key.secret_end}`,
  }))
  return (
    <div className="grid gap-1 text-sm text-ink-3">
      {t.filters.key}
      <div className="text-base text-ink">
        <SearchCombobox
          aria-label={t.filters.key}
          placeholder={shared.table.all}
          found={found}
          isSearching={keys.isPlaceholderData}
          chosen={
            value === null ? null : (found.find((key) => key.value === value) ?? { value, label: keyName ?? value })
          }
          onSearch={setTyped}
          onValue={(key) => view.change({ filters: { ...view.search.filters, key: key?.value } })}
        />
      </div>
    </div>
  )
}
