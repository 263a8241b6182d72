import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { Segments } from '../../ui/segments.tsx'
import { keySpendSearch } from './key-spend-search.ts'
import type { UsageView } from './use-usage-search.ts'

const PAGES = { requests: PATHS.usage, keys: PATHS.keySpend, tags: PATHS.tagSpend } as const

/** Switches between the requests of a span and what keys, or their tags, spent in it. */
export function UsageViews(props: { readonly view: UsageView; readonly value: keyof typeof PAGES }): ReactNode {
  const t = useTexts('usage').views
  const navigate = useNavigate()
  return (
    <Segments
      label={t.label}
      options={[
        { value: 'requests', label: t.requests },
        { value: 'keys', label: t.keys },
        { value: 'tags', label: t.tags },
      ]}
      value={props.value}
      onValue={(value) => void navigate({ to: PAGES[value], search: keySpendSearch(props.view.search) })}
    />
  )
}
