import type { CatalogStore, Model, Target, Upstream } from '../../routing/catalog.ts'
import type { Database } from '../engine/database.ts'
import { modelPriceColumns, modelPricesOf } from '../schema/prices.ts'
import { changing } from './changes.ts'
import { type NamedRow, putByName } from './put-by-name.ts'

export class SqlCatalogStore implements CatalogStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async models(): Promise<readonly Model[]> {
    const rows = await this.#database.kysely.selectFrom('models').selectAll().orderBy('name').execute()
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      prices: modelPricesOf(row),
      contextTokens: row.context_tokens,
      maxOutputTokens: row.max_output_tokens,
      targets: row.targets_json as readonly Target[],
      createdAt: row.created_at,
      isManaged: row.is_managed,
    }))
  }

  async upstreams(): Promise<readonly Upstream[]> {
    const rows = await this.#database.kysely.selectFrom('upstreams').selectAll().orderBy('name').execute()
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      protocol: row.protocol,
      baseUrl: row.base_url,
      sealedCredential: row.sealed_credential,
      connectTimeoutMs: row.connect_timeout_ms,
      firstByteTimeoutMs: row.first_byte_timeout_ms,
      timeoutMs: row.timeout_ms,
      maxConcurrency: row.max_concurrency,
      headers: row.headers_json as Readonly<Record<string, string>>,
      isManaged: row.is_managed,
    }))
  }

  putModel(model: Model): Promise<boolean> {
    return this.#put('models', {
      id: model.id,
      name: model.name,
      ...modelPriceColumns(model.prices),
      context_tokens: model.contextTokens,
      max_output_tokens: model.maxOutputTokens,
      targets_json: JSON.stringify(model.targets),
      created_at: model.createdAt,
      is_managed: model.isManaged,
    })
  }

  putUpstream(upstream: Upstream): Promise<boolean> {
    return this.#put('upstreams', {
      id: upstream.id,
      name: upstream.name,
      protocol: upstream.protocol,
      base_url: upstream.baseUrl,
      sealed_credential: upstream.sealedCredential,
      connect_timeout_ms: upstream.connectTimeoutMs,
      first_byte_timeout_ms: upstream.firstByteTimeoutMs,
      timeout_ms: upstream.timeoutMs,
      max_concurrency: upstream.maxConcurrency,
      headers_json: JSON.stringify(upstream.headers),
      is_managed: upstream.isManaged,
    })
  }

  #put(table: 'models' | 'upstreams', row: NamedRow): Promise<boolean> {
    return changing(this.#database, async (transaction, record) => {
      const id = await putByName(transaction, table, row)
      if (id !== null) await record('catalog', id)
      return id !== null
    })
  }
}
