import { formatUsd, parseUsd, partsPerMillion } from '../../core/money.ts'
import type { ProviderCost } from '../../core/provider-cost.ts'
import type { Target } from '../../routing/catalog.ts'
import { type ModelPricesJson, modelPricesJson, modelPricesOfJson } from './price-rules-json.ts'

/** The column `targets_json`: targets as they are, but for amounts, which are text. */
type TargetJson = Omit<Target, 'cost' | 'minMargin' | 'spendPerDay'> & {
  readonly cost?: { readonly factor: string } | { readonly prices: ModelPricesJson }
  /** Parts per million. */
  readonly minMargin?: string
  /** USD. */
  readonly spendPerDay?: string
}

export function targetsJson(targets: readonly Target[]): string {
  return JSON.stringify(targets.map(written))
}

/** Reads the column, parsed. */
export function targetsOf(json: unknown): readonly Target[] {
  return (json as readonly TargetJson[]).map(read)
}

function written({ cost, minMargin, spendPerDay, ...target }: Target): TargetJson {
  const { model, priority, weight, upstreamId, groupIds, shadow, droppedSettings, fieldsLike, rules } = target
  return {
    model,
    priority,
    weight,
    upstreamId,
    ...(groupIds === undefined ? {} : { groupIds }),
    ...(cost === undefined
      ? {}
      : { cost: cost.kind === 'factor' ? { factor: String(cost.factor) } : { prices: modelPricesJson(cost.prices) } }),
    ...(minMargin === undefined ? {} : { minMargin: String(minMargin) }),
    ...(spendPerDay === undefined ? {} : { spendPerDay: formatUsd(spendPerDay) }),
    ...(shadow === undefined ? {} : { shadow }),
    ...(droppedSettings === undefined ? {} : { droppedSettings }),
    ...(fieldsLike === undefined ? {} : { fieldsLike }),
    ...(rules === undefined ? {} : { rules }),
  }
}

function read({ cost, minMargin, spendPerDay, ...target }: TargetJson): Target {
  return {
    ...target,
    ...(cost === undefined ? {} : { cost: costOf(cost) }),
    ...(minMargin === undefined ? {} : { minMargin: partsPerMillion(BigInt(minMargin)) }),
    ...(spendPerDay === undefined ? {} : { spendPerDay: parseUsd(spendPerDay) }),
  }
}

function costOf(cost: NonNullable<TargetJson['cost']>): ProviderCost {
  if ('factor' in cost) return { kind: 'factor', factor: partsPerMillion(BigInt(cost.factor)) }
  return { kind: 'prices', prices: modelPricesOfJson(cost.prices) }
}
