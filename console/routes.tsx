import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { ADMIN_PAGES, ADMIN_PATHS } from './admin-pages.ts'
import { ApiProblem } from './api/api-problem.ts'
import { meQuery } from './api/me.ts'
import { subscriptionsQuery } from './api/billing.ts'
import { paymentOfferQuery } from './api/payments.ts'
import { devicesQuery } from './api/devices.ts'
import { keyTagsQuery } from './api/keys.ts'
import { overviewQuery } from './api/overview.ts'
import { loadTexts, type PageTexts } from './dictionaries/texts.ts'
import { homePage } from './home.ts'
import { InFront } from './in-front.tsx'
import { lazyPage } from './lazy-page.tsx'
import { reportBroken } from './report-broken.ts'
import { HOME, PATHS } from './paths.ts'
import { withDiagnosis } from './shell/diagnosis-search.ts'
import { Crash, FramedCrash } from './shell/crash.tsx'
import { PendingShell, startShell } from './shell/pending-shell.tsx'
import { type FlatSearch, flatSearch } from './table/table-search.ts'
import { PageSkeleton } from './ui/skeleton.tsx'
import { atSite } from './site.ts'

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

/** Everything that needs a session, inside the shell. */
const inside = createRoute({
  id: 'inside',
  getParentRoute: () => root,
  beforeLoad: async ({ context, location }) => {
    startShell()
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error
      const search = location.href === HOME || location.href === PATHS.overview ? {} : { return_to: location.href }
      throw redirect({ to: PATHS.signIn, search, replace: true })
    }
  },
  pendingComponent: PendingShell,
  pendingMs: 0,
  errorComponent: FramedCrash,
  component: lazyPage(async () => {
    const { default: Shell } = await import('./shell/shell.tsx')
    return { default: () => <Shell inFront={<InFront />} /> }
  }),
})

/** Pages of those who run the place; others are shown that there is nothing. */
const admin = createRoute({
  id: 'admin',
  getParentRoute: () => inside,
  component: lazyPage(() => import('./pages/admin/admin-frame.tsx')),
})

/** Everything before signing in. */
const outside = createRoute({
  id: 'outside',
  getParentRoute: () => root,
  errorComponent: FramedCrash,
  loader: () => loadTexts('outside'),
})

/** Pages that need no session and change nothing. */
const open = createRoute({
  id: 'open',
  getParentRoute: () => root,
  errorComponent: FramedCrash,
  loader: () => loadTexts('public', 'outside'),
})

type Page = Parameters<typeof lazyPage>[0]
type Texts = readonly (keyof PageTexts)[]
type Read = (queries: QueryClient) => void

/** What the page of a route needs: its texts are fetched, and what it shows is read, while its code is on the way. */
function page(load: Page, texts: Texts, read?: Read) {
  return {
    component: lazyPage(load),
    validateSearch: flatSearch,
    loader: ({ context }: { context: { queryClient: QueryClient } }) => {
      read?.(context.queryClient)
      return loadTexts(...texts)
    },
  }
}

function ownPage<const Path extends string>(path: Path, load: Page, { texts, read }: { texts: Texts; read?: Read }) {
  return createRoute({ getParentRoute: () => inside, path, ...page(load, texts, read) })
}

function adminPage<const Name extends keyof typeof ADMIN_PAGES>(name: Name, load: Page) {
  return createRoute({ getParentRoute: () => admin, path: ADMIN_PATHS[name], ...page(load, ADMIN_PAGES[name].texts) })
}

/** An address of earlier versions: what it showed is on the overview, or in front of it, with the same search and hash. */
function moved<const Path extends string>(path: Path, asNow: (search: FlatSearch) => FlatSearch) {
  return createRoute({
    getParentRoute: () => inside,
    path,
    validateSearch: flatSearch,
    beforeLoad: ({ search, location: { hash } }) => {
      throw redirect({ to: PATHS.overview, search: asNow(search), hash, replace: true })
    },
  })
}

/** A page in front of the sign-in, which draws its frame itself. */
function outsidePage<const Path extends string>(path: Path, load: Page) {
  const look = { component: lazyPage(load), validateSearch: flatSearch, errorComponent: FramedCrash }
  return createRoute({ getParentRoute: () => outside, path, ...look })
}

/** A page without sign-in, which draws its frame itself. */
function openPage<const Path extends string>(path: Path, load: Page, texts: Texts) {
  return createRoute({ getParentRoute: () => open, path, ...page(load, texts), errorComponent: FramedCrash })
}

const KEY_TEXTS = ['key', 'keys', 'faults'] as const
const DEVICE_TEXTS = ['devices', 'keys'] as const
const KEY_SPEND_TEXTS = ['keySpend', 'usage'] as const

