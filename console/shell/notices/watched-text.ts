import type { Overview } from '../../../src/contract/overview.ts'
import type { OverviewTexts } from '../../dictionaries/overview-en.ts'
import type { Format } from '../../format/use-format.ts'

export interface WatchedText {
  readonly text: string
  /** When its limit resets; null: never, or it is about its expiry. */
  readonly resets: string | null
  /** Whether it has expired. */
  readonly isOver: boolean
}

/** Why a key is to be looked at, in words. */
export function watchedText(
  { used, limit, at, window }: Overview['keys'][number],
  { t, format, nowMs }: { readonly t: OverviewTexts['keys']; readonly format: Format; readonly nowMs: number },
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
