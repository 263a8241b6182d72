import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { Segments } from '../../ui/segments.tsx'
import { keySpendSearch } from './key-spend-search.ts'
import type { UsageView } from './use-usage-search.ts'

/** Switches between the spending of keys and of their tags in one span. */
export function SpendViews(props: { readonly view: UsageView; readonly value: 'key' | 'tag' }): ReactNode {
  const t = useTexts('keySpend')
  const navigate = useNavigate()
  return (
    <Segments
      label={t.by}
      options={[
        { value: 'key', label: t.byKey },
        { value: 'tag', label: t.byTag },
      ]}
      value={props.value}
      onValue={(value) =>
        void navigate({
          to: value === 'key' ? PATHS.keySpend : PATHS.tagSpend,
          search: keySpendSearch(props.view.search),
        })
      }
    />
  )
}
