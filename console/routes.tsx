import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { ADMIN_PATHS } from './admin-pages.ts'
import { alertsQuery } from './api/alerts.ts'
import { subscriptionsQuery } from './api/billing.ts'
import { paymentOfferQuery } from './api/payments.ts'
import { keyTagsQuery } from './api/keys.ts'
import { overviewQuery } from './api/overview.ts'
import { accountDictionary } from './dictionaries/account.ts'
import { accountsDictionary } from './dictionaries/accounts.ts'
import { announcementsDictionary } from './dictionaries/announcements.ts'
import { auditDictionary } from './dictionaries/audit.ts'
import { billingDictionary } from './dictionaries/billing.ts'
import { causesDictionary } from './dictionaries/causes.ts'
import { diagnoseDictionary } from './dictionaries/diagnose.ts'
import { faultsDictionary } from './dictionaries/faults.ts'
import { groupsDictionary } from './dictionaries/groups.ts'
import { incidentsDictionary } from './dictionaries/incidents.ts'
import { keySpendDictionary } from './dictionaries/key-spend.ts'
import { keyDictionary } from './dictionaries/key.ts'
import { keysDictionary } from './dictionaries/keys.ts'
import { modelsDictionary } from './dictionaries/models.ts'
import { oneAccountDictionary } from './dictionaries/one-account.ts'
import { operationsDictionary } from './dictionaries/operations.ts'
import { overviewDictionary } from './dictionaries/overview.ts'
import { paymentsDictionary } from './dictionaries/payments.ts'
import { plansDictionary } from './dictionaries/plans.ts'
import { playgroundDictionary } from './dictionaries/playground.ts'
import { priceImportDictionary } from './dictionaries/price-import.ts'
import { pricesDictionary } from './dictionaries/prices.ts'
import { recordDictionary } from './dictionaries/record.ts'
import { refusalsDictionary } from './dictionaries/refusals.ts'
import { requestsDictionary } from './dictionaries/requests.ts'
import { settingsDictionary } from './dictionaries/settings.ts'
import { setupDictionary } from './dictionaries/setup.ts'
import { staffDictionary } from './dictionaries/staff.ts'
import { startDictionary } from './dictionaries/start.ts'
import { systemDictionary } from './dictionaries/system.ts'
import { upstreamsDictionary } from './dictionaries/upstreams.ts'
import { usageDictionary } from './dictionaries/usage.ts'
import { lazyPage } from './lazy-page.tsx'
import { PATHS } from './paths.ts'
import { Crash } from './shell/crash.tsx'
import { FramedCrash } from './shell/framed-crash.tsx'
import { NotFound } from './shell/not-found.tsx'
import { admin, inside, open, outside, root } from './route-frames.tsx'
import { flatSearch } from './table/table-search.ts'
import { PageSkeleton } from './ui/skeleton.tsx'

type Page = Parameters<typeof lazyPage>[0]
type Texts = readonly { load(): Promise<unknown> }[]
type Read = (queries: QueryClient) => void

/** What the page of a route needs: its texts are fetched, and what it shows is read, while its code is on the way. */
function page(load: Page, texts: Texts, read?: Read) {
  return {
    component: lazyPage(load),
    validateSearch: flatSearch,
    loader: ({ context }: { context: { queryClient: QueryClient } }) => {
      read?.(context.queryClient)
      return Promise.all(texts.map((each) => each.load()))
    },
  }
}

function ownPage<const Path extends string>(path: Path, load: Page, { texts, read }: { texts: Texts; read?: Read }) {
  return createRoute({ getParentRoute: () => inside, path, ...page(load, texts, read) })
}

