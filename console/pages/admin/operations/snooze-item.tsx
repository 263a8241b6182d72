import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { snoozeItems } from '../../../api/attention.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Field } from '../../../forms/field.tsx'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'

const HOURS = ['1', '8', '24', '168', '720'] as const

/** For how long, and why, an item is not to be shown. */
export default function SnoozeItem(props: {
  readonly items: readonly string[]
  readonly title: string
  onClose(): void
}): ReactNode {
  const t = useTexts('operations').snooze
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const { items, title, onClose } = props
  const [hours, setHours] = useState<(typeof HOURS)[number]>('24')
  const [reason, setReason] = useState('')
  const submission = useSubmission({
    fields: ['reason'],
    check: (): FieldErrors => (reason.trim() === '' ? { reason: shared.required } : {}),
    send: () => snoozeItems({ items, hours: Number(hours), reason: reason.trim() }),
    onDone: () => {
      void queries.invalidateQueries({ queryKey: ['attention'] })
      onClose()
    },
  })
  return (
    <Dialog isOpen size="small" title={t.title} description={title} onClose={onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.action} onCancel={onClose} />}
      >
        <Field name="hours" label={t.hours} hint={t.hoursHint}>
          {(control) => (
            <Select
              {...control}
              value={hours}
              onValue={setHours}
              options={HOURS.map((value) => ({ value, label: t.spans[value] }))}
            />
          )}
        </Field>
        <TextField
          name="reason"
          label={t.reason}
          hint={t.reasonHint}
          value={reason}
          onValue={setReason}
          error={submission.errorOf('reason')}
          maxLength={200}
          autoFocus
        />
      </Form>
    </Dialog>
  )
}
