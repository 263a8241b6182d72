import { nanoUsd } from '../../core/money.ts'
import type { Plan, PlanStore } from '../../metering/plan.ts'
import type { Database } from '../engine/database.ts'
import { putByName } from './put-by-name.ts'

type Quota = Plan['quotas'][number]
/** nano-USD as text: JSON has no integers of 64 bits. */
interface StoredQuota {
  readonly window: Quota['window']
  readonly usdNano: string
}

export class SqlPlanStore implements PlanStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async plans(): Promise<readonly Plan[]> {
    const rows = await this.#database.kysely.selectFrom('plans').selectAll().orderBy('name').execute()
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      groupIds: row.group_ids_json as readonly string[],
      days: row.days,
      price: nanoUsd(row.price_nano),
      quotas: (row.quotas_json as readonly StoredQuota[]).map(quotaOf),
      isManaged: row.is_managed,
    }))
  }

  async putPlan(plan: Plan): Promise<boolean> {
    const quotas: StoredQuota[] = plan.quotas.map(({ window, usd }) => ({ window, usdNano: String(usd) }))
    const id = await this.#database.transaction((transaction) =>
      putByName(transaction, 'plans', {
        id: plan.id,
        name: plan.name,
        group_ids_json: JSON.stringify(plan.groupIds),
        days: plan.days,
        price_nano: plan.price,
        quotas_json: JSON.stringify(quotas),
        is_managed: plan.isManaged,
      }),
    )
    return id !== null
  }
}

function quotaOf({ window, usdNano }: StoredQuota): Quota {
  return { window, usd: nanoUsd(BigInt(usdNano)) }
}
