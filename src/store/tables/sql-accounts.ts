import type { Selectable } from 'kysely'
import type { Account, AccountStore } from '../../access/account.ts'
import type { Change } from '../../access/changes.ts'
import { balanceBudget } from '../../metering/budget.ts'
import { newBudgetRow } from '../books/budget-rows.ts'
import type { Database } from '../engine/database.ts'
import type { AccountRow } from '../schema/tables.ts'
import { changing } from './changes.ts'

export class SqlAccountStore implements AccountStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  findByEmail(email: string): Promise<Account | null> {
    return this.#find('email_lower', email.toLowerCase())
  }

  findById(id: string): Promise<Account | null> {
    return this.#find('id', id)
  }

  async list(limit: number): Promise<readonly Account[]> {
    const rows = await this.#database.kysely.selectFrom('accounts').selectAll().orderBy('id').limit(limit).execute()
    return rows.map(accountOf)
  }

  create(account: Account, passwordHash: string | null): Promise<boolean> {
    return changing(this.#database, async (transaction, record) => {
      const inserted = await transaction
        .insertInto('accounts')
        .values({ ...columnsOf(account), id: account.id, created_at: account.createdAt, password_hash: passwordHash })
        .onConflict((conflict) => conflict.column('email_lower').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (inserted === undefined) return false
      await transaction
        .insertInto('budgets')
        .values(newBudgetRow(balanceBudget(account.id)))
        .execute()
      await record('account', account.id)
      return true
    })
  }

  async passwordHash(id: string): Promise<string | null> {
    const row = await this.#database.kysely
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.password_hash ?? null
  }

  /** A password hash of null leaves the one that is there. Rejects for an unknown account and for an address in use. */
  update(account: Account, passwordHash: string | null): Promise<Change> {
    return changing(this.#database, async (transaction, record) => {
      const password = passwordHash === null ? {} : { password_hash: passwordHash }
      const updated = await transaction
        .updateTable('accounts')
        .set({ ...columnsOf(account), ...password })
        .where('id', '=', account.id)
        .returning('id')
        .executeTakeFirst()
      if (updated === undefined) throw new Error(`there is no account ${account.id}`)
      return record('account', account.id)
    })
  }

  async #find(column: 'id' | 'email_lower', value: string): Promise<Account | null> {
    const row = await this.#database.kysely
      .selectFrom('accounts')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst()
    return row === undefined ? null : accountOf(row)
  }
}

function columnsOf(account: Account) {
  return {
    email: account.email,
    // In JavaScript, because SQLite's own lower() knows ASCII alone.
    email_lower: account.email.toLowerCase(),
    role: account.role,
    status: account.status,
    is_managed: account.isManaged,
  }
}

export function accountOf(row: Selectable<AccountRow>): Account {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    createdAt: row.created_at,
    isManaged: row.is_managed,
  }
}
