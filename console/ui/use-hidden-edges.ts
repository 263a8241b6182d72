import { useCallback } from 'react'

/**
 * Marks an element that scrolls, sideways unless it is a column: it has `data-hidden-start` while something is hidden before what is seen of it,
 * and `data-hidden-end` while something is hidden after it. To be given to the element as its `ref`.
 */
export function useHiddenEdges(
  of: 'row' | 'column' = 'row',
): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback(
    (element) => {
      if (element === null) return undefined
      const look = (): void => {
        const [before, seen, all] =
          of === 'row'
            ? [element.scrollLeft, element.clientWidth, element.scrollWidth]
            : [element.scrollTop, element.clientHeight, element.scrollHeight]
        element.toggleAttribute('data-hidden-start', before > 0)
        // Sizes are rounded, so the last pixel may never be reached.
        element.toggleAttribute('data-hidden-end', before + seen < all - 1)
      }
      const sizes = new ResizeObserver(look)
      sizes.observe(element)
      for (const child of element.children) sizes.observe(child)
      element.addEventListener('scroll', look, { passive: true })
      return () => {
        sizes.disconnect()
        element.removeEventListener('scroll', look)
      }
    },
    [of],
  )
}
