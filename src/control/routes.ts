import type { Route } from './route.ts'
import { accessTokenRoutes } from './routes/access-token-routes.ts'
import { auditRoutes } from './routes/audit-routes.ts'
import { keyRoutes } from './routes/key-routes.ts'
import { meRoutes } from './routes/me-routes.ts'
import { accountRoutes } from './routes/account-routes.ts'
import { alertRoutes } from './routes/alert-routes.ts'
import { groupRoutes } from './routes/group-routes.ts'
import { ledgerRoutes } from './routes/ledger-routes.ts'
import { modelRoutes } from './routes/model-routes.ts'
import { planRoutes } from './routes/plan-routes.ts'
import { redeemRoutes } from './routes/redeem-routes.ts'
import { subscriptionRoutes } from './routes/subscription-routes.ts'
import { upstreamRoutes } from './routes/upstream-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'
import { placeRoutes } from './routes/place-routes.ts'

/** Every route of the console API, in the order in which the documentation shows them. */
export const ROUTES: readonly Route[] = [
  ...meRoutes,
  ...keyRoutes,
  ...groupRoutes,
  ...modelRoutes,
  ...upstreamRoutes,
  ...usageRoutes,
  ...ledgerRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...redeemRoutes,
  ...alertRoutes,
  ...accountRoutes,
  ...accessTokenRoutes,
  ...auditRoutes,
  ...placeRoutes,
]
