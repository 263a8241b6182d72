import { useSyncExternalStore } from 'react'

/** Whether the window is narrower than the one with the rail (`lg`): there tables become cards. */
export function useIsNarrow(): boolean {
  return useMedia('(width < 60rem)')
}

/** Whether the window is one of a phone (below `sm`): there filters and menus of a table stand behind one button each. */
export function useIsPhone(): boolean {
  return useMedia('(width < 40rem)')
}

/** Whether there is room for what a table leaves out on a laptop. */
export function useIsWide(): boolean {
  return useMedia('(width >= 100rem)')
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    // Drawn without a window: by tests alone.
    () => false,
  )
}
