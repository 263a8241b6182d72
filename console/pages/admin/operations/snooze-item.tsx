import type { ReactNode } from 'react'
import { snoozeItems } from '../../../api/attention.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

const HOURS = ['1', '8', '24', '168', '720'] as const

/** Asks for how long, and why, an item is not to be shown. */
export default function SnoozeItem(props: {
  readonly items: readonly string[]
  readonly title: string
  onClose(): void
}): ReactNode {
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
        name="hours"
        label={t.hours}
        hint={t.hoursHint}
        value={form.values.hours}
        onValue={(hours) => form.change({ hours })}
        options={HOURS.map((value) => ({ value, label: t.spans[value] }))}
      />
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={200} autoFocus />
    </FormDialog>
  )
}
