import { largerOf, type UsageReport } from './usage-report.ts'

type InputCounts = Pick<UsageReport, 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h'>

/**
 * The input of two reports on Anthropic's wire, where it comes with the start of a message and, mostly, once more at its
 * end. Anthropic says the same twice, or nothing the second time. Moonshot and Alibaba report the whole input at the start,
 * and only at the end what of it was read from a cache (maximhq/bifrost #5510, #5355; jeremychone/rust-genai #258): the
 * larger of each count would charge the cached tokens twice. Others fill the end with zeros.
 */
export function laterInput(past: UsageReport, next: UsageReport): InputCounts {
  const both = largerOf(past, next)
  if (!tellsCache(next) || wholeOf(next) === 0) return inputOf(both)
  if (tellsCache(past)) return wholeOf(next) < wholeOf(past) ? inputOf(past) : completed(next, past)
  if (next.input !== null || past.input === null) return inputOf(next)
  return { ...inputOf(next), input: Math.max(0, past.input - wholeOf(next)) }
}

function tellsCache({ cacheRead, cacheWrite }: InputCounts): boolean {
  return cacheRead !== null || cacheWrite !== null
}

function wholeOf({ input, cacheRead, cacheWrite }: InputCounts): number {
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
}

/** The end of a message says less of its writes: how long they live stands at the start alone. */
function completed(next: InputCounts, past: InputCounts): InputCounts {
  return {
    input: next.input ?? past.input,
    cacheRead: next.cacheRead ?? past.cacheRead,
    cacheWrite: next.cacheWrite ?? past.cacheWrite,
    cacheWrite1h: next.cacheWrite1h ?? past.cacheWrite1h,
  }
}

function inputOf({ input, cacheRead, cacheWrite, cacheWrite1h }: UsageReport): InputCounts {
  return { input, cacheRead, cacheWrite, cacheWrite1h }
}
