import type { Selectable } from 'kysely'
import { nanoUsd } from '../../core/money.ts'
import type { AddAnswer, DeleteAnswer, EditAnswer, StoredUse } from '../../core/stored-edits.ts'
import type { Plan, PlanStore } from '../../metering/funds/plan.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { limitsIn, limitsJson } from '../schema/limits-json.ts'
import type { PlanRow } from '../schema/tables.ts'
import { addNamed, deleteNamed, editNamed, type NamedObjects } from './named-objects.ts'
import { type NamedRow, putByName } from './put-by-name.ts'
import { quotasJson, quotasOf } from '../schema/quotas-json.ts'

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
    const id = await this.#database.transaction((transaction) => putByName(transaction, 'plans', rowOf(plan)))
    return id !== null
  }

  addPlan(plan: Plan): Promise<AddAnswer> {
    return addNamed(this.#database, PLANS, plan)
  }

  editPlan(id: string, edit: (before: Plan) => Plan): Promise<EditAnswer<Plan>> {
    return editNamed(this.#database, PLANS, { id, edit })
  }

  deletePlan(id: string): Promise<DeleteAnswer<Plan>> {
    return deleteNamed(this.#database, PLANS, { id, usesOf: openCodesFor })
  }
}

const PLANS: NamedObjects<Plan> = { table: 'plans', rowOf, storedOf: planOf, isRemembered: false }

async function openCodesFor(transaction: TablesTransaction, plan: Plan): Promise<readonly StoredUse[]> {
  const { open } = await transaction
    .selectFrom('redeem_codes')
    .select((code) => code.fn.countAll<number>().as('open'))
    .where('plan_id', '=', plan.id)
    .where('redeemed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return [{ by: 'redeem_codes', count: open, names: [] }]
}

function rowOf(plan: Plan): NamedRow {
  return {
    id: plan.id,
    name: plan.name,
    group_ids_json: JSON.stringify(plan.groupIds),
    is_opening_groups: plan.opensGroups,
    days: plan.days,
    price_nano: plan.price,
    quotas_json: quotasJson(plan.quotas),
    limits_json: limitsJson(plan.limits),
    is_managed: plan.isManaged,
  }
}

export function planOf(row: Selectable<PlanRow>): Plan {
  return {
    id: row.id,
    name: row.name,
    groupIds: row.group_ids_json as readonly string[],
    opensGroups: row.is_opening_groups,
    days: row.days,
    price: nanoUsd(row.price_nano),
    quotas: quotasOf(row.quotas_json),
    ...limitsIn(row.limits_json),
    isManaged: row.is_managed,
  }
}
