import type { RouteComponent } from '@tanstack/react-router'
import { use, type ReactNode } from 'react'
import { loadedOnce } from './loaded-once.ts'

/**
 * A page whose code is fetched when it is opened, or when a link to it is under the pointer. The router's own way would
 * load the whole console anew when that fails, and with it what is still there to read.
 */
export function lazyPage(load: () => Promise<{ readonly default: () => ReactNode }>): RouteComponent {
  const file = loadedOnce(load)
  const LazyPage = (): ReactNode => {
    const { default: Page } = use(file())
    return <Page />
  }
  const preload = async (): Promise<void> => {
    try {
      await file()
    } catch {
      // It is seen when the page is drawn.
    }
  }
  return Object.assign(LazyPage, { preload })
}