function adminPage<const Name extends keyof typeof ADMIN_PATHS>(name: Name, load: Page, texts: Texts) {
  return createRoute({ getParentRoute: () => admin, path: ADMIN_PATHS[name], ...page(load, texts) })
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

const KEY_TEXTS = [keyDictionary, keysDictionary, faultsDictionary]
const PRICES_TEXTS = [pricesDictionary, modelsDictionary]
const KEY_SPEND_TEXTS = [keySpendDictionary, usageDictionary]
/** The steps show setups, key forms and faults as they go on. */
const START_TEXTS = [
  startDictionary,
  keysDictionary,
  setupDictionary,
  faultsDictionary,
  causesDictionary,
  refusalsDictionary,
]

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: PATHS.overview, replace: true })
    },
  }),
  inside.addChildren([
    ownPage(PATHS.start, () => import('./pages/start/start-page.tsx'), { texts: START_TEXTS }),
    ownPage(PATHS.overview, () => import('./pages/overview/overview-page.tsx'), {
      texts: [overviewDictionary, billingDictionary, faultsDictionary],
      read: (queries) => void queries.prefetchQuery(overviewQuery()),
    }),
    ownPage(PATHS.keys, () => import('./pages/keys/keys-page.tsx'), {
      texts: [keysDictionary],
      // Whether there are tags decides how the filters are laid out.
      read: (queries) => void queries.prefetchQuery(keyTagsQuery),
    }),
    ownPage(PATHS.key, () => import('./pages/key/key-page.tsx'), { texts: KEY_TEXTS }),
    // What explains refusals is fetched with the first press: only the drawer of a request shows it.
    ownPage(PATHS.usage, () => import('./pages/usage/usage-page.tsx'), { texts: [usageDictionary, faultsDictionary] }),
    ownPage(PATHS.keySpend, () => import('./pages/usage/key-spend-page.tsx'), { texts: KEY_SPEND_TEXTS }),
    ownPage(PATHS.tagSpend, () => import('./pages/usage/tag-spend-page.tsx'), { texts: KEY_SPEND_TEXTS }),
    ownPage(PATHS.models, () => import('./pages/models/models-page.tsx'), { texts: [modelsDictionary] }),
    ownPage(PATHS.billing, () => import('./pages/billing/billing-page.tsx'), {
      texts: [billingDictionary, paymentsDictionary],
      read: (queries) => {
        void queries.prefetchQuery(alertsQuery)
        void queries.prefetchQuery(subscriptionsQuery)
        void queries.prefetchQuery(paymentOfferQuery)
      },
    }),
    ownPage(PATHS.playground, () => import('./pages/playground/playground-page.tsx'), {
      texts: [playgroundDictionary],
    }),
    ownPage(PATHS.diagnose, () => import('./pages/diagnose/diagnose-page.tsx'), {
      texts: [diagnoseDictionary, faultsDictionary, causesDictionary],
    }),
    ownPage(PATHS.account, () => import('./pages/account/account-page.tsx'), { texts: [accountDictionary] }),
    admin.addChildren([
      adminPage('operations', () => import('./pages/admin/operations/operations-page.tsx'), [operationsDictionary]),
      adminPage('requests', () => import('./pages/admin/requests/requests-page.tsx'), [requestsDictionary]),
      adminPage('incidents', () => import('./pages/admin/incidents/incidents-page.tsx'), [
        incidentsDictionary,
        billingDictionary,
        faultsDictionary,
        auditDictionary,
      ]),
      adminPage('upstreams', () => import('./pages/admin/upstreams/upstreams-page.tsx'), [
        upstreamsDictionary,
        faultsDictionary,
      ]),
      adminPage('upstream', () => import('./pages/admin/upstreams/upstream-page.tsx'), [
        upstreamsDictionary,
        faultsDictionary,
      ]),
      adminPage('prices', () => import('./pages/admin/prices/prices-page.tsx'), PRICES_TEXTS),
      adminPage('priceImport', () => import('./pages/admin/prices/import/import-page.tsx'), [
        ...PRICES_TEXTS,
        priceImportDictionary,
      ]),
      adminPage('price', () => import('./pages/admin/prices/model-page.tsx'), [...PRICES_TEXTS, recordDictionary]),
      adminPage('groups', () => import('./pages/admin/groups/groups-page.tsx'), [groupsDictionary]),
      adminPage('accounts', () => import('./pages/admin/accounts/accounts-page.tsx'), [accountsDictionary]),
      adminPage('account', () => import('./pages/admin/accounts/one/account-page.tsx'), [
        accountsDictionary,
        oneAccountDictionary,
      ]),
      adminPage('plans', () => import('./pages/admin/plans/plans-page.tsx'), [plansDictionary, paymentsDictionary]),
      adminPage('codes', () => import('./pages/admin/plans/codes-page.tsx'), [plansDictionary, paymentsDictionary]),
      adminPage('announcements', () => import('./pages/admin/announcements/announcements-page.tsx'), [
        announcementsDictionary,
        staffDictionary,
      ]),
      adminPage('audit', () => import('./pages/admin/audit/audit-page.tsx'), [auditDictionary]),
      adminPage('settings', () => import('./pages/admin/settings/settings-page.tsx'), [settingsDictionary]),
      adminPage('system', () => import('./pages/admin/system/system-page.tsx'), [systemDictionary]),
    ]),
    // Every other address, inside the shell: an old link leads to the pages that are there.
    createRoute({ getParentRoute: () => inside, path: '$', validateSearch: flatSearch, component: NotFound }),
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
    openPage(PATHS.publicModels, () => import('./pages/public/prices-page.tsx'), [modelsDictionary]),
    openPage(PATHS.publicStatus, () => import('./pages/public/status-page.tsx'), []),
    openPage(PATHS.publicKeyCheck, () => import('./pages/public/check-key-page.tsx'), KEY_TEXTS),
  ]),
])

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

/** The console's pages, one table of them. */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: '/console',
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: Crash,
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
