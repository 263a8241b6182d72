import { amountOf } from '../../../../forms/typed-numbers.ts'

/**
 * Amounts as people list them, as the API takes them; null: one of them cannot be read. A comma within an amount can also part
 * two of them, unless a point follows it.
 */
export function amountsIn(text: string): readonly string[] | null {
  const parts = text.split(/[\s;；、]+|[,，](?=\s|$)/).filter((part) => part !== '' && part !== '$')
  const amounts = parts.flatMap((part) => (/[,，][^.．]*$/.test(part) ? [] : (amountOf(part) ?? [])))
  return amounts.length === parts.length ? amounts : null
}
