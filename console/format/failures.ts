interface Requests {
  readonly requests: number
  readonly failed: number
}

/** The share from which on failures are worth a colour. */
const MANY = 0.1
/** The growth of the share, from the time before, that is. */
const RISE = 1.5

/** Whether failures are shown in red: above a tenth, or rising. A few of many, as every day, are grey. */
export function isAlarming(now: Requests, before?: Requests): boolean {
  if (now.failed === 0) return false
  const share = now.failed / now.requests
  if (share > MANY) return true
  return (
    before !== undefined && before.requests > 0 && share > RISE * (before.failed / before.requests) && now.failed >= FEW
  )
}

/** So few are chance. */
const FEW = 3
