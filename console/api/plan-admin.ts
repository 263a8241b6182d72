import { queryOptions } from '@tanstack/react-query'
import type { PlanView, RedeemCodeView, SubscriptionView } from '../../src/contract/billing.ts'
import type { PlansUse, RedeemCodeBatches } from '../../src/contract/plan-use.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { apiPath, everyPage, patch, post, read, readKept, remove, request } from './request.ts'

/** The API's largest page; more subscriptions than any account has. */
const MOST_SUBSCRIPTIONS = 200

export type UseOfPlan = PlansUse['data'][number]
export type CodeBatch = RedeemCodeBatches['data'][number]

export const plansQuery = queryOptions({
  queryKey: ['plans', 'all'],
  queryFn: ({ signal }) => everyPage<PlanView>('/api/plans', { signal }),
})

/** How many subscriptions of each plan run and end soon, by its id. */
export const plansUseQuery = queryOptions({
  queryKey: ['plans', 'use'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, UseOfPlan>> => {
    const { data } = await request<PlansUse>('/api/plans/use', { signal })
    return new Map(data.map((row) => [row.id, row]))
  },
})

/** Redeem codes by what was created at once. */
export const codeBatchesQuery = read<RedeemCodeBatches>(['plans', 'codes'], '/api/redeem-codes/batches')

/** A page of redeem codes one by one, newest first; the codes themselves are not among it. */
export const codesQuery = (query: Readonly<Record<string, string>>) =>
  readKept<Page<RedeemCodeView>>(['plans', 'each-code', query], '/api/redeem-codes', { query })

/** Deletes a code that was not used. */
export const deleteCode = (id: string) => remove(apiPath`/api/redeem-codes/${id}`)

/** The subscriptions of another account. */
export const subscriptionsOfQuery = (accountId: string) =>
  read<Page<SubscriptionView>>(
    ['accounts', 'subscriptions', accountId],
    apiPath`/api/accounts/${accountId}/subscriptions`,
    { query: { limit: MOST_SUBSCRIPTIONS } },
  )

/** What an admin sets of a plan; its limits of accounts are set by the API and the file. */
export type PlanSettings = Pick<PlanView, 'name' | 'groups' | 'opens_groups' | 'days' | 'price' | 'quotas'>

export const createPlan = (body: PlanSettings, idempotencyKey: string) =>
  post<PlanView>('/api/plans', body, idempotencyKey)

/** `version`: of the plan as it was read. */
export const changePlan = (id: string, body: Partial<PlanSettings>, version: string) =>
  patch<PlanView>(apiPath`/api/plans/${id}`, body, version)

export const deletePlan = (id: string) => remove(apiPath`/api/plans/${id}`)

/** `renew`: the newest of that plan runs longer, where the account has one. */
export const assignPlan = (
  accountId: string,
  body: { readonly plan: string; readonly renew: boolean },
  idempotencyKey: string,
) => post<SubscriptionView>(apiPath`/api/accounts/${accountId}/subscriptions`, body, idempotencyKey)

/** Renews a subscription for another term of its plan. `idempotencyKey`: the same until an answer came. */
export const renewSubscription = (id: string, idempotencyKey: string) =>
  post<SubscriptionView>(apiPath`/api/subscriptions/${id}/renew`, undefined, idempotencyKey)

/** Adds some days to a subscription, whatever its plan is; nothing is paid. */
export const extendSubscription = (
  id: string,
  body: { readonly days: number; readonly reason: string },
  idempotencyKey: string,
) => post<SubscriptionView>(apiPath`/api/subscriptions/${id}/extend`, body, idempotencyKey)

export const cancelSubscription = (id: string) => post<SubscriptionView>(apiPath`/api/subscriptions/${id}/cancel`)

export interface NewCodes {
  readonly amount?: string
  readonly plan?: string
  readonly count: number
  readonly note: string
  readonly expires_at: string | null
}

/** `codes`: said once, here; null: they were said before. */
export interface MadeCodes {
  readonly codes: readonly string[] | null
  readonly data: readonly RedeemCodeView[]
}

export const createCodes = (body: NewCodes, idempotencyKey: string) =>
  post<MadeCodes>('/api/redeem-codes', body, idempotencyKey)
