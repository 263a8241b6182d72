import type { PlanView } from '../../../../src/contract/billing.ts'
import type { PlanSettings } from '../../../api/plan-admin.ts'
import { changedFields } from '../kit/changed-fields.ts'
import { amountOf, amountOrNone, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'

/** The windows of a plan, the shortest first. */
export const WINDOWS = ['5h', '1d', '7d', '30d', 'term'] as const
export type PlanWindow = (typeof WINDOWS)[number]

/** What is written in the form of a plan; an empty window: none. */
export interface PlanForm {
  readonly name: string
  readonly groups: readonly string[]
  readonly opensGroups: boolean
  readonly days: string
  readonly price: string
  readonly quotas: { readonly [Window in PlanWindow]: string }
}

/** The form of a plan as it is; null: of a new one. */
export function toForm(plan: PlanView | null): PlanForm {
  const usdOf = (window: PlanWindow): string => plan?.quotas.find((each) => each.window === window)?.usd ?? ''
  return {
    name: plan?.name ?? '',
    groups: plan?.groups ?? [],
    opensGroups: plan?.opens_groups ?? true,
    days: plan === null ? '30' : String(plan.days),
    price: plan?.price ?? '',
    quotas: Object.fromEntries(WINDOWS.map((window) => [window, usdOf(window)])) as PlanForm['quotas'],
  }
}

type Problem = 'required' | 'daysForm' | 'amountForm' | 'noGroups'

const DAYS = { least: 1, most: 36_500 } as const

/** What is wrong with the form, by its fields; empty: nothing. */
export function validate({ name, groups, days, price, quotas }: PlanForm): Readonly<Record<string, Problem>> {
  const windows = WINDOWS.filter((window) => !isEmptyOr(amountOf, quotas[window]))
  return {
    ...(name.trim() === '' ? { name: 'required' } : {}),
    ...(amountOf(price) === null ? { price: 'amountForm' } : {}),
    ...(countOf(days, DAYS) === null ? { days: 'daysForm' } : {}),
    ...(groups.length === 0 ? { groups: 'noGroups' } : {}),
    ...Object.fromEntries(windows.map((window) => [window, 'amountForm'])),
  }
}

/** Call it for a form that `validate` has nothing against. */
export function settingsOf({ name, groups, opensGroups, days, price, quotas }: PlanForm): PlanSettings {
  return {
    name: name.trim(),
    groups: [...groups],
    opens_groups: opensGroups,
    days: countOf(days, DAYS) ?? 0,
    price: amountOf(price) ?? '',
    quotas: WINDOWS.flatMap((window) => {
      const usd = amountOrNone(quotas[window])
      return usd === null ? [] : [{ window, usd }]
    }),
  }
}

/** The settings that the form changes. */
export function changeOf(plan: PlanView, form: PlanForm): Partial<PlanSettings> {
  return changedFields(settingsOf(toForm(plan)), settingsOf(form))
}
