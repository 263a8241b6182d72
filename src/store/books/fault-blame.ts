import { type FaultCode, FAULTS, type FaultPolicy } from '../../core/faults.ts'

const POLICIES: Readonly<Record<FaultCode, FaultPolicy>> = FAULTS

/** The faults that are meant by who is to blame for them. */
export function faultsBlamedOn(isMeant: (blame: FaultPolicy['blame']) => boolean): readonly string[] {
  return Object.entries(POLICIES).flatMap(([code, { blame }]) => (isMeant(blame) ? [code] : []))
}

/** How requests end in which upstreams have a part: well (empty), or with a fault for which one is to blame. */
export const ENDS_AT_UPSTREAMS: readonly string[] = ['', ...faultsBlamedOn((blame) => blame === 'upstream')]
