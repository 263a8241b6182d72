import type { Change } from '../../access/changes.ts'
import type { Group, GroupStore } from '../../access/group.ts'
import { partsPerMillion } from '../../core/money.ts'
import type { Database } from '../engine/database.ts'
import { changing } from './changes.ts'
import { putByName } from './put-by-name.ts'

export class SqlGroupStore implements GroupStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async groups(): Promise<readonly Group[]> {
    const rows = await this.#database.kysely.selectFrom('groups').selectAll().orderBy('name').execute()
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      multiplier: partsPerMillion(row.multiplier_ppm),
      models: row.models_json as readonly string[],
      isEnabled: row.is_enabled,
      isOpen: row.is_open,
      isManaged: row.is_managed,
    }))
  }

  putGroup(group: Group): Promise<Change | null> {
    return changing(this.#database, async (transaction, record) => {
      const id = await putByName(transaction, 'groups', {
        id: group.id,
        name: group.name,
        multiplier_ppm: group.multiplier,
        models_json: JSON.stringify(group.models),
        is_enabled: group.isEnabled,
        is_open: group.isOpen,
        is_managed: group.isManaged,
      })
      return id === null ? null : record('catalog', id)
    })
  }
}
