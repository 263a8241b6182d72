import { amountOf } from '../../../forms/typed-numbers.ts'
import type { ListPrice } from './proposed-price.ts'

/** The prices of a chosen model in USD per million tokens; empty: none. */
export interface Chosen {
  readonly input: string
  readonly output: string
  /** The list price that was proposed; null: there is none. */
  readonly listed: ListPrice | null
}

/** The price of a model that is added: all of the list price where its amounts were left as they are; null: it has none. */
export function chosenPrice(chosen: Chosen): ListPrice['price'] | { input: string; output: string } | null {
  const [input, output] = [amountOf(chosen.input), amountOf(chosen.output)]
  if (input === null || output === null) return null
  return chosen.listed !== null && isListed(chosen) ? chosen.listed.price : { input, output }
}

/** Whether the prices are those of the list. */
export function isListed({ input, output, listed }: Chosen): boolean {
  return listed !== null && input === listed.price.input && output === listed.price.output
}
