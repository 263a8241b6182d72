import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { ApiProblem } from './api/api-problem.ts'
import { meQuery } from './api/me.ts'
import { alertsQuery } from './api/alerts.ts'
import { subscriptionsQuery } from './api/billing.ts'
import { paymentOfferQuery } from './api/payments.ts'
import { keyTagsQuery } from './api/keys.ts'
import { overviewQuery } from './api/overview.ts'
import { loadTexts } from './dictionaries/texts.ts'
import { lazyPage } from './lazy-page.tsx'
import { ADMIN_PATHS } from './admin-paths.ts'
import { PATHS } from './paths.ts'
import { Crash, FramedCrash } from './shell/crash.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell, ShellSkeleton } from './shell/shell.tsx'
import { flatSearch } from './table/table-search.ts'
import { PageSkeleton } from './ui/skeleton.tsx'

// Annotated, so that a page may use what the router knows about the routes without its own type going in circles.
const start: RouteComponent = lazyPage(() => import('./pages/start/start-page.tsx').then((file) => file.StartPage))
const overview: RouteComponent = lazyPage(() =>
  import('./pages/overview/overview-page.tsx').then((file) => file.OverviewPage),
)
const keys: RouteComponent = lazyPage(() => import('./pages/keys/keys-page.tsx').then((file) => file.KeysPage))
const key: RouteComponent = lazyPage(() => import('./pages/key/key-page.tsx').then((file) => file.KeyPage))
const usage: RouteComponent = lazyPage(() => import('./pages/usage/usage-page.tsx').then((file) => file.UsagePage))
const keySpend: RouteComponent = lazyPage(() =>
  import('./pages/usage/key-spend-page.tsx').then((file) => file.KeySpendPage),
)
const tagSpend: RouteComponent = lazyPage(() =>
  import('./pages/usage/tag-spend-page.tsx').then((file) => file.TagSpendPage),
)
const models: RouteComponent = lazyPage(() => import('./pages/models/models-page.tsx').then((file) => file.ModelsPage))
const billing: RouteComponent = lazyPage(() =>
  import('./pages/billing/billing-page.tsx').then((file) => file.BillingPage),
)
const playground: RouteComponent = lazyPage(() =>
  import('./pages/playground/playground-page.tsx').then((file) => file.PlaygroundPage),
)
const diagnose: RouteComponent = lazyPage(() =>
  import('./pages/diagnose/diagnose-page.tsx').then((file) => file.DiagnosePage),
)
const account: RouteComponent = lazyPage(() =>
  import('./pages/account/account-page.tsx').then((file) => file.AccountPage),
)
const adminFrame: RouteComponent = lazyPage(() =>
  import('./pages/admin/admin-frame.tsx').then((file) => file.AdminFrame),
)
const operations: RouteComponent = lazyPage(() =>
  import('./pages/admin/operations/operations-page.tsx').then((file) => file.OperationsPage),
)
const requests: RouteComponent = lazyPage(() =>
  import('./pages/admin/requests/requests-page.tsx').then((file) => file.RequestsPage),
)
const upstreams: RouteComponent = lazyPage(() =>
  import('./pages/admin/upstreams/upstreams-page.tsx').then((file) => file.UpstreamsPage),
)
const upstream: RouteComponent = lazyPage(() =>
  import('./pages/admin/upstreams/upstream-page.tsx').then((file) => file.UpstreamPage),
)
const prices: RouteComponent = lazyPage(() =>
  import('./pages/admin/prices/prices-page.tsx').then((file) => file.PricesPage),
)
const priceImport: RouteComponent = lazyPage(() =>
  import('./pages/admin/prices/import/import-page.tsx').then((file) => file.ImportPage),
)
const price: RouteComponent = lazyPage(() =>
  import('./pages/admin/prices/model-page.tsx').then((file) => file.ModelPage),
)
const groups: RouteComponent = lazyPage(() =>
  import('./pages/admin/groups/groups-page.tsx').then((file) => file.GroupsPage),
)
const accounts: RouteComponent = lazyPage(() =>
  import('./pages/admin/accounts/accounts-page.tsx').then((file) => file.AccountsPage),
)
const oneAccount: RouteComponent = lazyPage(() =>
  import('./pages/admin/accounts/one/account-page.tsx').then((file) => file.AccountPage),
)
const plans: RouteComponent = lazyPage(() =>
  import('./pages/admin/plans/plans-page.tsx').then((file) => file.PlansPage),
)
const incidents: RouteComponent = lazyPage(() =>
  import('./pages/admin/incidents/incidents-page.tsx').then((file) => file.IncidentsPage),
)
const codes: RouteComponent = lazyPage(() =>
  import('./pages/admin/plans/codes-page.tsx').then((file) => file.CodesPage),
)
const announcements: RouteComponent = lazyPage(() =>
  import('./pages/admin/announcements/announcements-page.tsx').then((file) => file.AnnouncementsPage),
)
const audit: RouteComponent = lazyPage(() =>
  import('./pages/admin/audit/audit-page.tsx').then((file) => file.AuditPage),
)
const settings: RouteComponent = lazyPage(() =>
  import('./pages/admin/settings/settings-page.tsx').then((file) => file.SettingsPage),
)
const system: RouteComponent = lazyPage(() =>
  import('./pages/admin/system/system-page.tsx').then((file) => file.SystemPage),
)
const signIn: RouteComponent = lazyPage(() =>
  import('./pages/outside/sign-in-page.tsx').then((file) => file.SignInPage),
)
const setUp: RouteComponent = lazyPage(() => import('./pages/outside/set-up-page.tsx').then((file) => file.SetUpPage))
const register: RouteComponent = lazyPage(() =>
  import('./pages/outside/register-page.tsx').then((file) => file.RegisterPage),
)
const invitation: RouteComponent = lazyPage(() =>
  import('./pages/outside/invitation-page.tsx').then((file) => file.InvitationPage),
)
const resetPassword: RouteComponent = lazyPage(() =>
  import('./pages/outside/reset-password-page.tsx').then((file) => file.ResetPasswordPage),
)
const verifyEmail: RouteComponent = lazyPage(() =>
  import('./pages/outside/verify-email-page.tsx').then((file) => file.VerifyEmailPage),
)

