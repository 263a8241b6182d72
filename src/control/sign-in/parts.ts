import type { AccessTokenStore } from '../../access/access-token.ts'
import type { Account, AccountStore } from '../../access/account.ts'
import type { Changes } from '../../access/audit.ts'
import type { GroupStore } from '../../access/group.ts'
import type { SignInLinkStore } from '../../access/sign-in-link.ts'
import type { SignInRecords } from '../../access/sign-in-records.ts'
import type { SubscriptionStore } from '../../access/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import type { LedgerStore } from '../../metering/funds/ledger.ts'
import type { PlanStore } from '../../metering/funds/plan.ts'
import type { Throttles } from './throttles.ts'
import type { OidcSettings, ProviderNetwork } from './oidc/oidc-settings.ts'

/** What sign-in changes. */
export interface SignInStores {
  readonly accounts: AccountStore
  readonly records: SignInRecords
  readonly links: SignInLinkStore
  readonly accessTokens: Pick<AccessTokenStore, 'deleteAllOf'>
  /** What invitations give by. */
  readonly ledger: Pick<LedgerStore, 'post'>
  readonly subscriptions: Pick<SubscriptionStore, 'open'>
  readonly plans: Pick<PlanStore, 'plans'>
  readonly groups: Pick<GroupStore, 'groups'>
}

/** Everything that sign-in is built from. */
export interface SignInDependencies extends SignInStores {
  /** Where the first start left the hash of its link. */
  readonly settings: { read(name: string): Promise<string | null> }
  readonly clock: Clock
  readonly randomBytes: (count: number) => Buffer
  /** Signs cookies and encrypts second factors: 32 bytes or more that only this installation knows. */
  readonly secret: string
  /** Keyed hashes: of session tokens, of tokens in links, and of the token that the first start printed. */
  readonly hashes: {
    readonly session: (token: string) => string
    readonly link: (token: string) => string
    readonly setUp: (token: string) => string
  }
  /** Who may open an account now. */
  registration(): Promise<RegistrationMode>
  /** TOLLGATE_DEMO: the first admin may go without a password at first. */
  readonly wantsDemo: boolean
  readonly oidc: OidcSettings | null
  /** What asking the OIDC provider needs. */
  readonly network: ProviderNetwork
  /** null: no mail server, so admins copy the links. */
  readonly mail: SignInMail | null
  /** Makes a change and writes its audit entries, in one transaction, as `ApiCall.change` does. */
  change<Made>(
    work: (stores: SignInStores, record: (event: SignInEvent) => Promise<void>) => Promise<Made>,
  ): Promise<Made>
  /** Hears of what belongs into the audit and changed nothing. */
  onEvent(event: SignInEvent): void
  /** Hears of what any caller can cause, and no admin has to look at. Never holds a secret. */
  onRefusal(what: string): void
  /** Hears of failures that callers cannot do anything about. Never holds a secret. */
  onError(what: string, error: unknown): void
}

/** `invitation`: every account needs an admin, as with `closed`, but admins may hand out links. */
export type RegistrationMode = 'closed' | 'invitation' | 'open'

export interface SignInMail {
  /** Rejects when no mail server took it. */
  send(mail: { readonly to: string; readonly subject: string; readonly text: string }): Promise<void>
}

/** Something that happened to an account's ways in. */
export interface SignInEvent {
  readonly kind:
    | 'signed_in'
    | 'sign_in_refused'
    | 'signed_out'
    | 'sessions_ended'
    | 'access_tokens_ended'
    | 'account_created'
    | 'set_up_used'
    | 'password_changed'
    | 'email_changed'
    | 'email_verified'
    | 'second_factor_on'
    | 'second_factor_off'
    | 'backup_codes_made'
    | 'passkey_added'
    | 'passkey_removed'
    | 'identity_linked'
    | 'identity_unlinked'
    | 'reset_asked'
  /** null: no account has the address that was given. */
  readonly accountId: string | null
  /** Who did it, where that is another account. */
  readonly byAccountId: string | null
  readonly address: string
  /** How a session began, or what a link is for. */
  readonly detail: string | null
  /** What else changed with it. */
  readonly changes?: Changes
}

/** What every route works with. */
export interface SignInParts extends SignInDependencies {
  readonly throttles: Throttles
}

/** An account with a session that is valid. */
export interface SignedIn {
  readonly sessionId: string
  readonly account: Account
  /** When credentials were shown last. */
  readonly signedInAt: number
  /** Whether the account has anything to show: a password, a second factor, a passkey. */
  readonly canConfirm: boolean
  /** How the session began: `password`, `passkey`, `oidc`, `set_up`, `sign_up`. */
  readonly beganBy: string
}
