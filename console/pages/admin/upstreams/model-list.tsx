import type { ReactNode } from 'react'
import type { UpstreamStatusView } from '../../../../src/contract/upstreams.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useNow } from '../../../ui/use-now.ts'

/** A first look may find hundreds. */
const MOST_NAMES = 20

interface ListProps {
  /** null: it is not looked at once a day, or was not yet. */
  readonly list: UpstreamStatusView['model_list']
}

/** How many models came and went there, where some did. */
export function ListChanges({ list }: ListProps): ReactNode {
  const t = useTexts('upstreams').comparing
  const format = useFormat()
  const [added, gone] = [list?.added ?? [], list?.gone ?? []]
  return (
    <>
      {added.length > 0 && (
        <span className="block text-xs text-ink-3" title={format.few(added, MOST_NAMES)}>
          {t.freshThere(added.length, format.number(added.length))}
        </span>
      )}
      {gone.length > 0 && (
        <span className="block text-xs text-warn" title={format.few(gone, MOST_NAMES)}>
          {t.goneThere(gone.length, format.number(gone.length))}
        </span>
      )}
    </>
  )
}

/** When its list was looked at last, and what is new there or gone. */
export function ModelList({ list }: ListProps): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.comparing
  const format = useFormat()
  const nowMs = useNow('halfMinute')
  if (list === null) return null
  const { result, added, gone } = list
  // Of a look that is under way only the names of the one before are there.
  if (result === null && added.length + gone.length === 0) return null
  const when = format.ago(list.checked_at, nowMs, 'minute')
  const isRead = result === 'listed'
  return (
    <div className="mb-3 grid gap-1 text-sm text-ink-2">
      {result !== null && (
        <p>
          <span title={format.second(list.checked_at)}>{isRead ? t.checked(when) : t.checkFailed(when)}</span>
          {!isRead && (
            <span className="block text-warn">{result === 'status' ? t.errorThere : texts.listResults[result]}</span>
          )}
        </p>
      )}
      {gone.length > 0 && (
        <p className="[overflow-wrap:anywhere] text-warn">{t.goneNames(format.few(gone, MOST_NAMES))}</p>
      )}
      {added.length > 0 && <p className="[overflow-wrap:anywhere]">{t.newNames(format.few(added, MOST_NAMES))}</p>}
    </div>
  )
}