const publicModels: RouteComponent = lazyPage(() =>
  import('./pages/public/prices-page.tsx').then((file) => file.PricesPage),
)
const publicStatus: RouteComponent = lazyPage(() =>
  import('./pages/public/status-page.tsx').then((file) => file.StatusPage),
)
const publicKeyCheck: RouteComponent = lazyPage(() =>
  import('./pages/public/check-key-page.tsx').then((file) => file.CheckKeyPage),
)

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

/** Everything that needs a session, inside the shell. */
const inside = createRoute({
  id: 'inside',
  getParentRoute: () => root,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error
      const search = location.href === '/' || location.href === PATHS.overview ? {} : { return_to: location.href }
      throw redirect({ to: PATHS.signIn, search, replace: true })
    }
  },
  pendingComponent: ShellSkeleton,
  errorComponent: FramedCrash,
  component: Shell,
})

/** Pages of those who run the place; others are shown that there is nothing. */
const admin = createRoute({ id: 'admin', getParentRoute: () => inside, component: adminFrame })

/** Everything before signing in. */
const outside = createRoute({
  id: 'outside',
  getParentRoute: () => root,
  errorComponent: FramedCrash,
  loader: () => loadTexts('outside'),
})

const loadPublicTexts = () => loadTexts('public', 'outside')

/** Pages that need no session and change nothing. */
const open = createRoute({
  id: 'open',
  getParentRoute: () => root,
  errorComponent: FramedCrash,
  loader: loadPublicTexts,
})

/** The steps show setups, key forms and faults as they go on. */
const loadStartTexts = () => loadTexts('start', 'keys', 'setup', 'faults', 'causes', 'refusals')

/** What it shows is asked for while its code is on the way; the page says what comes of it. */
const loadOverview = ({ context }: { context: { queryClient: QueryClient } }) => {
  void context.queryClient.prefetchQuery(overviewQuery())
  return loadTexts('overview', 'billing', 'faults')
}

const loadBilling = ({ context }: { context: { queryClient: QueryClient } }) => {
  void context.queryClient.prefetchQuery(alertsQuery)
  void context.queryClient.prefetchQuery(subscriptionsQuery)
  void context.queryClient.prefetchQuery(paymentOfferQuery)
  return loadTexts('billing', 'payments')
}

const loadPlansTexts = () => loadTexts('plans', 'payments')

/** Whether there are tags decides how the filters are laid out. */
const loadKeysPage = ({ context }: { context: { queryClient: QueryClient } }) => {
  void context.queryClient.prefetchQuery(keyTagsQuery)
  return loadTexts('keys')
}

const loadKeyTexts = () => loadTexts('key', 'keys', 'faults')

const loadDiagnoseTexts = () => loadTexts('diagnose', 'faults', 'causes')

