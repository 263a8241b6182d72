import type { Change } from './changes.ts'

/** A person who signs in; owns a balance, keys, subscriptions. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly role: 'user' | 'admin'
  readonly status: 'active' | 'disabled'
  readonly createdAt: number
  readonly isManaged: boolean
}

export interface AccountStore {
  findByEmail(email: string): Promise<Account | null>
  findById(id: string): Promise<Account | null>
  list(limit: number): Promise<readonly Account[]>
  /** Opens the account with an empty balance. Returns false when the e-mail address is taken (case-insensitive). */
  create(account: Account, passwordHash: string | null): Promise<boolean>
  passwordHash(id: string): Promise<string | null>
  update(account: Account, passwordHash: string | null): Promise<Change>
}
