import { useCallback } from 'react'

/**
 * Marks an element that scrolls sideways: it has `data-hidden-start` while something is hidden before what is seen of it,
 * and `data-hidden-end` while something is hidden after it. To be given to the element as its `ref`.
 */
export function useHiddenEdges(): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback((element) => {
    if (element === null) return undefined
    const look = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      element.toggleAttribute('data-hidden-start', scrollLeft > 0)
      // Widths are rounded, so the last pixel may never be reached.
      element.toggleAttribute('data-hidden-end', scrollLeft + clientWidth < scrollWidth - 1)
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    for (const child of element.children) sizes.observe(child)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
}
