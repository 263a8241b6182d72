import { isDeepStrictEqual } from 'node:util'
import { type Selectable, sql } from 'kysely'
import type {
  Account,
  AccountEditAnswer,
  AccountFigures,
  AccountProfile,
  AccountQuery,
  AccountStore,
  EndedTokens,
  ListedAccount,
  OwnAccount,
  OwnMultipliers,
} from '../../access/account.ts'
import type { Change } from '../../access/changes.ts'
import type { SetLimits } from '../../core/account-limits.ts'
import type { Clock } from '../../core/clock.ts'
import { nanoUsd } from '../../core/money.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import { readStandardLimits, writeStandardLimits } from '../books/limits-in-force.ts'
import { newBudgetRow } from '../books/budget-rows.ts'
import { type Database, SqlStore, type TablesTransaction } from '../engine/database.ts'
import { lockRow, readRow } from '../engine/rows-by-id.ts'
import { limitsIn, limitsJson, raiseIn, raiseJson } from '../schema/limits-json.ts'
import { ownMultipliersIn, ownMultipliersJson } from '../schema/own-multipliers-json.ts'
import type { AccountRow } from '../schema/tables.ts'
import { accountFigures } from './account-figures.ts'
import { changing } from '../engine/changes.ts'
import { endWaysIn } from './ended-ways-in.ts'
import { moveAllSpendWindows, moveSpendWindows } from './spend-windows.ts'
import { holding } from './text-search.ts'

export class SqlAccountStore extends SqlStore implements AccountStore {
  readonly #clock: Clock

  constructor(database: Database, clock: Clock) {
    super(database)
    this.#clock = clock
  }

  findByEmail(email: string): Promise<Account | null> {
    return this.#find('email_lower', email.toLowerCase())
  }

  findById(id: string): Promise<Account | null> {
    return this.#find('id', id)
  }

  async list(limit: number): Promise<readonly Account[]> {
    const rows = await this.database.kysely.selectFrom('accounts').selectAll().orderBy('id').limit(limit).execute()
    return rows.map(accountOf)
  }

  async page({ search, role, status, after, limit }: AccountQuery): Promise<readonly ListedAccount[]> {
    let query = this.database.kysely
      .selectFrom('accounts')
      .innerJoin('budgets', (join) =>
        join.on('budgets.id', '=', (budget) => sql`${BALANCE_PREFIX} || ${budget.ref('accounts.id')}`),
      )
      .selectAll('accounts')
      .select(['budgets.limit_nano', 'budgets.used_nano'])
      .orderBy('accounts.id', 'desc')
      .limit(limit)
    if (after !== null) query = query.where('accounts.id', '<', after)
    if (role !== undefined) query = query.where('role', '=', role)
    if (status !== undefined) query = query.where('status', '=', status)
    if (search !== undefined) {
      query = query.where((account) =>
        account.or([
          holding('accounts.email_lower', search),
          holding('accounts.name', search),
          account('accounts.id', '=', search),
        ]),
      )
    }
    const rows = await query.execute()
    return rows.map((row) => ({
      account: accountOf(row),
      name: row.name,
      balance: nanoUsd(row.limit_nano - row.used_nano),
    }))
  }

