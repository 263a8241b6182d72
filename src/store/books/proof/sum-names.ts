import type { Sides } from '../agreement.ts'
import type { RollUp } from '../roll-ups.ts'
import { HOUR_FIGURES } from '../usage-hours.ts'
import { differences } from './findings.ts'

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

/** Says in which figures the sum of that name is not what rows of another table make. */
export function sentenceOf(
  rollUp: RollUp,
  name: string,
  { of, sides }: { readonly of: 'records' | 'hours'; readonly sides: Sides },
): string {
  return `usage in the ${wordsOf(rollUp, name)}: ${differencesOf(of, HOUR_FIGURES, sides)}`
}

export function differencesOf(of: 'records' | 'hours', figures: readonly string[], sides: Sides): string {
  return differences(figures, sides, (figure, [rows, said]) => `${figure} of its ${of} are ${rows}, it says ${said}`)
}

/** Says in words of what a row is the sum. */
function wordsOf(rollUp: RollUp, name: string): string {
  const said = partsOfSumName(rollUp, name)
  const at = said.get('hour_at')
  const time = at === undefined ? `day of ${iso(said.get('day_at'))}` : `hour of ${iso(at)}`
  const key = said.has('key_id') ? ` by ${said.get('key_id')}` : ''
  const account = said.has('account_id') ? `of ${said.get('account_id')}` : 'of all accounts'
  return `${time}${key} ${account} in ${said.get('group_id') || 'no group'} for ${said.get('model') || 'no model'}`
}

function iso(ms: string | undefined): string {
  return new Date(Number(ms)).toISOString()
}