const tree = root.addChildren([
  inside.addChildren([
    createRoute({
      getParentRoute: () => inside,
      path: HOME,
      beforeLoad: async ({ context }) => {
        throw redirect({ to: await homePage(context.queryClient), replace: true })
      },
    }),
    moved('/start', (search) => search),
    moved('/diagnose', (search) => withDiagnosis({}, search)),
    ownPage(PATHS.overview, () => import('./pages/overview/overview-page.tsx'), {
      texts: ['overview', 'billing', 'faults'],
      read: (queries) => void queries.prefetchQuery(overviewQuery()),
    }),
    ownPage(PATHS.keys, () => import('./pages/keys/keys-page.tsx'), {
      texts: ['keys'],
      // Whether there are tags decides how the filters are laid out.
      read: (queries) => void queries.prefetchQuery(keyTagsQuery),
    }),
    ownPage(PATHS.devices, () => import('./pages/keys/devices/devices-page.tsx'), {
      texts: DEVICE_TEXTS,
      read: (queries) => void queries.prefetchQuery(devicesQuery),
    }),
    ownPage(PATHS.key, () => import('./pages/key/key-page.tsx'), { texts: KEY_TEXTS }),
    // What explains refusals is fetched with the first press: only the drawer of a request shows it.
    ownPage(PATHS.usage, () => import('./pages/usage/usage-page.tsx'), { texts: ['usage', 'faults'] }),
    ownPage(PATHS.keySpend, () => import('./pages/usage/key-spend-page.tsx'), { texts: KEY_SPEND_TEXTS }),
    ownPage(PATHS.tagSpend, () => import('./pages/usage/tag-spend-page.tsx'), { texts: KEY_SPEND_TEXTS }),
    ownPage(PATHS.models, () => import('./pages/models/models-page.tsx'), { texts: ['models'] }),
    ownPage(PATHS.billing, () => import('./pages/billing/billing-page.tsx'), {
      texts: ['billing', 'payments'],
      read: (queries) => {
        void queries.prefetchQuery(subscriptionsQuery)
        void queries.prefetchQuery(paymentOfferQuery)
      },
    }),
    ownPage(PATHS.playground, () => import('./pages/playground/playground-page.tsx'), {
      texts: ['playground'],
    }),
    ownPage(PATHS.account, () => import('./pages/account/account-page.tsx'), { texts: ['account'] }),
    ownPage(PATHS.device, () => import('./pages/device/device-page.tsx'), { texts: DEVICE_TEXTS }),
    admin.addChildren([
      adminPage('operations', () => import('./pages/admin/operations/operations-page.tsx')),
      adminPage('requests', () => import('./pages/admin/requests/requests-page.tsx')),
      adminPage('incidents', () => import('./pages/admin/incidents/incidents-page.tsx')),
      adminPage('upstreams', () => import('./pages/admin/upstreams/upstreams-page.tsx')),
      adminPage('upstream', () => import('./pages/admin/upstreams/upstream-page.tsx')),
      adminPage('prices', () => import('./pages/admin/prices/prices-page.tsx')),
      adminPage('priceImport', () => import('./pages/admin/prices/import/import-page.tsx')),
      adminPage('price', () => import('./pages/admin/prices/model-page.tsx')),
      adminPage('groups', () => import('./pages/admin/groups/groups-page.tsx')),
      adminPage('accounts', () => import('./pages/admin/accounts/accounts-page.tsx')),
      adminPage('account', () => import('./pages/admin/accounts/one/account-page.tsx')),
      adminPage('plans', () => import('./pages/admin/plans/plans-page.tsx')),
      adminPage('codes', () => import('./pages/admin/plans/codes-page.tsx')),
      adminPage('announcements', () => import('./pages/admin/announcements/announcements-page.tsx')),
      adminPage('audit', () => import('./pages/admin/audit/audit-page.tsx')),
      adminPage('settings', () => import('./pages/admin/settings/settings-page.tsx')),
      adminPage('environment', () => import('./pages/admin/settings/environment-page.tsx')),
      adminPage('system', () => import('./pages/admin/system/system-page.tsx')),
    ]),
    // Every other address, inside the shell: an old link leads to the pages that are there.
    createRoute({
      getParentRoute: () => inside,
      path: '$',
      validateSearch: flatSearch,
      component: lazyPage(() => import('./shell/not-found.tsx')),
    }),
  ]),
  outside.addChildren([
    outsidePage(PATHS.signIn, () => import('./pages/outside/sign-in-page.tsx')),
    outsidePage(PATHS.setUp, () => import('./pages/outside/set-up-page.tsx')),
    outsidePage(PATHS.register, () => import('./pages/outside/register-page.tsx')),
    outsidePage(PATHS.invitation, () => import('./pages/outside/invitation-page.tsx')),
    outsidePage(PATHS.resetPassword, () => import('./pages/outside/reset-password-page.tsx')),
    outsidePage(PATHS.verifyEmail, () => import('./pages/outside/verify-email-page.tsx')),
  ]),
  open.addChildren([
    openPage(PATHS.publicModels, () => import('./pages/public/prices-page.tsx'), ['models']),
    openPage(PATHS.publicStatus, () => import('./pages/public/status-page.tsx'), []),
    openPage(PATHS.publicKeyCheck, () => import('./pages/public/check-key-page.tsx'), KEY_TEXTS),
  ]),
])

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

/** The console's pages, one table of them. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: atSite('/console'),
    context: { queryClient },
    defaultPreload: 'intent',
    // The page before stays until the next one is here.
    defaultPendingMs: Infinity,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: Crash,
    defaultOnCatch: reportBroken,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
  interface HistoryState {
    /** The session ended while the console was open. */
    wasSignedOut?: boolean
  }
}