  figures(ids: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, AccountFigures>> {
    return accountFigures(this.database, ids, sinceMs)
  }

  async emails(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map()
    const rows = await this.database.kysely
      .selectFrom('accounts')
      .select(['id', 'email'])
      .where('id', 'in', [...new Set(ids)])
      .execute()
    return new Map(rows.map(({ id, email }) => [id, email]))
  }

  async ownMultipliers(ids: readonly string[]): Promise<ReadonlyMap<string, OwnMultipliers>> {
    if (ids.length === 0) return new Map()
    const rows = await this.database.kysely
      .selectFrom('accounts')
      .select(['id', 'own_multipliers_json'])
      .where('id', 'in', [...new Set(ids)])
      .execute()
    return new Map(
      rows.flatMap(({ id, own_multipliers_json: stored }) => {
        const { ownMultipliers } = ownMultipliersIn(stored)
        return ownMultipliers === undefined ? [] : [[id, ownMultipliers]]
      }),
    )
  }

  create(account: Account, passwordHash: string | null, profile: Partial<AccountProfile> = {}): Promise<boolean> {
    return changing(this.database, async (transaction, record) => {
      const inserted = await transaction
        .insertInto('accounts')
        .values({
          ...columnsOf(account),
          ...profileColumns({ ...NEW_PROFILE, ...profile }),
          id: account.id,
          created_at: account.createdAt,
          password_hash: passwordHash,
        })
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
    const row = await this.database.kysely
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.password_hash ?? null
  }

  /** A password hash of null leaves the one that is there. Rejects for an unknown account and for an address in use. */
  update(account: Account, passwordHash: string | null): Promise<Change & EndedTokens> {
    return changing(this.database, async (transaction, record) => {
      const row = await lockRow(transaction, 'accounts', account.id)
      if (row === undefined) throw new Error(`there is no account ${account.id}`)
      const password = passwordHash === null ? {} : { password_hash: passwordHash }
      await transaction
        .updateTable('accounts')
        .set({ ...columnsOf(account), ...password })
        .where('id', '=', account.id)
        .execute()
      const isNewPassword = passwordHash !== null && passwordHash !== row.password_hash
      const accessTokensEnded = await endWaysIn(transaction, { before: row, after: account, isNewPassword })
      await moveSpendWindows(transaction, account.id, this.#clock.now())
      return { ...(await record('account', account.id)), accessTokensEnded }
    })
  }

  updateCredentials(id: string, { email, passwordHash }: { email?: string; passwordHash?: string }): Promise<Change> {
    return changing(this.database, async (transaction, record) => {
      const updated = await transaction
        .updateTable('accounts')
        .set({
          id,
          ...(email === undefined ? {} : emailColumns(email)),
          ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
        })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      if (updated === undefined) throw new Error(`there is no account ${id}`)
      return record('account', id)
    })
  }

  edit(id: string, edit: (before: Account) => Account, passwordHash: string | null): Promise<AccountEditAnswer> {
    return changing(this.database, async (transaction, record) => {
      // Always the admins first, and in one order: of two who demote each other, the second sees what the first did.
      const admins = await lockActiveAdmins(transaction)
      const row = await lockRow(transaction, 'accounts', id)
      if (row === undefined) return { kind: 'unknown' } as const
      const before = accountOf(row)
      const after = edit(before)
      const isStatusAlone = passwordHash === null && isDeepStrictEqual({ ...after, status: before.status }, before)
      if (row.is_managed && !isStatusAlone) return { kind: 'managed' } as const
      const isAdmin = after.role === 'admin' && after.status === 'active'
      if (!isAdmin && admins.length === 1 && admins[0] === id) return { kind: 'last_admin' } as const
      const password = passwordHash === null ? {} : { password_hash: passwordHash }
      await transaction
        .updateTable('accounts')
        .set({ ...columnsOf(after), ...password })
        .where('id', '=', id)
        .execute()
      const accessTokensEnded = await endWaysIn(transaction, { before, after, isNewPassword: passwordHash !== null })
      const areSame = isDeepStrictEqual([before.limits, before.raise], [after.limits, after.raise])
      if (!areSame) await moveSpendWindows(transaction, id, this.#clock.now())
      const { seq } = await record('account', id)
      return { kind: 'edited', before, after, seq, accessTokensEnded } as const
    })
  }

  async findOwn(id: string): Promise<OwnAccount | null> {
    const row = await readRow(this.database.kysely, 'accounts', id)
    return row === undefined ? null : ownAccountOf(row)
  }

  async standardLimits(): Promise<SetLimits | null> {
    return (await readStandardLimits(this.database.kysely)).limits ?? null
  }

  setStandardLimits(limits: SetLimits | null): Promise<Change> {
    return changing(this.database, async (transaction, record) => {
      await writeStandardLimits(transaction, limits)
      await moveAllSpendWindows(transaction, this.#clock.now())
      return record('limits', 'accounts')
    })
  }

  async updateProfile(id: string, profile: Partial<AccountProfile>): Promise<void> {
    const columns = profileColumns(profile)
    if (Object.keys(columns).length === 0) return
    await this.database.kysely.updateTable('accounts').set(columns).where('id', '=', id).execute()
  }

  async #find(column: 'id' | 'email_lower', value: string): Promise<Account | null> {
    const row = await this.database.kysely
      .selectFrom('accounts')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst()
    return row === undefined ? null : accountOf(row)
  }
}

/** How the ids of balances begin: see `balanceBudget`. */
const BALANCE_PREFIX = balanceBudget('').id

async function lockActiveAdmins(transaction: TablesTransaction): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** An account that is added without more is an admin's doing, who answers for the address. */
const NEW_PROFILE: AccountProfile = {
  name: '',
  language: null,
  theme: 'system',
  isEmailVerified: true,
  hasSecondFactor: false,
  wantsMail: true,
  favouriteModels: [],
}

type ProfileColumns = Partial<
  Omit<
    Selectable<AccountRow>,
    'limits_json' | 'raise_json' | 'open_groups_json' | 'own_multipliers_json' | 'favourite_models_json'
  >
> & {
  readonly favourite_models_json?: string
}

/** Only what is given. */
function profileColumns(profile: Partial<AccountProfile>): ProfileColumns {
  const { name, language, theme, isEmailVerified, hasSecondFactor, wantsMail, favouriteModels } = profile
  return {
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language }),
    ...(theme === undefined ? {} : { theme }),
    ...(isEmailVerified === undefined ? {} : { is_email_verified: isEmailVerified }),
    ...(hasSecondFactor === undefined ? {} : { is_second_factor_on: hasSecondFactor }),
    ...(wantsMail === undefined ? {} : { is_mail_wanted: wantsMail }),
    ...(favouriteModels === undefined ? {} : { favourite_models_json: JSON.stringify(favouriteModels) }),
  }
}

function ownAccountOf(row: Selectable<AccountRow>): OwnAccount {
  return {
    account: accountOf(row),
    profile: {
      name: row.name,
      language: row.language,
      theme: row.theme,
      isEmailVerified: row.is_email_verified,
      hasSecondFactor: row.is_second_factor_on,
      wantsMail: row.is_mail_wanted,
      favouriteModels: row.favourite_models_json as readonly string[],
    },
    hasPassword: row.password_hash !== null,
  }
}

function columnsOf(account: Account) {
  return {
    ...emailColumns(account.email),
    role: account.role,
    status: account.status,
    is_managed: account.isManaged,
    limits_json: limitsJson(account.limits),
    raise_json: raiseJson(account.raise),
    open_groups_json: JSON.stringify(account.openGroupIds ?? []),
    own_multipliers_json: ownMultipliersJson(account.ownMultipliers),
  }
}

/** Writes an email in lower case by JavaScript, because SQLite's own lower() knows ASCII alone. */
function emailColumns(email: string) {
  return { email, email_lower: email.toLowerCase() }
}

export function accountOf(row: Selectable<AccountRow>): Account {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    createdAt: row.created_at,
    isManaged: row.is_managed,
    ...limitsIn(row.limits_json),
    ...raiseIn(row.raise_json),
    ...openGroupsIn(row.open_groups_json as readonly string[]),
    ...ownMultipliersIn(row.own_multipliers_json),
  }
}

function openGroupsIn(ids: readonly string[]): Pick<Account, 'openGroupIds'> {
  return ids.length === 0 ? {} : { openGroupIds: ids }
}
