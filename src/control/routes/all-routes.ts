import { deviceRoutes } from './device-routes.ts'
import type { ApiRoute } from '../api/route.ts'
import { emailRoutes } from './sign-in/email-routes.ts'
import { methodRoutes } from './sign-in/method-routes.ts'
import { oidcRoutes } from './sign-in/oidc-routes.ts'
import { passkeyRoutes } from './sign-in/passkey-routes.ts'
import { passwordRoutes } from './sign-in/password-routes.ts'
import { registrationRoutes } from './sign-in/registration-routes.ts'
import { sessionRoutes } from './sign-in/session-routes.ts'
import { accessTokenRoutes } from './access-token-routes.ts'
import { announcementRoutes } from './announcement-routes.ts'
import { attentionRoutes } from './attention-routes.ts'
import { captureRoutes } from './capture-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { keyMessageRoutes } from './key-message-routes.ts'
import { keyReportRoutes } from './key-report-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { meRoutes } from './me-routes.ts'
import { accountRoutes } from './account-routes.ts'
import { accountSignInRoutes } from './account-sign-in-routes.ts'
import { explainRoutes } from './explain-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { groupRoutes } from './group-routes.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { priceRoutes } from './price-routes.ts'
import { planRoutes } from './plan-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { paymentNoticeRoutes } from './payment-notice-routes.ts'
import { paymentSettingsRoutes } from './payment-settings-routes.ts'
import { redeemRoutes } from './redeem-routes.ts'
import { seeAsRoutes } from './see-as-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { credentialRoutes } from './credential-routes.ts'
import { systemRoutes } from './system-routes.ts'
import { upstreamRoutes } from './upstream-routes.ts'
import { cachedInputRoutes } from './cached-input-routes.ts'
import { marginRoutes } from './margin-routes.ts'
import { exploreRoutes } from './explore-routes.ts'
import { usageRoutes } from './usage-routes.ts'
import { publicRoutes } from './public-routes.ts'
import { incidentRoutes } from './incident-routes.ts'

/**
 * Every route of the console API, in the order in which the documentation shows them. Paths without a parameter stand
 * before those that have one: the first that fits serves.
 */
export const ROUTES: readonly ApiRoute[] = [
  ...meRoutes,
  ...keyReportRoutes,
  ...keyRoutes,
  ...deviceRoutes,
  ...keyMessageRoutes,
  ...captureRoutes,
  ...explainRoutes,
  ...groupRoutes,
  ...modelRoutes,
  ...priceRoutes,
  ...upstreamRoutes,
  ...credentialRoutes,
  ...exploreRoutes,
  ...usageRoutes,
  ...marginRoutes,
  ...attentionRoutes,
  ...cachedInputRoutes,
  ...ledgerRoutes,
  ...planRoutes,
  ...subscriptionRoutes,
  ...redeemRoutes,
  ...orderRoutes,
  ...paymentNoticeRoutes,
  ...paymentSettingsRoutes,
  ...alertRoutes,
  ...incidentRoutes,
  ...announcementRoutes,
  ...accountRoutes,
  ...accountSignInRoutes,
  ...seeAsRoutes,
  ...invitationRoutes,
  ...accessTokenRoutes,
  ...settingsRoutes,
  ...systemRoutes,
  ...auditRoutes,
  ...publicRoutes,
  ...sessionRoutes,
  ...methodRoutes,
  ...passkeyRoutes,
  ...oidcRoutes,
  ...passwordRoutes,
  ...emailRoutes,
  ...registrationRoutes,
]
