import type { ModelView } from '../../../../src/contract/models.ts'
import { scaled, sumOf } from '../../../format/money.ts'

/** About what a test reads, and the most that it writes. A text of the admin's own has at most a token a character. */
const INPUT_TOKENS = 30
const OUTPUT_TOKENS = '16'

/** `usd`: at the most, of the models whose prices are known. */
export interface MatrixCost {
  readonly usd: string
  /** Models of which neither a cost nor a price is known. */
  readonly unknown: readonly string[]
}

/** About what tests cost at the provider: by the dearest target of each model there, or else by the model’s own price. */
export function matrixCost(
  counts: ReadonlyMap<string, number>,
  of: { readonly models: readonly ModelView[]; readonly upstream: string; readonly textLength?: number },
): MatrixCost {
  const { models, upstream, textLength = 0 } = of
  const inputTokens = String(INPUT_TOKENS + textLength)
  const known = [...counts].map(([name, count]) => {
    const model = models.find((each) => each.name === name)
    return { name, count, usd: model === undefined ? null : costOf(model, { upstream, inputTokens }) }
  })
  return {
    usd: sumOf(known.map(({ usd, count }) => (usd === null ? '0' : scaled(usd, String(count), '1')))),
    unknown: known.filter(({ usd }) => usd === null).map(({ name }) => name),
  }
}

type Amounts = Pick<NonNullable<ModelView['price']>, 'input' | 'output' | 'per_request'>

interface Test {
  readonly upstream: string
  readonly inputTokens: string
}

function costOf({ price, targets }: ModelView, { upstream, inputTokens }: Test): string | null {
  const own = price === null ? null : ofRequest(price, inputTokens)
  const ofTargets = (targets ?? [])
    .filter((target) => target.upstream === upstream)
    .map(({ cost }) => {
      if (cost === null) return own
      if (cost.factor !== null) return own === null ? null : scaled(own, cost.factor, '1')
      return ofRequest(cost, inputTokens)
    })
    .filter((usd) => usd !== null)
  return ofTargets.toSorted((a, b) => Number(b) - Number(a))[0] ?? own
}

function ofRequest({ input, output, per_request: fee }: Amounts, inputTokens: string): string | null {
  if (input === null && output === null && fee === null) return null
  const tokens = (amount: string | null, count: string): string => scaled(amount ?? '0', count, '1000000')
  return sumOf([tokens(input, inputTokens), tokens(output, OUTPUT_TOKENS), fee ?? '0'])
}
