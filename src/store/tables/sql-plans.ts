import type { Selectable } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { Plan, PlanStore } from '../../metering/plan.ts'
import type { Database } from '../engine/database.ts'
import type { PlanRow } from '../schema/tables.ts'
import { putByName } from './put-by-name.ts'
import { quotasJson, quotasOf } from './quotas-json.ts'

export class SqlPlanStore implements PlanStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async plans(): Promise<readonly Plan[]> {
    const rows = await this.#database.kysely.selectFrom('plans').selectAll().orderBy('name').execute()
    return rows.map(planOf)
  }

  async putPlan(plan: Plan): Promise<boolean> {
    const id = await this.#database.transaction((transaction) =>
      putByName(transaction, 'plans', {
        id: plan.id,
        name: plan.name,
        group_ids_json: JSON.stringify(plan.groupIds),
        days: plan.days,
        price_nano: plan.price,
        quotas_json: quotasJson(plan.quotas),
        is_managed: plan.isManaged,
      }),
    )
    return id !== null
  }
}

export function planOf(row: Selectable<PlanRow>): Plan {
  return {
    id: row.id,
    name: row.name,
    groupIds: row.group_ids_json as readonly string[],
    days: row.days,
    price: nanoUsd(row.price_nano),
    quotas: quotasOf(row.quotas_json),
    isManaged: row.is_managed,
  }
}
