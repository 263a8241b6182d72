import type { AccessTokenStore } from '../access/access-token.ts'
import type { AccountStore } from '../access/account.ts'
import type { AnnouncementStore } from '../access/announcement.ts'
import type { AdminAlertStore } from '../alerts/admin-alert.ts'
import type { AuditStore } from '../access/audit.ts'
import type { CaptureStore } from '../access/capture.ts'
import type { GroupStore } from '../access/group.ts'
import type { KeyStore } from '../access/key-store.ts'
import type { SignInLinkStore } from '../access/sign-in-link.ts'
import type { SignInRecords } from '../access/sign-in-records.ts'
import type { SubscriptionStore } from '../access/subscription.ts'
import type { LedgerStore } from '../metering/funds/ledger.ts'
import type { OrderStore } from '../metering/funds/order.ts'
import type { PlanStore } from '../metering/funds/plan.ts'
import type { RedeemCodeStore } from '../metering/funds/redeem-code.ts'
import type { CatalogStore } from '../routing/catalog.ts'

/** What people change. */
export interface ChangeableStores {
  readonly keys: KeyStore
  readonly accounts: AccountStore
  readonly signInRecords: SignInRecords
  readonly signInLinks: SignInLinkStore
  readonly groups: GroupStore
  readonly catalog: CatalogStore
  readonly plans: PlanStore
  readonly subscriptions: SubscriptionStore
  readonly redeemCodes: RedeemCodeStore
  readonly orders: OrderStore
  readonly ledger: LedgerStore
  readonly accessTokens: AccessTokenStore
  readonly audit: AuditStore
  readonly adminAlerts: AdminAlertStore
  readonly announcements: AnnouncementStore
  readonly captures: CaptureStore
  readonly settings: KeptSettings & {
    /** Within a change: reads it, and no other change does until this one ends. `initial`: stored where it is not there. */
    lock(name: string, initial: string): Promise<string>
  }
}

/** Small facts about the installation, as text. */
export interface KeptSettings {
  read(name: string): Promise<string | null>
  write(name: string, value: string): Promise<void>
}
