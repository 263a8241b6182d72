import { parseUsd, ZERO_NANO_USD, type NanoUsd } from '../../core/money.ts'
import type { OrderGrant } from '../../metering/funds/order.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import { fieldProblem } from '../problem.ts'
import type { ControlStores } from '../parts.ts'

/** What an order or a redeem code is to grant. */
export type RequestedGrant =
  | { readonly kind: 'balance'; readonly amount: NanoUsd }
  | { readonly kind: 'plan'; readonly plan: Plan }

/** Reads a grant: exactly one of an amount and a plan. Throws Problem. */
export async function readGrant(
  { amount, plan: name }: { readonly amount?: string | undefined; readonly plan?: string | undefined },
  { plans }: Pick<ControlStores, 'plans'>,
): Promise<RequestedGrant> {
  if ((amount === undefined) === (name === undefined)) {
    throw fieldProblem('amount', 'Either amount or plan must be given, and not both.')
  }
  if (amount !== undefined) {
    const usd = parseUsd(amount)
    if (usd === ZERO_NANO_USD) throw fieldProblem('amount', 'amount must be more than zero.')
    return { kind: 'balance', amount: usd }
  }
  const plan = (await plans.plans()).find((each) => each.name === name)
  if (plan === undefined) throw fieldProblem('plan', 'plan must name a plan that exists: see GET /api/plans.')
  return { kind: 'plan', plan }
}

export function orderGrant(granted: RequestedGrant): OrderGrant {
  return granted.kind === 'balance' ? granted : { kind: 'plan', planId: granted.plan.id, planName: granted.plan.name }
}
