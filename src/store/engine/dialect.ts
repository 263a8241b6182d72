import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type SelectModifierNode,
  SelectQueryNode,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { Engine, EngineConnection } from './engine.ts'
import { bindable, decodeRows } from './values.ts'

/** Kysely over either engine: the same driver, which binds and decodes values, and the engine's own SQL. */
export function engineDialect(engine: ConnectionSource): Dialect {
  const isSqlite = engine.kind === 'sqlite'
  return {
    createDriver: () => new EngineDriver(engine),
    createQueryCompiler: () => (isSqlite ? new OneWriterCompiler() : new PostgresQueryCompiler()),
    // Serves both: many connections, `returning`. What else it knows is for Kysely's own migrations.
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (kysely) => (isSqlite ? new SqliteIntrospector(kysely) : new PostgresIntrospector(kysely)),
  }
}

/** SQLite has no row locks and needs none: a writer begins with the lock on all of it. */
class OneWriterCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node)
  }
}

type ConnectionSource = Pick<Engine, 'kind' | 'acquire'>

class EngineDriver implements Driver {
  readonly #engine: ConnectionSource

  constructor(engine: ConnectionSource) {
    this.#engine = engine
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new DecodingConnection(await this.#engine.acquire())
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return raw(connection).begin(settings.accessMode === 'read only' ? 'snapshot' : 'write')
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return raw(connection).commit()
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return raw(connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    raw(connection).release()
  }

  /** The engine is closed where it was opened. */
  async destroy(): Promise<void> {}
}

class DecodingConnection implements DatabaseConnection {
  readonly engineConnection: EngineConnection

  constructor(engineConnection: EngineConnection) {
    this.engineConnection = engineConnection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changed } = await this.engineConnection.execute({
      sql: query.sql,
      parameters: query.parameters.map(bindable),
      isRead: SelectQueryNode.is(query.query),
    })
    return { rows: decodeRows(rows) as R[], numAffectedRows: changed }
  }

  streamQuery(): never {
    throw new Error('rows are read in chunks here, not as a stream')
  }
}

function raw(connection: DatabaseConnection): EngineConnection {
  return (connection as DecodingConnection).engineConnection
}
