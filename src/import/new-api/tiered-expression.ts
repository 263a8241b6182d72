import { readRational, type Rational, times, NANO, NOTHING } from '../rational.ts'
import type { ExactAmounts } from '../written-amounts.ts'

/** What the tokens of a request cost where its input is longer than `above`; amounts are nano-USD per million tokens. */
export interface ExpressionTier {
  readonly above: number
  readonly amounts: ExactAmounts
}

/** What is counted, by the source’s names. */
const COUNTED = {
  p: 'input',
  c: 'output',
  cr: 'cache_read',
  cc: 'cache_write',
  cc1h: 'cache_write_1h',
  img: 'image_input',
  ai: 'audio_input',
  ao: 'audio_output',
} as const satisfies Readonly<Record<string, keyof ExactAmounts>>
type CountedName = keyof typeof COUNTED

const LONGEST = 4_000
const MOST_TIERS = 20

const BRANCH = /^len\s*(<=?)\s*(\d{1,9})\s*\?\s*/
const TIER = /^tier\(\s*"[^"\\]{0,100}"\s*,([^()?:"]{1,1000})\)\s*/
const TERM = /^(?:([a-z]\w*)(?:\s*\*\s*([\d.]{1,20}))?|([\d.]{1,20})\s*\*\s*([a-z]\w*))$/

/**
 * Reads a price by expression that is a chain of lengths with sums of counts × USD per million tokens, such as
 * `len <= 200000 ? tier("short", p * 3 + c * 15) : tier("long", p * 6 + c * 22.5)`. Returns its tiers, the shortest
 * first; null for any other expression, as one that asks for the hour, a parameter or a count of another kind.
 */
export function readTieredExpression(expression: string): readonly ExpressionTier[] | null {
  let rest = expression.slice(0, LONGEST + 1).replace(/^\s*(?:v1:)?\s*/, '')
  if (rest.length > LONGEST) return null
  const found: { readonly above: number; readonly prices: ReadonlyMap<CountedName, Rational> }[] = []
  let above = 0
  while (found.length < MOST_TIERS) {
    const [branch = '', operator, limit] = BRANCH.exec(rest) ?? []
    const [written = '', sum = ''] = TIER.exec(rest.slice(branch.length)) ?? []
    const prices = pricesIn(sum)
    if (prices === null) return null
    found.push({ above, prices })
    rest = rest.slice(branch.length + written.length)
    if (branch === '') return rest === '' ? withAll(found) : null
    const next = Number(limit) - (operator === '<' ? 1 : 0)
    if (next <= above || !rest.startsWith(':')) return null
    above = next
    rest = rest.slice(1).trimStart()
  }
  return null
}

/** USD per million tokens, of each kind once; null where something else is in it, or input or output is not. */
function pricesIn(sum: string): ReadonlyMap<CountedName, Rational> | null {
  const prices = new Map<CountedName, Rational>()
  for (const term of sum.split('+')) {
    const [, first, by = '1', ahead, second] = TERM.exec(term.trim()) ?? []
    const counted = first ?? second
    const price = readRational(ahead ?? by)
    if (counted === undefined || !isCounted(counted) || prices.has(counted) || price === null) return null
    prices.set(counted, price)
  }
  return prices.has('p') && prices.has('c') ? prices : null
}

function isCounted(name: string): name is CountedName {
  return Object.hasOwn(COUNTED, name)
}

/**
 * A kind that one tier names is apart from the input in all of them, and costs nothing in those that do not name it. One that
 * none names is input or output as any other; writes for an hour are as other writes then.
 */
function withAll(
  found: readonly { readonly above: number; readonly prices: ReadonlyMap<CountedName, Rational> }[],
): readonly ExpressionTier[] {
  const named = new Set(found.flatMap(({ prices }) => [...prices.keys()]))
  return found.map(({ above, prices }) => {
    const priceOf = (name: CountedName) => times(prices.get(name) ?? NOTHING, NANO)
    const amounts = Object.fromEntries([...named].map((name) => [COUNTED[name], priceOf(name)] as const))
    const hour = named.has('cc') && !named.has('cc1h') ? { cache_write_1h: priceOf('cc') } : {}
    return { above, amounts: { ...amounts, ...hour } }
  })
}
