import {
  type ExpectedUnits,
  ONE_REQUEST,
  type UnitCounts,
  type UnitEstimate,
  type UnitPrices,
} from '../../core/units.ts'

/** The units to charge, and what they are known by. */
export interface SettledUnits {
  /** Null: none are counted, as on wires that have none where no request has a price. */
  readonly units: UnitCounts | null
  /** A unit with a price was not reported, and is charged by an estimate. */
  readonly isEstimated: boolean
  /** The report held an impossible count, which was charged at the most that can be. */
  readonly isCapped: boolean
}

/**
 * Judges how many units an answer reports, by what its request's bytes showed before. More than can be is charged at the
 * most that can be. `expected`: undefined on wires that have but requests.
 */
export function settleUnits(
  reported: UnitCounts | null,
  expected: ExpectedUnits | undefined,
  prices: UnitPrices | null,
): SettledUnits {
  if (expected === undefined && prices === null) return NOTHING
  const { requests, images, seconds, characters } = expected ?? ONE_REQUEST
  const counts = {
    requests: judge(reported?.requests ?? null, requests),
    images: judge(reported?.images ?? null, images),
    seconds: judge(reported?.seconds ?? null, seconds),
    characters: judge(reported?.characters ?? null, characters),
  }
  return {
    units: {
      requests: counts.requests.count,
      images: counts.images.count,
      seconds: counts.seconds.count,
      characters: counts.characters.count,
    },
    isEstimated:
      (isPriced(prices?.request) && counts.requests.isEstimated) ||
      (isPriced(prices?.image) && counts.images.isEstimated) ||
      (isPriced(prices?.second) && counts.seconds.isEstimated) ||
      (isPriced(prices?.character) && counts.characters.isEstimated),
    isCapped: Object.values(counts).some(({ isCapped }) => isCapped),
  }
}

/** The units that money is held for; null where none has a price. */
export function unitsToHold(expected: ExpectedUnits | undefined, prices: UnitPrices | null): UnitCounts | null {
  return prices === null ? null : settleUnits(null, expected, prices).units
}

const NOTHING: SettledUnits = { units: null, isEstimated: false, isCapped: false }

interface JudgedUnits {
  readonly count: number | null
  readonly isEstimated: boolean
  readonly isCapped: boolean
}

const NONE: JudgedUnits = { count: null, isEstimated: false, isCapped: false }

function judge(reported: number | null, estimate: UnitEstimate | null): JudgedUnits {
  if (estimate === null) return NONE
  const { expected, most, isKnown } = estimate
  if (reported === null) return { count: expected, isEstimated: !isKnown, isCapped: false }
  return { count: Math.min(reported, most), isEstimated: false, isCapped: reported > most }
}

function isPriced(price: bigint | null | undefined): boolean {
  return price !== null && price !== undefined
}
