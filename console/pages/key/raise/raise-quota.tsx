import { useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { raiseQuota } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf } from '../../../forms/typed-numbers.ts'
import { useForm } from '../../../forms/use-form.ts'
import type { FieldErrors } from '../../../forms/use-submission.ts'
import { localInputOf, momentOfLocalInput, timeText, timeZoneHere } from '../../../format/local-time.ts'
import { isZero, leftOf } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'

const DAY_MS = 86_400_000
const YEAR_DAYS = 366

/** Raises the quota of a key until a time. Of one that is raised already, the limit may stay and the end move. */
export default function RaiseQuota(props: { readonly apiKey: ApiKeyView; onClose(): void }): ReactNode {
  const t = useTexts('key').detail.raise
  const { objections } = useTexts('keys')
  const format = useFormat()
  // As it was when the dialog was opened.
  const [apiKey] = useState(props.apiKey)
  const raise = apiKey.quota_raise
  const quota = apiKey.quota_limit ?? '0'
  const zone = timeZoneHere()
  const limitProblem = (limit: string): string | undefined => {
    const amount = amountOf(limit)
    if (amount === null) return objections.amount_unreadable
    if (raise !== null) return isZero(leftOf(quota, amount)) ? undefined : t.notBelow(format.exactMoney(quota))
    return isZero(leftOf(amount, quota)) ? t.above(format.exactMoney(quota)) : undefined
  }
  const endProblem = (until: string): string | undefined => {
    const end = momentOfLocalInput(until, zone)
    if (end === undefined || end <= Date.now()) return t.inFuture
    return end > Date.now() + YEAR_DAYS * DAY_MS ? t.withinYear : undefined
  }
  const form = useForm({
    initial: () => ({
      limit: raise === null ? '' : quota,
      ends_at: localInputOf(raise === null ? Date.now() + DAY_MS : Date.parse(raise.ends_at), zone),
    }),
    check: (values): FieldErrors => {
      const found = Object.entries({ limit: limitProblem(values.limit), ends_at: endProblem(values.ends_at) })
      return Object.fromEntries(found.flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])))
    },
    send: (values) =>
      raiseQuota(apiKey.id, {
        limit: amountOf(values.limit) ?? '',
        ends_at: timeText(momentOfLocalInput(values.ends_at, zone) ?? Date.now()),
      }),
    done: () => t.done(apiKey.name),
    refreshes: ['keys'],
    onClose: props.onClose,
  })
  return (
    <FormDialog
      form={form}
      action={t.submit}
      size="small"
      title={t.title(apiKey.name)}
      description={t.lead(format.money(raise?.limit ?? quota))}
      onClose={props.onClose}
    >
      <NumberField of="amount" {...form.text('limit', t.limit)} hint={t.limitHint} />
      <TextField {...form.text('ends_at', t.until)} type="datetime-local" />
    </FormDialog>
  )
}
