import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AttentionItemView, AttentionView } from '../../../../src/contract/attention.ts'
import { snoozeItems, wakeItems } from '../../../api/attention.ts'
import { thingsToDo, type ThingToDo } from '../../../api/things-to-do.ts'
import { useMay } from '../../../api/use-may.ts'
import { type PageTexts, useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { type Format, useFormat } from '../../../format/use-format.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useForm } from '../../../forms/use-form.ts'
import { adviceOf, titleOf } from './attention-title.ts'
import { HealLink } from './heal-link.tsx'
import { TestButton, TestSaid, useUpstreamTest } from './test-button.tsx'
import { SaidAdvice } from '../../faults/said-advice.tsx'
import { TodoItem } from './todo-item.tsx'

/** What needs an admin now, worst first. */
export function AttentionList({ attention }: { readonly attention: AttentionView }): ReactNode {
  const t = useTexts('operations')
  const format = useFormat()
  const [snoozing, setSnoozing] = useState<ThingToDo | null>(null)
  const nowMs = Date.parse(attention.looked_at)
  const looked = t.looked(format.clock(nowMs, nowMs))
  if (attention.data.length === 0) {
    return (
      <Section title={t.needs}>
        <p className="flex flex-wrap items-center gap-x-2 text-ink-2">
          <Icon name="check" className="text-good" />
          <span className="font-medium text-ink">{t.nothing}</span>
          <span className="text-sm">{looked}</span>
        </p>
      </Section>
    )
  }
  return (
    <Section title={t.needs} lead={looked}>
      <ul>
        {thingsToDo(attention.data).map((item) => (
          <AttentionRow key={item.ids.join(' ')} item={item} nowMs={nowMs} onSnooze={setSnoozing} />
        ))}
      </ul>
      {snoozing !== null && (
        <SnoozeItem
          key={snoozing.ids.join(' ')}
          items={snoozing.ids}
          title={titleOf(snoozing, { t, format, nowMs })}
          onClose={() => setSnoozing(null)}
        />
      )}
    </Section>
  )
}

/** One thing to do; many of a kind unfold into themselves. */
function AttentionRow(props: {
  readonly item: ThingToDo
  readonly nowMs: number
  onSnooze(item: ThingToDo): void
}): ReactNode {
  const t = useTexts('operations')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const [maySnooze, mayTest] = [useMay('prices'), useMay('catalogue')]
  const { item, nowMs } = props
  const test = useUpstreamTest(item)
  const title = titleOf(item, { t, format, nowMs })
  const facts = [...namesOf(item, t, format), ...diskFacts(item, t, format), ...triedFacts(item, t, format)]
  return (
    <TodoItem
      tone={item.severity === 'bad' ? 'bad' : 'warn'}
      title={title}
      aside={<Signs item={item} t={t} format={format} />}
      action={
        <div className="flex flex-wrap gap-2">
          {test !== null && mayTest && <TestButton test={test} title={title} />}
          {item.parts.length === 0 && <HealLink item={item} />}
          {maySnooze && (
            <Button look="quiet" aria-label={`${t.snooze.action}: ${title}`} onClick={() => props.onSnooze(item)}>
              {t.snooze.action}
            </Button>
          )}
        </div>
      }
    >
      {item.said !== null && (
        <span className="block [overflow-wrap:anywhere]">
          {t.providerSaid(item.said)} <SaidAdvice said={item.said} />
        </span>
      )}
      {sentences([...facts, ...adviceOf(item, t)])}
      {test !== null && <TestSaid test={test} />}
      {item.parts.length > 0 && (
        <details className="group">
          <summary className="inline-flex min-h-8 list-none items-center gap-1 text-accent touch:min-h-11 [&::-webkit-details-marker]:hidden">
            <Icon name="right" className="transition-transform group-open:rotate-90" />
            {t.showMany(item.parts.length)}
          </summary>
          <ul className="mt-1 grid max-h-96 gap-px overflow-y-auto">
            {item.parts.map((part) => (
              <li key={part.ids.join(' ')} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1">
                <span className="min-w-0 flex-1 basis-60 text-ink [overflow-wrap:anywhere]">
                  {titleOf(part, { t, format, nowMs })}
                </span>
                <HealLink item={part} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </TodoItem>
  )
}

const MOST_NAMES = 8

/** The models that fail, where there are several: the title has their number. */
function namesOf({ kind, listed }: ThingToDo, t: PageTexts['operations'], format: Format): readonly string[] {
  if (kind !== 'model_failing' || listed === null) return []
  return [t.names(format.few(listed.names, MOST_NAMES, listed.count))]
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
      {item.since !== null && item.kind !== 'model_failing' && <RelativeTime time={item.since} text={t.since} />}
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

/** What stands and is not to be shown for a time, with why, and until when. */
export function SnoozedList({ snoozed }: { readonly snoozed: AttentionView['snoozed'] }): ReactNode {
  const t = useTexts('operations')
  const format = useFormat()
  const queries = useQueryClient()
  const mayWake = useMay('prices')
  const wake = useMutation({
    mutationFn: wakeItems,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['attention'] }),
  })
  const items = thingsToDo(snoozed)
  const nowMs = useNow()
  if (items.length === 0) return null
  return (
    <Disclosure title={t.snooze.list} summary={format.number(items.length)}>
      {wake.error !== null && <ErrorState error={wake.error} />}
      <ul>
        {items.map((item) => (
          <TodoItem
            key={item.ids.join(' ')}
            tone="neutral"
            title={titleOf(item, { t, format, nowMs })}
            aside={<span>{t.snooze.until(format.time(item.snoozed.until))}</span>}
            action={
              mayWake && (
                <Button
                  isBusy={wake.isPending && wake.variables === item.ids}
                  aria-label={`${t.snooze.wake}: ${titleOf(item, { t, format, nowMs })}`}
                  onClick={() => wake.mutate(item.ids)}
                >
                  {t.snooze.wake}
                </Button>
              )
            }
          >
            {item.snoozed.reason}
          </TodoItem>
        ))}
      </ul>
    </Disclosure>
  )
}

const HOURS = ['1', '8', '24', '168', '720'] as const

/** Asks for how long, and why, an item is not to be shown. */
function SnoozeItem(props: { readonly items: readonly string[]; readonly title: string; onClose(): void }): ReactNode {
  const t = useTexts('operations').snooze
  const { items, title, onClose } = props
  const form = useForm({
    initial: { hours: '24' as (typeof HOURS)[number], reason: '' },
    fields: ['reason'],
    validate: ({ reason }) => ({ reason: reason.trim() === '' && 'required' }),
    send: ({ hours, reason }) => snoozeItems({ items, hours: Number(hours), reason: reason.trim() }),
    refreshes: ['attention'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title} description={title} action={t.action} onClose={onClose}>
      <SelectField
        {...form.choice('hours', t.hours)}
        hint={t.hoursHint}
        options={HOURS.map((value) => ({ value, label: t.spans[value] }))}
      />
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={200} autoFocus />
    </FormDialog>
  )
}
