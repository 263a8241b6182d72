/** Why a target was taken for a request or left out, each with the letter that a usage record keeps of it. */
export const ROUTE_REASONS = {
  /** It was asked. */
  taken: 't',
  /** It was asked, by the rule that keeps a conversation where it is. */
  affinity: 'a',
  /** It was asked although it rested, since too few others were well. */
  panic: 'p',
  /** It was asked beside another one, which let wait for its answer. */
  hedge: 'b',
  /** It may be asked: another one was chosen, and asked to the end. */
  not_needed: 'n',
  /** It may be asked, and failures of late leave open whether it is well: few requests find out while others are. */
  doubt: 'q',
  /** It rests after failures. */
  cooling: 'c',
  /** Its credential was refused, or has nothing left. */
  held: 'h',
  /** A person switched it off. */
  disabled: 'd',
  /** It serves other groups than the one that the request is charged in. */
  group: 'g',
  /** What its provider charges leaves too little of the price. */
  margin: 'm',
  /** It cannot carry the request: its protocol, or something that the request holds. */
  capability: 'w',
  /** The request names something that another one keeps. */
  owner: 'o',
  /** It is busier than the others, so that affinity gave way, or has as many requests as it may. */
  load: 'l',
  /** It has spent what it may. */
  cap: 's',
  /** It has had too many requests that failed elsewhere. */
  retries: 'r',
  /** The gateway cannot use it as it is configured. */
  unusable: 'u',
} as const

export type RouteReason = keyof typeof ROUTE_REASONS

export const ROUTE_REASON_NAMES = Object.keys(ROUTE_REASONS) as readonly RouteReason[]

/** Whether a request with this written trace was sent by affinity; names have no "=" in it. */
export function hasAffinity(trace: string): boolean {
  return trace.includes(`=${ROUTE_REASONS.affinity}`)
}

/** Whether a target with this reason may still be asked after another has failed. */
export function isLeft(reason: RouteReason): boolean {
  return reason === 'not_needed' || reason === 'doubt'
}

/** Whether a target with this reason was asked. */
export function isAsked(reason: RouteReason): boolean {
  return reason === 'taken' || reason === 'affinity' || reason === 'panic' || reason === 'hedge'
}
