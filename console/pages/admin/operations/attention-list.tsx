import { useState, type ReactNode } from 'react'
import type { AttentionItemView, AttentionView } from '../../../../src/contract/attention.ts'
import { thingsToDo, type ThingToDo } from '../../../api/things-to-do.ts'
import { useMay } from '../../../api/use-may.ts'
import { type PageTexts, useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useFormat, type Format } from '../../../format/use-format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { adviceOf } from './advice.ts'
import { titleOf } from './attention-title.ts'
import { HealLink } from './heal-link.tsx'
import { TodoItem } from './todo-item.tsx'

const SnoozeItem = lazyPart(() => import('./snooze-item.tsx'))

/** What needs an admin now, worst first. */
export function AttentionList({ attention }: { readonly attention: AttentionView }): ReactNode {
  const t = useTexts('operations')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const maySnooze = useMay('prices')
  const [snoozing, setSnoozing] = useState<ThingToDo | null>(null)
  const looked = t.looked(format.clock(Date.parse(attention.looked_at), Date.parse(attention.looked_at)))
  if (attention.data.length === 0) {
    return (
      <Section title={t.needs}>
        <EmptyState icon="check" title={t.nothing}>
          {looked}
        </EmptyState>
      </Section>
    )
  }
  return (
    <Section title={t.needs} lead={looked}>
      <ul>
        {thingsToDo(attention.data).map((item) => (
          <TodoItem
            key={item.ids.join(' ')}
            tone={item.severity === 'bad' ? 'bad' : 'warn'}
            title={titleOf(item, t, format)}
            aside={<Signs item={item} t={t} format={format} />}
            action={
              <div className="flex flex-wrap gap-2">
                <HealLink item={item} />
                {maySnooze && (
                  <Button
                    look="quiet"
                    aria-label={`${t.snooze.action}: ${titleOf(item, t, format)}`}
                    onClick={() => setSnoozing(item)}
                  >
                    {t.snooze.action}
                  </Button>
                )}
              </div>
            }
          >
            {sentences([...diskFacts(item, t, format), ...triedFacts(item, t, format), ...adviceOf(item, t)])}
          </TodoItem>
        ))}
      </ul>
      {snoozing !== null && (
        <SnoozeItem
          key={snoozing.ids.join(' ')}
          items={snoozing.ids}
          title={titleOf(snoozing, t, format)}
          onClose={() => setSnoozing(null)}
        />
      )}
    </Section>
  )
}

function diskFacts({ disk }: AttentionItemView, t: PageTexts['operations'], format: Format): readonly string[] {
  if (disk === null) return []
  const { free_bytes: free, full_in_days: days } = disk
  return [t.disk.left(format.bytes(free)), ...(days === null ? [] : [t.disk.fullIn(days, format.number(days))])]
}

function Signs(props: {
  readonly item: AttentionItemView
  readonly t: PageTexts['operations']
  readonly format: Format
}): ReactNode {
  const { item, t, format } = props
  return (
    <>
      {item.since !== null && <RelativeTime time={item.since} text={t.since} />}
      {item.requests !== null && item.requests > 0 && (
        <span>{t.hits(item.requests, perMinute(item.requests, format))}</span>
      )}
    </>
  )
}

function triedFacts(
  { sign_ins: tried }: AttentionItemView,
  t: PageTexts['operations'],
  format: Format,
): readonly string[] {
  if (tried === null) return []
  const { address, from_address: count, accounts } = tried
  return [
    t.tried(format.number(count), address),
    ...(accounts === 0 ? [] : [t.triedAccounts(accounts, format.number(accounts))]),
  ]
}

/** The requests a minute, by those of ten minutes. */
function perMinute(requests: number, format: Format): string {
  return format.number(requests >= MINUTES * MINUTES ? Math.round(requests / MINUTES) : requests / MINUTES)
}

const MINUTES = 10