/** What explains refusals is fetched with the first press: it stands in the drawer of a request alone. */
const loadUsageTexts = () => loadTexts('usage', 'faults')
const loadKeySpendTexts = () => loadTexts('keySpend', 'usage')
const loadUpstreamTexts = () => loadTexts('upstreams', 'faults')
const loadPricesTexts = () => loadTexts('prices', 'models')
const loadImportTexts = () => loadTexts('prices', 'models', 'priceImport')
const loadPriceTexts = () => loadTexts('prices', 'models', 'record')
const loadAccountsTexts = () => loadTexts('accounts')
const loadAccountTexts = () => loadTexts('accounts', 'oneAccount')
const loadIncidentsTexts = () => loadTexts('incidents', 'billing', 'faults', 'audit')
const loadAnnouncementsTexts = () => loadTexts('announcements', 'staff')
const ofInside = { getParentRoute: () => inside, validateSearch: flatSearch }
const ofAdmins = { getParentRoute: () => admin, validateSearch: flatSearch }
const loadCheckTexts = () => loadTexts('key', 'keys', 'faults')
// Each of them draws its frame itself.
const ofOpen = { getParentRoute: () => open, validateSearch: flatSearch, errorComponent: FramedCrash }
const ofOutside = { getParentRoute: () => outside, validateSearch: flatSearch, errorComponent: FramedCrash }

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: PATHS.overview, replace: true })
    },
  }),
  inside.addChildren([
    // A page's loader fetches its words while its code is on the way.
    createRoute({ ...ofInside, path: PATHS.start, component: start, loader: loadStartTexts }),
    createRoute({ ...ofInside, path: PATHS.overview, component: overview, loader: loadOverview }),
    createRoute({ ...ofInside, path: PATHS.keys, component: keys, loader: loadKeysPage }),
    createRoute({ ...ofInside, path: PATHS.key, component: key, loader: loadKeyTexts }),
    createRoute({ ...ofInside, path: PATHS.usage, component: usage, loader: loadUsageTexts }),
    createRoute({ ...ofInside, path: PATHS.keySpend, component: keySpend, loader: loadKeySpendTexts }),
    createRoute({ ...ofInside, path: PATHS.tagSpend, component: tagSpend, loader: loadKeySpendTexts }),
    createRoute({ ...ofInside, path: PATHS.models, component: models, loader: () => loadTexts('models') }),
    createRoute({ ...ofInside, path: PATHS.billing, component: billing, loader: loadBilling }),
    createRoute({
      ...ofInside,
      path: PATHS.playground,
      component: playground,
      loader: () => loadTexts('playground'),
    }),
    createRoute({ ...ofInside, path: PATHS.diagnose, component: diagnose, loader: loadDiagnoseTexts }),
    createRoute({ ...ofInside, path: PATHS.account, component: account, loader: () => loadTexts('account') }),
    admin.addChildren([
      createRoute({
        ...ofAdmins,
        path: ADMIN_PATHS.operations,
        component: operations,
        loader: () => loadTexts('operations'),
      }),
      createRoute({
        ...ofAdmins,
        path: ADMIN_PATHS.requests,
        component: requests,
        loader: () => loadTexts('requests'),
      }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.incidents, component: incidents, loader: loadIncidentsTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.upstreams, component: upstreams, loader: loadUpstreamTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.prices, component: prices, loader: loadPricesTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.priceImport, component: priceImport, loader: loadImportTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.price, component: price, loader: loadPriceTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.groups, component: groups, loader: () => loadTexts('groups') }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.plans, component: plans, loader: loadPlansTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.codes, component: codes, loader: loadPlansTexts }),
      createRoute({
        ...ofAdmins,
        path: ADMIN_PATHS.announcements,
        component: announcements,
        loader: loadAnnouncementsTexts,
      }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.audit, component: audit, loader: () => loadTexts('audit') }),
      createRoute({
        ...ofAdmins,
        path: ADMIN_PATHS.settings,
        component: settings,
        loader: () => loadTexts('settings'),
      }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.system, component: system, loader: () => loadTexts('system') }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.accounts, component: accounts, loader: loadAccountsTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.account, component: oneAccount, loader: loadAccountTexts }),
      createRoute({ ...ofAdmins, path: ADMIN_PATHS.upstream, component: upstream, loader: loadUpstreamTexts }),
    ]),
    // Every other address, inside the shell: an old link leads to the pages that are there.
    createRoute({ ...ofInside, path: '$', component: NotFound }),
  ]),
  outside.addChildren([
    createRoute({ ...ofOutside, path: PATHS.signIn, component: signIn }),
    createRoute({ ...ofOutside, path: PATHS.setUp, component: setUp }),
    createRoute({ ...ofOutside, path: PATHS.register, component: register }),
    createRoute({ ...ofOutside, path: PATHS.invitation, component: invitation }),
    createRoute({ ...ofOutside, path: PATHS.resetPassword, component: resetPassword }),
    createRoute({ ...ofOutside, path: PATHS.verifyEmail, component: verifyEmail }),
  ]),
  open.addChildren([
    createRoute({
      ...ofOpen,
      path: PATHS.publicModels,
      component: publicModels,
      loader: () => loadTexts('models'),
    }),
    createRoute({ ...ofOpen, path: PATHS.publicStatus, component: publicStatus }),
    createRoute({ ...ofOpen, path: PATHS.publicKeyCheck, component: publicKeyCheck, loader: loadCheckTexts }),
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
