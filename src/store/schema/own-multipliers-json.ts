import type { Account, OwnMultipliers } from '../../access/account.ts'
import { partsPerMillion } from '../../core/money.ts'

/** Writes multipliers in millionths, which a number holds exactly. */
export function ownMultipliersJson(own: OwnMultipliers = {}): string {
  return JSON.stringify(Object.fromEntries(Object.entries(own).map(([groupId, ppm]) => [groupId, Number(ppm)])))
}

/** What an account has of it. */
export function ownMultipliersIn(stored: unknown): Pick<Account, 'ownMultipliers'> {
  const own = Object.entries(stored as Readonly<Record<string, number>>)
  if (own.length === 0) return {}
  return { ownMultipliers: Object.fromEntries(own.map(([groupId, ppm]) => [groupId, partsPerMillion(BigInt(ppm))])) }
}
