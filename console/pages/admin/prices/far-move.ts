import { isZero } from '../../../format/money.ts'

/** An amount that becomes so many times what it was, or so small a part of it, is more often a slip than meant. */
const FAR_TIMES = 3

/** How an amount moves that is to be looked at once more: to or from nothing, or far; null: as prices do. */
export function farMove(before: string, after: string): 'zero' | 'far' | null {
  if (isZero(before) || isZero(after)) return isZero(before) === isZero(after) ? null : 'zero'
  const [was, is] = [Number(before), Number(after)]
  return is >= was * FAR_TIMES || was >= is * FAR_TIMES ? 'far' : null
}
