import { plansUse, redeemCodeBatches } from '../../contract/plan-use.ts'
import { formatUsd } from '../../core/money.ts'
import { type ApiRoute, routesOf } from '../api/route.ts'
import { timeOnWire, timeOrNull } from '../api/wire-forms.ts'

const billingRoute = routesOf('Billing')
const adminRoute = routesOf('Administration')

const WEEK_MS = 7 * 86_400_000
const NEWEST_BATCHES = 200

const readUse = billingRoute('get /api/plans/use', {
  summary: 'Read how many subscriptions of each plan run, and how many end within seven days',
  who: 'staff',
  answer: plansUse,
  async handle(call, { store }) {
    const [plans, counts] = await Promise.all([
      store.plans.plans(),
      store.subscriptions.countsByPlan(call.nowMs, call.nowMs + WEEK_MS),
    ])
    const data = plans.map(({ id }) => {
      const { running, ending } = counts.get(id) ?? { running: 0, ending: 0 }
      return { id, running, ending }
    })
    return { until: timeOnWire(call.nowMs + WEEK_MS), data }
  },
})

const listBatches = adminRoute('get /api/redeem-codes/batches', {
  summary: 'List redeem codes by what was created at once, newest first, with how many were used',
  description: `The newest ${NEWEST_BATCHES}. Codes that were deleted are not counted.`,
  who: 'staff',
  answer: redeemCodeBatches,
  async handle(_call, { store }) {
    const batches = await store.redeemCodes.batches(NEWEST_BATCHES)
    return {
      data: batches.map(({ grants, note, createdAt, expiresAt, made, used }) => ({
        kind: grants.kind,
        amount: grants.kind === 'balance' ? formatUsd(grants.amount) : null,
        plan: grants.kind === 'plan' ? grants.planName : null,
        note,
        made,
        used,
        created_at: timeOnWire(createdAt),
        expires_at: timeOrNull(expiresAt),
      })),
    }
  },
})

/** Paths without a parameter come first: the first that fits serves. */
export const planUseRoutes: readonly ApiRoute[] = [readUse, listBatches]
