import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { keySpendSearch } from './key-spend-search.ts'
import type { UsageView } from './use-usage-search.ts'

/** A link from the ten top-spending keys of the chart to all of them. */
export default function KeySpendLink({ view }: { readonly view: UsageView }): ReactNode {
  return (
    <Link
      to={PATHS.keySpend}
      search={keySpendSearch(view.search)}
      className="inline-flex min-h-6 items-center text-accent hover:underline"
    >
      {useTexts('keySpend').title}
    </Link>
  )
}
