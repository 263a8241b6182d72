import type { SetLimits } from '../core/account-limits.ts'
import type { NanoUsd } from '../core/money.ts'
import type { EditAnswer } from '../core/stored-edits.ts'
import type { Change } from './changes.ts'

/** A person who signs in; owns a balance, keys, subscriptions. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly role: 'user' | 'admin'
  readonly status: 'active' | 'disabled'
  readonly createdAt: number
  readonly isManaged: boolean
  /** Set on it by an admin, in place of the installation's and of plans'. Absent: none. */
  readonly limits?: SetLimits
}

/** What an account holds for its owner's sake; no part of what it may do. */
export interface AccountProfile {
  /** Empty: not given. */
  readonly name: string
  /** null: as the browser says. */
  readonly language: 'en' | 'zh-CN' | null
  readonly theme: 'system' | 'light' | 'dark'
  /** Mail to it was shown to arrive, or an admin named it. */
  readonly isEmailVerified: boolean
  /** Signing in with the password asks for a second step. */
  readonly hasSecondFactor: boolean
  /** Alerts about this account are mailed to it. */
  readonly wantsMail: boolean
  /** Names of models that the console offers first and lists in setups. */
  readonly favouriteModels: readonly string[]
}

/** An account with all that its owner sees of it. */
export interface OwnAccount {
  readonly account: Account
  readonly profile: AccountProfile
  readonly hasPassword: boolean
}

export interface AccountStore {
  findByEmail(email: string): Promise<Account | null>
  findById(id: string): Promise<Account | null>
  list(limit: number): Promise<readonly Account[]>
  /** Newest first. */
  page(query: AccountQuery): Promise<readonly ListedAccount[]>
  /** Opens the account with an empty balance. Returns false when the email address is taken (case-insensitive). */
  create(account: Account, passwordHash: string | null, profile?: Partial<AccountProfile>): Promise<boolean>
  passwordHash(id: string): Promise<string | null>
  update(account: Account, passwordHash: string | null): Promise<Change>
  /**
   * Gives an account another address or password, and changes nothing else: what an admin does to it at the same instant
   * stands. Rejects for an unknown account and for an address in use.
   */
  updateCredentials(
    id: string,
    credentials: { readonly email?: string; readonly passwordHash?: string },
  ): Promise<Change>
  /**
   * `edit` makes the account that is to be from the one that is, which is locked meanwhile. Refused when no active admin
   * would be left, even if others are changed at the same instant. A password hash of null leaves the one that is there.
   */
  edit(
    id: string,
    edit: (before: Account) => Account,
    passwordHash: string | null,
  ): Promise<EditAnswer<Account> | { readonly kind: 'last_admin' }>
  findOwn(id: string): Promise<OwnAccount | null>
  /** The limits of all accounts that set none of their own. null: there are none. */
  standardLimits(): Promise<SetLimits | null>
  /** They hold for every account at once, on all nodes that have followed the change. null: none any more. */
  setStandardLimits(limits: SetLimits | null): Promise<Change>
  /** What is left out stays. Does nothing for an unknown account. */
  updateProfile(id: string, profile: Partial<AccountProfile>): Promise<void>
}

export interface AccountQuery {
  /** Part of the address or name, in any case; or the id. */
  readonly search?: string | undefined
  readonly role?: Account['role'] | undefined
  readonly status?: Account['status'] | undefined
  /** Accounts before this id; null: from the newest. */
  readonly after: string | null
  readonly limit: number
}

export interface ListedAccount {
  readonly account: Account
  /** Empty: not given. */
  readonly name: string
  readonly balance: NanoUsd
}
