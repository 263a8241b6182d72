import type { ModelListResult } from '../../core/model-list-results.ts'
import {
  type ListedModels,
  type ListedModelStore,
  LOOK_AHEAD_MS,
  LOOK_ENDS_MS,
  type ModelListStanding,
} from '../../routing/listed-models.ts'
import { SqlStore } from '../engine/database.ts'

export class SqlListedModelStore extends SqlStore implements ListedModelStore {
  async claimLook(upstreamId: string, { nowMs, everyMs }: { nowMs: number; everyMs: number }): Promise<boolean> {
    const row = await this.database.kysely
      .insertInto('listed_models')
      .values({
        upstream_id: upstreamId,
        checked_at: nowMs,
        result: null,
        base_url: null,
        known_json: null,
        added_json: '[]',
        gone_json: '[]',
      })
      .onConflict((conflict) =>
        conflict
          .column('upstream_id')
          .doUpdateSet({ checked_at: nowMs, result: null })
          .where(({ or, and, eb }) =>
            or([
              eb('listed_models.checked_at', '<=', nowMs - everyMs),
              eb('listed_models.checked_at', '>', nowMs + LOOK_AHEAD_MS),
              and([eb('listed_models.result', 'is', null), eb('listed_models.checked_at', '<=', nowMs - LOOK_ENDS_MS)]),
            ]),
          ),
      )
      .returning('upstream_id')
      .executeTakeFirst()
    return row !== undefined
  }

  async listedModels(upstreamId: string): Promise<ListedModels | null> {
    const row = await this.database.kysely
      .selectFrom('listed_models')
      .select(['base_url', 'known_json', 'added_json', 'gone_json'])
      .where('upstream_id', '=', upstreamId)
      .executeTakeFirst()
    if (row === undefined || row.base_url === null) return null
    return {
      baseUrl: row.base_url,
      known: namesIn(row.known_json),
      added: namesIn(row.added_json),
      gone: namesIn(row.gone_json),
    }
  }

  async noteLook(
    upstreamId: string,
    { result, listed }: { result: ModelListResult; listed: ListedModels | null },
  ): Promise<void> {
    const lists =
      listed === null
        ? {}
        : {
            base_url: listed.baseUrl,
            known_json: JSON.stringify(listed.known),
            added_json: JSON.stringify(listed.added),
            gone_json: JSON.stringify(listed.gone),
          }
    await this.database.kysely
      .updateTable('listed_models')
      .set({ result, ...lists })
      .where('upstream_id', '=', upstreamId)
      .execute()
  }

  async standings(): Promise<readonly ModelListStanding[]> {
    const rows = await this.database.kysely
      .selectFrom('listed_models')
      .select(['upstream_id', 'checked_at', 'result', 'base_url', 'added_json', 'gone_json'])
      .orderBy('upstream_id')
      .execute()
    return rows.map((row) => ({
      upstreamId: row.upstream_id,
      baseUrl: row.base_url,
      checkedAt: row.checked_at,
      result: row.result,
      added: namesIn(row.added_json),
      gone: namesIn(row.gone_json),
    }))
  }

  async forget(upstreamIds: readonly string[]): Promise<void> {
    await this.database.kysely.deleteFrom('listed_models').where('upstream_id', 'in', upstreamIds).execute()
  }
}

function namesIn(json: unknown): readonly string[] {
  return json as readonly string[]
}
