import { momentOfLocalInput, startOfDay, timeText } from './local-time.ts'

/**
 * Days of an address (`2026-11-21`), which are days of the reader and both included, as the times that the API takes. What
 * is not a day is left out.
 */
export function daySpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  timeZone: string,
): { readonly from?: string; readonly to?: string } {
  const start = dayStart(from, timeZone)
  const end = dayStart(to, timeZone)
  return {
    ...(start === undefined ? {} : { from: timeText(start) }),
    ...(end === undefined ? {} : { to: timeText(startOfDay(end, timeZone, 1)) }),
  }
}

function dayStart(day: string | undefined, timeZone: string): number | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(day ?? '') ? momentOfLocalInput(`${day}T00:00`, timeZone) : undefined
}
