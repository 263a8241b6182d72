import type { FlatSearch } from '../table/table-search.ts'

/** What a link to nothing yet stands for. */
const EMPTY = 'new'

/** The address of a page with a diagnosis in front of it: of these clues, or of none yet; null takes it away. */
export function withDiagnosis(search: FlatSearch, clues: FlatSearch | null): FlatSearch {
  const { diagnose: _diagnose, ...rest } = search
  if (clues === null) return rest
  const text = new URLSearchParams(clues).toString()
  return { ...rest, diagnose: text === '' ? EMPTY : text }
}

/** The clues of the diagnosis that an address asks for; null: it asks for none. */
export function diagnosisIn({ diagnose: text }: FlatSearch): FlatSearch | null {
  if (text === undefined) return null
  return text === EMPTY ? {} : Object.fromEntries(new URLSearchParams(text))
}
