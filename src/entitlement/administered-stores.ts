import type { AccessTokenStore } from '../access/access-token.ts'
import type { AccountStore } from '../access/account.ts'
import type { AnnouncementStore } from '../access/announcement.ts'
import type { AuditStore } from '../access/audit.ts'
import type { CaptureStore } from '../access/capture.ts'
import type { DeviceStore } from '../access/device.ts'
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

/** The stores of what people administer, and the audit that says who did: one transaction may change all of them. */
export interface AdministeredStores {
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
  readonly settings: KeptSettings & LockableSettings
  readonly accessTokens: AccessTokenStore
  readonly devices: DeviceStore
  readonly audit: AuditStore
  readonly announcements: AnnouncementStore
  readonly captures: CaptureStore
}

/** Small facts about the installation, as text: which secret it was made with, that it was set up. */
export interface KeptSettings {
  read(name: string): Promise<string | null>
  write(name: string, value: string): Promise<void>
}

/** Settings among the stores of one transaction. */
export interface LockableSettings {
  /** Reads it for a change: until the transaction ends, no other reads it this way. `initial`: stored where it is not there. */
  lock(name: string, initial: string): Promise<string>
}
