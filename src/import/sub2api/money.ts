import { nanoUsd, ONE_PPM, partsPerMillion, ZERO_NANO_USD } from '../../core/money.ts'
import type { NanoUsd, PartsPerMillion } from '../../core/money.ts'
import { floorOf, nearest, rational, times, NANO } from '../rational.ts'
import { decimalIn, type Row } from '../source.ts'

/** A column of USD; 0 where there is nothing. What is finer than a nano-USD is rounded down. */
export function usdIn(row: Row, column: string): NanoUsd {
  const usd = decimalIn(row, column)
  return usd === null ? ZERO_NANO_USD : nanoUsd(floorOf(times(usd, NANO)))
}

/** null where there is nothing, and where it is 0, which stands for no limit there. */
export function limitIn(row: Row, column: string): NanoUsd | null {
  const usd = usdIn(row, column)
  return usd > 0n ? usd : null
}

/** Four decimals there, so that nothing is lost; 1 where there is nothing. */
export function multiplierIn(row: Row, column: string): PartsPerMillion {
  const factor = decimalIn(row, column)
  if (factor === null || factor.over < 0n) return ONE_PPM
  return partsPerMillion(nearest(times(factor, rational(ONE_PPM))))
}
