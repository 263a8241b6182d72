import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A page whose code is fetched when it is opened, or when a link to it is under the pointer. */
export function lazyPage(load: () => Promise<() => ReactNode>): RouteComponent {
  return lazyRouteComponent(() => load().then((page) => ({ default: page })))
}
