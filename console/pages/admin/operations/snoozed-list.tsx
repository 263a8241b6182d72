import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AttentionView } from '../../../../src/contract/attention.ts'
import { wakeItems } from '../../../api/attention.ts'
import { thingsToDo } from '../../../api/things-to-do.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { titleOf } from './attention-title.ts'
import { TodoItem } from './todo-item.tsx'

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
  if (items.length === 0) return null
  return (
    <Disclosure title={t.snooze.list} summary={format.number(items.length)}>
      {wake.error !== null && <ErrorState error={wake.error} />}
      <ul>
        {items.map((item) => (
          <TodoItem
            key={item.ids.join(' ')}
            tone="neutral"
            title={titleOf(item, t, format)}
            aside={<span>{t.snooze.until(format.time(item.snoozed.until))}</span>}
            action={
              mayWake && (
                <Button
                  isBusy={wake.isPending && wake.variables === item.ids}
                  aria-label={`${t.snooze.wake}: ${titleOf(item, t, format)}`}
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
