/** Cases that still pass their bound: the long form plays them and fails, the short form leaves them out. */
import type { MoneyCase } from './money-case.ts'

export function titleOf({ family, wire, name }: Pick<MoneyCase, 'family' | 'wire' | 'name'>): string {
  return `${family}, ${wire}: ${name}`
}

export const OPEN_CASES: ReadonlySet<string> = new Set<string>()
