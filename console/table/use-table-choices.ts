import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { usePersonId } from '../api/use-person-id.ts'
import { changeKept, keptText, onKeptChange } from './kept-choices.ts'
import { readChoices, type TableChoices } from './table-choices.ts'

/** How the person at this browser wants tables; and what changes it, at once and for the next visit. */
export function useTableChoices(): readonly [TableChoices, (change: (choices: TableChoices) => TableChoices) => void] {
  const personId = usePersonId()
  const read = (): string | null => keptText(personId)
  const text = useSyncExternalStore(onKeptChange, read, read)
  const choices = useMemo(() => readChoices(text), [text])
  return [choices, (change) => changeKept(personId, change)]
}

/** Has all tables of the page stand as close as the person wants them: `styles.css` does the rest. */
export function useDensity(): void {
  const [{ isCompact }] = useTableChoices()
  // Before anything is painted, so that no row moves.
  useLayoutEffect(() => {
    if (!isCompact) return undefined
    const { dataset } = document.documentElement
    dataset['density'] = 'compact'
    return () => {
      delete dataset['density']
    }
  }, [isCompact])
}
