import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FlatSearch } from './table-search.ts'

/** The search part of the page's address, and the way to another: what opens and closes on a page stands there. */
export function useFlatSearch(): readonly [flat: FlatSearch, open: (search: FlatSearch) => void] {
  const navigate = useNavigate()
  const flat: FlatSearch = useSearch({ strict: false })
  return [flat, (search) => void navigate({ to: '.', search, resetScroll: false })]
}
