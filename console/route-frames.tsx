import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { ApiProblem } from './api/api-problem.ts'
import { meQuery } from './api/me.ts'
import { outsideDictionary } from './dictionaries/outside.ts'
import { publicDictionary } from './dictionaries/public.ts'
import { lazyPage } from './lazy-page.tsx'
import { PATHS } from './paths.ts'
import { FramedCrash } from './shell/framed-crash.tsx'
import { Shell, ShellSkeleton } from './shell/shell.tsx'

/** The root of all routes. */
export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

/** Everything that needs a session, inside the shell. */
export const inside = createRoute({
  id: 'inside',
  getParentRoute: () => root,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error
      const wish = location.href === '/' || location.href === PATHS.overview ? {} : { return_to: location.href }
      throw redirect({ to: PATHS.signIn, search: wish, replace: true })
    }
  },
  pendingComponent: ShellSkeleton,
  errorComponent: FramedCrash,
  component: Shell,
})

/** Pages of those who run the place; others are shown that there is nothing. */
export const admin = createRoute({
  id: 'admin',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/admin/admin-frame.tsx')),
})

/** Everything before signing in. */
export const outside = createRoute({
  id: 'outside',
  getParentRoute: () => root,
  errorComponent: FramedCrash,
  loader: () => outsideDictionary.load(),
})

/** Pages that need no session and change nothing. */
export const open = createRoute({
  id: 'open',
  getParentRoute: () => root,
  errorComponent: FramedCrash,
  loader: () => Promise.all([publicDictionary.load(), outsideDictionary.load()]),
})
