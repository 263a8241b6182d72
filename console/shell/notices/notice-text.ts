import type { AlertView } from '../../../src/contract/administration.ts'
import type { Overview } from '../../../src/contract/overview.ts'
import type { PageTexts } from '../../dictionaries/page-texts.ts'
import type { Format } from '../../format/use-format.ts'

/** What an alert says, in a sentence. */
export function alertText(alert: AlertView, t: PageTexts['billing'], format: Format): string {
  if (alert.kind === 'low_balance') return t.alerts.low_balance
  if (alert.kind === 'key_ending' || alert.kind === 'subscription_ending' || alert.kind === 'renewal_failed') {
    return t.alerts[alert.kind](alert.subject_name, alert.ends_at === null ? '' : format.time(alert.ends_at))
  }
  if (alert.kind === 'device_reused') return t.alerts.device_reused(alert.subject_name)
  if (alert.kind !== 'key_quota' && alert.kind !== 'subscription')
    return t.alerts.forAdmins[alert.kind](alert.subject_name)
  return t.alerts[alert.kind](alert.subject_name, format.percent((alert.percent ?? 100) / 100))
}

interface WatchedText {
  readonly text: string
  /** When its limit resets; null: never, or it is about its expiry. */
  readonly resets: string | null
  /** Whether it has expired. */
  readonly isOver: boolean
}

/** Why a key is to be looked at, in words. */
export function watchedText(
  { used, limit, at, window }: Overview['keys'][number],
  { t, format, nowMs }: { readonly t: PageTexts['overview']['keys']; readonly format: Format; readonly nowMs: number },
): WatchedText {
  const when = at === null ? null : format.relative(at, nowMs)
  if (used === null || limit === null) {
    const isOver = at !== null && Date.parse(at) <= nowMs
    return { text: (isOver ? t.expired : t.expires)(when ?? ''), resets: null, isOver }
  }
  const [usedText, limitText] = [format.money(used), format.money(limit)]
  return {
    text: window === null ? t.quota(usedText, limitText) : t.spend(usedText, limitText, t.windows[window]),
    resets: when === null ? null : t.resets(when),
    isOver: false,
  }
}
