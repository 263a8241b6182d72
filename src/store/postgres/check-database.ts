import { UnfitDatabase } from '../unfit-database.ts'
import type { PostgresConnection } from './postgres-connection.ts'

export interface DatabaseFacts {
  /** How many connections the server grants this role in all; null: a pooler says how many there are, or the role has no limit. */
  readonly connectionLimit: number | null
}

/** Reads what the database is like. Rejects with UnfitDatabase for one that cannot be used as it is. */
export async function checkDatabase(connection: PostgresConnection): Promise<DatabaseFacts> {
  try {
    // A pooler that keeps no session for as long as a transaction shows by this.
    await connection.begin('snapshot')
    const { rows } = await connection.query(FACTS, [])
    await connection.commit()
    const facts = rows[0] as unknown as ServerSettingsRow
    refuse(facts)
    return { connectionLimit: connection.isPooled ? null : Number(facts.connections) }
  } catch (error) {
    if (!(error instanceof Error) || !STATEMENT_POOLING.test(error.message)) throw error
    throw new UnfitDatabase(
      'the pooler before it is in statement mode, where there are no transactions: set pool_mode to transaction or session',
      { cause: error },
    )
  }
}

const STATEMENT_POOLING = /statement pooling/i

interface ServerSettingsRow {
  readonly encoding: string
  readonly read_only: string
  readonly connections: bigint
}

/** A role may be limited, a database may, and a part of the server's own are reserved. */
const FACTS = `
  select current_setting('server_encoding') as encoding,
    current_setting('default_transaction_read_only') as read_only,
    least(
      case when role.rolsuper or role.rolconnlimit < 0 then null else role.rolconnlimit end,
      case when role.rolsuper or database.datconnlimit < 0 then null else database.datconnlimit end,
      current_setting('max_connections')::int
        - case when role.rolsuper then 0 else current_setting('superuser_reserved_connections')::int end
        - case when role.rolsuper then 0 else coalesce(current_setting('reserved_connections', true)::int, 0) end
    )::bigint as connections
  from pg_roles role, pg_database database
  where role.rolname = current_user and database.datname = current_database()`

function refuse({ encoding, read_only: readOnly }: ServerSettingsRow): void {
  if (encoding !== 'UTF8') {
    throw new UnfitDatabase(
      `its encoding is ${encoding}, which cannot hold all names and texts: create it with "encoding 'UTF8' template template0"`,
    )
  }
  if (readOnly === 'on') {
    throw new UnfitDatabase(
      'it takes no writes at present (default_transaction_read_only is on): find out who set that, often the provider on a full disk',
    )
  }
}
