import { type RefObject, useCallback, useEffect } from 'react'
import { classNames } from './class-names.ts'
import { useHiddenEdges } from './use-hidden-edges.ts'

/** A row of tabs, of views on one page or of pages. */
export const TAB_ROW =
  'flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line fading-row [scrollbar-width:none]'

/** One tab in such a row. */
export function tabClass(isHere: boolean): string {
  return classNames(
    '-mb-px flex min-h-9 touch:min-h-11 shrink-0 items-center border-b-2 px-0.5 font-medium whitespace-nowrap outline-offset-[-3px]',
    isHere
      ? 'border-accent text-ink forced-colors:border-[Highlight]'
      : 'border-transparent text-ink-2 hover:text-ink forced-colors:border-[Canvas]',
  )
}

/** The width in which the row fades where it goes on. */
const FADE_PX = 32

/** The `ref` of a row of tabs: it fades where it goes on, and the tab that is open is in sight. */
export function useTabRow<Row extends HTMLElement>(
  open: string,
  own: RefObject<Row | null>,
): (element: Row | null) => (() => void) | undefined {
  const watchEdges = useHiddenEdges()
  useEffect(() => {
    // Along the row alone: `scrollIntoView` would move the page or the dialog around it, too.
    const row = own.current
    const tab = row?.querySelector('[aria-selected=true], [aria-current=page]')?.getBoundingClientRect()
    const frame = row?.getBoundingClientRect()
    if (row === null || tab === undefined || frame === undefined) return
    const [left, right] = [frame.left + FADE_PX, frame.right - FADE_PX]
    if (tab.left < left) row.scrollLeft -= left - tab.left
    else if (tab.right > right) row.scrollLeft += tab.right - right
  }, [open])
  return useCallback(
    (element) => {
      own.current = element
      return watchEdges(element)
    },
    [watchEdges, own],
  )
}
