import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { SignInLink, SignInLinkPurpose, SignInLinkStore } from '../../access/sign-in-link.ts'
import { nanoUsd } from '../../core/money.ts'
import { SqlStore } from '../engine/database.ts'
import type { SignInLinkRow } from '../schema/sign-in-tables.ts'
import type { Tables } from '../schema/tables.ts'

/** Unusable links are shown for so long, then deleted. */
const KEPT_MS = 90 * 24 * 3_600_000

export class SqlSignInLinkStore extends SqlStore implements SignInLinkStore {
  async create(link: SignInLink, hash: string): Promise<boolean> {
    await this.database.kysely
      .deleteFrom('sign_in_links')
      .where('purpose', '!=', 'set_up')
      .where('expires_at', '<', link.createdAt - KEPT_MS)
      .execute()
    const inserted = await this.database.kysely
      .insertInto('sign_in_links')
      .values({
        id: link.id,
        token_hash: hash,
        purpose: link.purpose,
        account_id: link.accountId,
        email: link.email,
        role: link.role,
        created_by: link.createdBy,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
        used_at: link.usedAt,
        used_by: link.usedBy,
        credit_nano: link.credit,
        plan_id: link.planId,
        open_group_ids_json: JSON.stringify(link.openGroupIds),
      })
      .onConflict((conflict) => conflict.column('token_hash').doNothing())
      .returning('id')
      .executeTakeFirst()
    return inserted !== undefined
  }

  async isKnown(hash: string): Promise<boolean> {
    const row = await this.database.kysely
      .selectFrom('sign_in_links')
      .select('id')
      .where('token_hash', '=', hash)
      .executeTakeFirst()
    return row !== undefined
  }

  async findOpen(hash: string, about: { purpose: SignInLinkPurpose; nowMs: number }): Promise<SignInLink | null> {
    const row = await this.database.kysely
      .selectFrom('sign_in_links')
      .selectAll()
      .where('token_hash', '=', hash)
      .where('purpose', '=', about.purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', about.nowMs)
      .executeTakeFirst()
    return row === undefined ? null : linkOf(row)
  }

  async take(
    hash: string,
    about: { purpose: SignInLinkPurpose; nowMs: number; usedBy: string | null },
  ): Promise<SignInLink | null> {
    const row = await this.database.kysely
      .updateTable('sign_in_links')
      .set({ used_at: about.nowMs, used_by: about.usedBy })
      .where('token_hash', '=', hash)
      .where('purpose', '=', about.purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', about.nowMs)
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : linkOf(row)
  }

  async list(purpose: SignInLinkPurpose, limit: number): Promise<readonly SignInLink[]> {
    const rows = await this.database.kysely
      .selectFrom('sign_in_links')
      .selectAll()
      .where('purpose', '=', purpose)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(linkOf)
  }

  async withdraw(id: string, purpose: SignInLinkPurpose): Promise<boolean> {
    const deleted = await this.database.kysely
      .deleteFrom('sign_in_links')
      .where('id', '=', id)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return deleted !== undefined
  }

  async withdrawInvitationsFor(email: string): Promise<void> {
    await this.database.kysely
      .deleteFrom('sign_in_links')
      .where('purpose', '=', 'invitation')
      .where(sql<string>`lower(email)`, '=', email.toLowerCase())
      .where('used_at', 'is', null)
      .execute()
  }

  async forget(accountId: string, email: string): Promise<void> {
    const database = this.database.kysely
    const isForIt = (link: ExpressionBuilder<Tables, 'sign_in_links'>) =>
      link.or([
        link('account_id', '=', accountId),
        link('used_by', '=', accountId),
        link(sql<string>`lower(email)`, '=', email.toLowerCase()),
      ])
    await database.deleteFrom('sign_in_links').where(isForIt).where('used_at', 'is', null).execute()
    await database.updateTable('sign_in_links').set({ email: null }).where(isForIt).execute()
  }

  async withdrawAllOf(accountId: string, purpose: SignInLinkPurpose): Promise<void> {
    await this.database.kysely
      .deleteFrom('sign_in_links')
      .where('account_id', '=', accountId)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .execute()
  }
}

function linkOf(row: Selectable<SignInLinkRow>): SignInLink {
  return {
    id: row.id,
    purpose: row.purpose,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    usedBy: row.used_by,
    credit: row.credit_nano === null ? null : nanoUsd(row.credit_nano),
    planId: row.plan_id,
    openGroupIds: row.open_group_ids_json,
  }
}
