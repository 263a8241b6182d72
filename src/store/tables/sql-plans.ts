import type { Selectable } from 'kysely'
import type { Clock } from '../../core/clock.ts'
import { nanoUsd } from '../../core/money.ts'
import type { StoredUse } from '../../core/stored-edits.ts'
import type { Plan, PlanStore } from '../../metering/funds/plan.ts'
import type { Database, TablesTransaction } from '../engine/database.ts'
import { limitsIn, limitsJson } from '../schema/limits-json.ts'
import type { PlanRow } from '../schema/tables.ts'
import { namedObjects, type NamedObjects, type NamedRow } from './named-objects.ts'
import { quotasJson, quotasOf } from '../schema/quotas-json.ts'

export function plansOn(database: Database, clock: Clock): PlanStore {
  const plans = namedObjects(database, PLANS)
  return {
    plans: plans.all,
    putPlan: async (plan) => (await plans.put(plan)) !== null,
    addPlan: plans.add,
    editPlan: plans.edit,
    deletePlan: (id) =>
      plans.remove(id, async (transaction, plan) => [
        ...(await openCodesFor(transaction, plan)),
        await openInvitationsTo(transaction, plan, clock.now()),
      ]),
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

async function openInvitationsTo(transaction: TablesTransaction, plan: Plan, nowMs: number): Promise<StoredUse> {
  const { open } = await transaction
    .selectFrom('sign_in_links')
    .select((link) => link.fn.countAll<number>().as('open'))
    .where('plan_id', '=', plan.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirstOrThrow()
  return { by: 'invitations', count: open, names: [] }
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
