import { useMemo, useSyncExternalStore } from 'react'
import { usePersonId } from '../../../api/use-person-id.ts'
import { keptTexts } from '../../../table/kept-texts.ts'
import { type ExploreSearch, readExploreSearch, writeExploreSearch } from './explore-search.ts'

/** What *Requests* showed once, under a name of the person who wants it again. */
export interface SavedView {
  readonly name: string
  readonly search: ExploreSearch
}

/** What a browser keeps for one person. */
export const MOST_VIEWS = 20
export const MOST_NAME = 60
const MOST_CHARACTERS = 50_000

const KEPT = keptTexts('tollgate.request-views.')

/** The views of the person at this browser, by name; and what changes them, at once and for the next visit. */
export function useSavedViews(): readonly [
  readonly SavedView[],
  (change: (views: readonly SavedView[]) => readonly SavedView[]) => void,
] {
  const personId = usePersonId()
  const read = (): string | null => KEPT.read(personId)
  const text = useSyncExternalStore(KEPT.onChange, read, read)
  const views = useMemo(() => readViews(text), [text])
  return [views, (change) => KEPT.change(personId, (before) => writeViews(change(readViews(before))))]
}

/** What something else wrote there counts as nothing. */
export function readViews(text: string | null): readonly SavedView[] {
  if (text === null || text.length > MOST_CHARACTERS) return []
  try {
    const found: unknown = JSON.parse(text)
    if (!Array.isArray(found)) return []
    return found.flatMap(viewOf).slice(0, MOST_VIEWS)
  } catch {
    return []
  }
}

/** null: there is nothing to keep. */
export function writeViews(views: readonly SavedView[]): string | null {
  if (views.length === 0) return null
  return JSON.stringify(views.map(({ name, search }) => ({ name, search: writeExploreSearch(search) })))
}

/** Adds a view, or puts it in place of that of the same name; null: there are as many as can be kept. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] | null {
  const next = [...withoutView(views, view.name), view].sort((a, b) => a.name.localeCompare(b.name))
  return next.length > MOST_VIEWS || (writeViews(next)?.length ?? 0) > MOST_CHARACTERS ? null : next
}

export function withoutView(views: readonly SavedView[], name: string): readonly SavedView[] {
  return views.filter((each) => each.name !== name)
}

function viewOf(found: unknown): readonly SavedView[] {
  if (typeof found !== 'object' || found === null || !('name' in found) || !('search' in found)) return []
  const { name, search } = found
  if (typeof name !== 'string' || name === '' || name.length > MOST_NAME) return []
  if (typeof search !== 'object' || search === null) return []
  const flat = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return [{ name, search: readExploreSearch(Object.fromEntries(flat)) }]
}
