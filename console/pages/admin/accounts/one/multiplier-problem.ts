import { factorOf } from '../../../../forms/typed-numbers.ts'
import { isZero, leftOf } from '../../../../format/money.ts'

/** What is wrong with a multiplier of an account in a group that has `most`; null: nothing, also where none is written. */
export function multiplierProblem(text: string, most: string): 'form' | 'too_high' | null {
  if (text.trim() === '') return null
  const written = factorOf(text)
  if (written === null) return 'form'
  return isZero(leftOf(written, most)) ? null : 'too_high'
}
