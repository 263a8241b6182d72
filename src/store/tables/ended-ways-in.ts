import type { Account } from '../../access/account.ts'
import { losesRights } from '../../core/roles.ts'
import type { TablesTransaction } from '../engine/database.ts'

/** What others changed of an account. `isNewPassword`: it has another one than before. */
export interface AccountTurn {
  readonly before: Pick<Account, 'id' | 'role' | 'status'>
  readonly after: Pick<Account, 'role' | 'status'>
  readonly isNewPassword: boolean
}

/**
 * Ends what was begun by rights that an account has no more, and returns how many access tokens went. A disabled account and
 * one with another password lose their sessions and access tokens, so that enabling it again brings nothing back. A role that
 * lacks a right of the one before takes the access tokens alone: a session has the rights of the moment.
 */
export async function endWaysIn(
  transaction: TablesTransaction,
  { before, after, isNewPassword }: AccountTurn,
): Promise<number> {
  const { id } = before
  const isShut = isNewPassword || after.status === 'disabled'
  if (isShut) {
    await transaction.deleteFrom('sessions').where('account_id', '=', id).execute()
    // Second steps that are under way, and browsers that are spared one.
    await transaction.deleteFrom('verifications').where('content', '=', id).execute()
  }
  if (!isShut && !losesRights(before.role, after.role)) return 0
  const ended = await transaction.deleteFrom('access_tokens').where('account_id', '=', id).returning('id').execute()
  return ended.length
}
