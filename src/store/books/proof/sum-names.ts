import type { RollUp } from '../roll-ups.ts'

/**
 * The name of a sum, by which both sides of an agreement mean the same one: what it is of, a line each, since millions of
 * them are made. Of a row's lane nothing is said: the lanes of a sum are added up.
 */
export function sumName({ columns }: RollUp, values: readonly (string | number)[]): string {
  return (columns.at(-1)?.[0] === 'lane' ? values.slice(0, -1) : values).join('\n')
}

/** What such a name says, by column. */
export function partsOfSumName({ columns }: RollUp, name: string): ReadonlyMap<string, string> {
  const values = name.split('\n')
  return new Map(columns.map(([column], at) => [column, values[at] ?? '']))
}
