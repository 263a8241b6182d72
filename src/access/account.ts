import type { SetLimits } from '../core/account-limits.ts'
import type { NanoUsd, PartsPerMillion } from '../core/money.ts'
import type { Role } from '../core/roles.ts'
import type { EditAnswer } from '../core/stored-edits.ts'
import type { Change } from './changes.ts'
import type { LimitRaise } from './limits-in-force.ts'

/** A person who signs in; owns a balance, keys, subscriptions. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly status: 'active' | 'disabled'
  readonly createdAt: number
  readonly isManaged: boolean
  /** Set on it by an admin, in place of the installation's and of plans'. Absent: none. */
  readonly limits?: SetLimits
  /** More than its limits for a while, given by an admin; it stays when it is over. Absent: none. */
  readonly raise?: LimitRaise
  /** Ids of closed groups that are open to it all the same, at least one. Absent: none. */
  readonly openGroupIds?: readonly string[]
  /** What the account is charged in groups of its own price, by their ids, unless the group's own multiplier is lower. Absent: none. */
  readonly ownMultipliers?: OwnMultipliers
}

export type OwnMultipliers = Readonly<Record<string, PartsPerMillion>>

/** What stands in place of the address of an account that was closed. */
export function closedAddress(id: string): string {
  return `${id}@closed.invalid`
}

/** Whether its owner was taken away from it: it is never enabled again. */
export function isClosed({ id, email }: Pick<Account, 'id' | 'email'>): boolean {
  return email.toLowerCase() === closedAddress(id).toLowerCase()
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

/** How many access tokens of an account were deleted with a change of it. */
export interface EndedTokens {
  readonly accessTokensEnded: number
}

export type AccountEditAnswer =
  | (Extract<EditAnswer<Account>, { kind: 'edited' }> & EndedTokens)
  | Exclude<EditAnswer<Account>, { kind: 'edited' }>
  | { readonly kind: 'last_admin' }

export interface AccountStore {
  findByEmail(email: string): Promise<Account | null>
  findById(id: string): Promise<Account | null>
  list(limit: number): Promise<readonly Account[]>
  /** The figures of each of these accounts; unknown ones have none. `sinceMs`: since when it is added up, in whole hours. */
  figures(ids: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, AccountFigures>>
  /** The addresses of these accounts; unknown ones have none. */
  emails(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The own multipliers of those of these accounts that have some. */
  ownMultipliers(ids: readonly string[]): Promise<ReadonlyMap<string, OwnMultipliers>>
  /** Newest first. */
  page(query: AccountQuery): Promise<readonly ListedAccount[]>
  /** Opens the account with an empty balance. Returns false when the email address is taken (case-insensitive). */
  create(account: Account, passwordHash: string | null, profile?: Partial<AccountProfile>): Promise<boolean>
  passwordHash(id: string): Promise<string | null>
  /** Ends ways in as `edit` does. */
  update(account: Account, passwordHash: string | null): Promise<Change & EndedTokens>
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
   * A disabled account, and one with another password, lose their sessions and access tokens with it; a role with fewer
   * rights ends the access tokens.
   */
  edit(id: string, edit: (before: Account) => Account, passwordHash: string | null): Promise<AccountEditAnswer>
  findOwn(id: string): Promise<OwnAccount | null>
  /** The limits of all accounts that set none of their own. null: there are none. */
  standardLimits(): Promise<SetLimits | null>
  /** Sets limits for every account at once, on all nodes that have followed the change. null: none any more. */
  setStandardLimits(limits: SetLimits | null): Promise<Change>
  /** What is left out stays. Does nothing for an unknown account. */
  updateProfile(id: string, profile: Partial<AccountProfile>): Promise<void>
}

/** How much a balance changed on a UTC day. */
export interface BalanceChange {
  /** Epoch milliseconds: when the day begins. */
  readonly at: number
  readonly amount: NanoUsd
}

/** What an account did lately. */
export interface AccountFigures {
  /** What its requests were charged. */
  readonly spent: NanoUsd
  /** Keys that are not deleted. */
  readonly keys: number
  /** Epoch milliseconds, of a session or of a key; null: never. */
  readonly lastSeenAt: number | null
  /** The newest first. What a request was charged counts on the day on which it began. */
  readonly balanceChanges: readonly BalanceChange[]
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
