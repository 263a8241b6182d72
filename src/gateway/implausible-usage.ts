import type { Clock } from '../core/clock.ts'
import type { UsageNote } from '../core/usage-notes.ts'

/** A record of which the report was not simply believed. */
export interface ImplausibleReport {
  readonly requestId: string
  readonly upstreamName: string
  readonly notes: readonly UsageNote[]
}

export interface DoubtedReportsOptions {
  readonly clock: Clock
  /** Writes a line. `count`: how many there were of this upstream since its last line, this one included. */
  log(report: ImplausibleReport & { readonly count: number }): void
  /**
   * Logs answers that name a class of service or a place without a price, which were charged at the plain one, and for calls
   * of the provider's tools without a fee, which were not charged. Its notes are the one of them.
   */
  logUnpriced(report: ImplausibleReport & { readonly count: number }): void
  alert(upstreamName: string): void
}

/** One line for each upstream in so long. */
const LINE_EVERY_MS = 60_000
/** One alert for each upstream in so long; the store sees to it that other nodes add none. */
const ALERT_EVERY_MS = 3_600_000
/** More upstreams than an installation has. */
const UPSTREAMS_LIMIT = 1_000

/** What a provider does by its report, and not a client by leaving. */
const OF_THE_REPORT: ReadonlySet<UsageNote> = new Set([
  'input_above_bytes',
  'input_above_limit',
  'output_above_limit',
  'calls_above_limit',
  'input_reported_as_none',
  'output_reported_as_none',
])

/** What has no price, though the report is believed. */
const UNPRICED = ['terms_unpriced', 'calls_unpriced'] as const

/** Whether one of these is a doubt about what an upstream reported. */
export function isImplausible(notes: readonly UsageNote[]): boolean {
  return notes.some((note) => OF_THE_REPORT.has(note))
}

/** Reports upstreams whose usage is implausible to admins: in the log and by an alert, each now and then. */
export class ImplausibleUsage {
  readonly #options: DoubtedReportsOptions
  readonly #byUpstream = new Map<string, { count: number; lineAt: number; alertAt: number }>()

  constructor(options: DoubtedReportsOptions) {
    this.#options = options
  }

  /** Called with every record that has notes. */
  note(report: ImplausibleReport): void {
    const now = this.#options.clock.elapsed()
    for (const note of UNPRICED) {
      if (!report.notes.includes(note)) continue
      this.#count(this.#of(`${report.upstreamName} ${note}`), now, (count) => {
        this.#options.logUnpriced({ ...report, notes: [note], count })
      })
    }
    if (!isImplausible(report.notes)) return
    const of = this.#of(report.upstreamName)
    this.#count(of, now, (count) => this.#options.log({ ...report, count }))
    if (now < of.alertAt) return
    of.alertAt = now + ALERT_EVERY_MS
    this.#options.alert(report.upstreamName)
  }

  #count(of: { count: number; lineAt: number }, now: number, write: (count: number) => void): void {
    of.count += 1
    if (now < of.lineAt) return
    of.lineAt = now + LINE_EVERY_MS
    write(of.count)
    of.count = 0
  }

  #of(upstreamName: string): { count: number; lineAt: number; alertAt: number } {
    const known = this.#byUpstream.get(upstreamName)
    if (known !== undefined) return known
    if (this.#byUpstream.size >= UPSTREAMS_LIMIT) this.#byUpstream.clear()
    const fresh = { count: 0, lineAt: 0, alertAt: 0 }
    this.#byUpstream.set(upstreamName, fresh)
    return fresh
  }
}
