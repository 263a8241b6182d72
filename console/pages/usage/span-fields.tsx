import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { localInputOf, momentOfLocalInput, timeText } from '../../format/local-time.ts'
import { formatTimeZone } from '../../format/time.ts'
import { usePreferences } from '../../preferences.ts'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { useNow } from '../../ui/use-now.ts'
import { SPAN_NAMES, type Span, type SpanChoice } from './span.ts'
import type { UsageView } from './use-usage-search.ts'

/** The span of time: one of the usual ones, or moments of the reader's own, in the reader's zone. */
export function SpanFields({ view }: { readonly view: UsageView }): ReactNode {
  const t = useTexts('usage')
  const choice = view.search.span
  return (
    <>
      <Select<SpanChoice['name']>
        aria-label={t.span}
        className="w-34 max-sm:w-full"
        value={choice.name}
        onValue={(name) => view.change({ span: name === 'custom' ? { name, ...view.span } : { name }, by: null })}
        options={[
          ...SPAN_NAMES.map((name) => ({ value: name, label: t.spans[name] })),
          { value: 'custom', label: t.spans.custom },
        ]}
      />
      {choice.name === 'custom' && (
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <SpanEnd view={view} end="from" />
          <SpanEnd view={view} end="to" />
        </div>
      )}
    </>
  )
}

function SpanEnd({ view, end }: { readonly view: UsageView; readonly end: 'from' | 'to' }): ReactNode {
  const t = useTexts('usage')
  const nowMs = useNow()
  const { span, timeZone } = view
  const { language } = usePreferences()
  const shownMs = span[end] === null ? nowMs : Date.parse(span[end])
  return (
    <label className="flex items-center gap-2 text-sm text-ink-3 max-sm:w-full max-sm:justify-between">
      {t[end]}
      <Input
        type="datetime-local"
        title={t.zone(formatTimeZone(timeZone, language, shownMs))}
        className="w-52 max-sm:w-62"
        // A new default when the address changes by itself; while the reader types, nothing is changed under their hands.
        key={span[end]}
        defaultValue={localInputOf(shownMs, timeZone)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        onBlur={(event) => {
          const ms = momentOfLocalInput(event.currentTarget.value, timeZone)
          if (ms === undefined || Math.floor(ms / 60_000) === Math.floor(shownMs / 60_000)) return
          view.change({ span: withEnd(span, end, timeText(ms)), by: null })
        }}
      />
    </label>
  )
}

/** The span with another end; the one that would then be on the wrong side is left open. */
function withEnd({ from, to }: Span, end: 'from' | 'to', time: string): SpanChoice {
  if (end === 'from') return { name: 'custom', from: time, to: to !== null && to <= time ? null : to }
  return { name: 'custom', from: from >= time ? null : from, to: time }
}
