import type { Route } from '../api/route.ts'
import { accessTokenRoutes } from './access-token-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { meRoutes } from './me-routes.ts'
import { accountRoutes } from './account-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { groupRoutes } from './group-routes.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { planRoutes } from './plan-routes.ts'
import { redeemRoutes } from './redeem-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { upstreamRoutes } from './upstream-routes.ts'
import { usageRoutes } from './usage-routes.ts'
import { placeRoutes } from './place-routes.ts'

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
