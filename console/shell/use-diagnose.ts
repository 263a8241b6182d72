import { useNavigate, useSearch } from '@tanstack/react-router'
import { withDiagnosis } from './diagnosis-search.ts'
import type { FlatSearch } from '../table/table-search.ts'

/** Opens the diagnosis of some clues, or of what is to be pasted, in front of the page. */
export function useDiagnose(): (clues?: FlatSearch) => void {
  const navigate = useNavigate()
  const search: FlatSearch = useSearch({ strict: false })
  return (clues = {}) => void navigate({ to: '.', search: withDiagnosis(search, clues), resetScroll: false })
}
