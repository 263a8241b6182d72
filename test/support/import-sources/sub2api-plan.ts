/** What an import makes of rows of sub2api, in the words of a test. */
import { formatMultiplier, formatUsd, nanoUsd } from '../../../src/core/money.ts'
import type { ModelPrices } from '../../../src/core/price-rules.ts'
import type { Acceptable, ImportPlan, ImportSettings, ListPrices } from '../../../src/import/import-plan.ts'
import { readPlan } from '../../../src/import/read-plan.ts'
import { planReport } from '../../../src/import/report.ts'
import { modelPricesOf } from '../../../src/metering/prices/written-prices.ts'
import { sub2apiInMemory, type Sub2apiTables } from './sub2api-rows.ts'

export interface PlannedFrom extends ImportPlan {
  readonly report: string
  readonly asks: readonly string[]
}

/** `pricing`: the list of the source; `shipped`: names in the list that is shipped here, each at $1 and $2. */
export async function planFrom(
  tables: Sub2apiTables,
  {
    accept = [],
    pricing = null,
    shipped = [],
    negative = null,
  }: {
    accept?: readonly Acceptable[]
    pricing?: unknown
    shipped?: readonly string[]
    negative?: ImportSettings['negative']
  } = {},
): Promise<PlannedFrom> {
  const catalogue: ListPrices = {
    named: 'a list',
    priceOf: (name) =>
      shipped.includes(name)
        ? modelPricesOf({
            input: nanoUsd(1_000_000_000n),
            output: nanoUsd(2_000_000_000n),
            cache_read: nanoUsd(100_000_000n),
          })
        : null,
  }
  const accepted = new Set(accept)
  const settings = { accepted, negative, admins: 'keep', pricing, catalogue, oidcIssuer: null, nowMs: NOW } as const
  const plan = await readPlan(sub2apiInMemory(tables), 'sub2api', settings)
  return {
    ...plan,
    report: planReport(plan, settings),
    asks: plan.approximations.map(({ name, subjects }) => `${name}: ${subjects.join('; ')}`),
  }
}

const NOW = Date.parse('2026-09-01T00:00:00Z')

/** A model's price as a line, such as `2.5/10 read 1.25, above 1000: 5/20`. */
export function priceOf(plan: ImportPlan, name: string): string | null {
  const prices = plan.models.find((model) => model.name === name)?.prices
  return prices == null ? null : shownPrice(prices)
}

type Kinds = Pick<ModelPrices, 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h'>

function shownKinds({ input, output, cacheRead, cacheWrite, cacheWrite1h }: Kinds): string {
  const usd = (amount: bigint | null) => (amount === null ? '–' : formatUsd(nanoUsd(amount)))
  const others = { read: cacheRead, write: cacheWrite, hour: cacheWrite1h }
  const said = Object.entries(others).flatMap(([kind, amount]) => (amount === null ? [] : [` ${kind} ${usd(amount)}`]))
  return `${usd(input)}/${usd(output)}${said.join('')}`
}

function shownPrice(prices: ModelPrices): string {
  const { units, rules } = prices
  if (units?.request != null) return `${formatUsd(nanoUsd(units.request / 1_000_000n))} a request`
  if (units?.image != null) return `${formatUsd(nanoUsd(units.image / 1_000_000n))} a picture`
  const tiers = (rules?.lengthTiers ?? []).map((tier) => `, above ${tier.aboveInputTokens}: ${shownKinds(tier.prices)}`)
  return shownKinds(prices) + tiers.join('')
}

/** Each target of a model: its upstream, name there, priority and groups. */
export function targetsOf(plan: ImportPlan, name: string): readonly string[] {
  const { targets = [] } = plan.models.find((model) => model.name === name) ?? {}
  return targets.map(
    ({ upstream, model, priority, weight, groups }) =>
      `${upstream}: ${model}, ${priority}${weight === 1 ? '' : ` ×${weight}`}, in ${groups.join(' and ')}`,
  )
}

export function multipliersOf(plan: ImportPlan): Readonly<Record<string, string>> {
  return Object.fromEntries(plan.groups.map(({ name, multiplier }) => [name, formatMultiplier(multiplier)]))
}
