/** Why a target was taken for a request or left out, each with the letter that a usage record keeps of it. */
export const ROUTE_REASONS = {
  /** Asked. */
  taken: 't',
  /** Asked by the rule that keeps a conversation where it is. */
  affinity: 'a',
  /** Asked although it rested, since too few others were well. */
  panic: 'p',
  /** Asked beside another one, which let wait for its answer. */
  hedge: 'b',
  /** Not needed: another one was chosen, and asked to the end. */
  not_needed: 'n',
  /** Doubtful: failures of late leave open whether it is well, and few requests find out while others are. */
  doubt: 'q',
  /** Resting after failures. */
  cooling: 'c',
  /** Held: its credential was refused, or has nothing left. */
  held: 'h',
  /** A person switched it off. */
  disabled: 'd',
  /** Serving other groups than the one that the request is charged in. */
  group: 'g',
  /** What its provider charges leaves too little of the price. */
  margin: 'm',
  /** Unable to carry the request: its protocol, or something that the request holds. */
  capability: 'w',
  /** The request names something that another one keeps. */
  owner: 'o',
  /** Busier than the others, so that affinity gave way, or with as many requests as it may have. */
  load: 'l',
  /** Out of what it may spend. */
  cap: 's',
  /** Out of retries: too many of its requests failed elsewhere. */
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
