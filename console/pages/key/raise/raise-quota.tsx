import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { raiseQuota } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf } from '../../../forms/typed-numbers.ts'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { localInputOf, momentOfLocalInput, timeText, timeZoneHere } from '../../../format/local-time.ts'
import { isZero, leftOf } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useToast } from '../../../ui/toasts.tsx'

const DAY_MS = 86_400_000
const YEAR_DAYS = 366

/** Raises the quota of a key until a time. Of one that is raised already, the limit may stay and the end move. */
export default function RaiseQuota(props: { readonly apiKey: ApiKeyView; onClose(): void }): ReactNode {
  const t = useTexts('key').detail.raise
  const { objections } = useTexts('keys')
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the dialog was opened.
  const [apiKey] = useState(props.apiKey)
  const raise = apiKey.quota_raise
  const quota = apiKey.quota_limit ?? '0'
  const zone = timeZoneHere()
  const [limit, setLimit] = useState(raise === null ? '' : quota)
  const [until, setUntil] = useState(() =>
    localInputOf(raise === null ? Date.now() + DAY_MS : Date.parse(raise.ends_at), zone),
  )
  const amount = amountOf(limit)
  const limitProblem = (): string | undefined => {
    if (amount === null) return objections.amount_unreadable
    if (raise !== null) return isZero(leftOf(quota, amount)) ? undefined : t.notBelow(format.exactMoney(quota))
    return isZero(leftOf(amount, quota)) ? t.above(format.exactMoney(quota)) : undefined
  }
  const endProblem = (): string | undefined => {
    const end = momentOfLocalInput(until, zone)
    if (end === undefined || end <= Date.now()) return t.inFuture
    return end > Date.now() + YEAR_DAYS * DAY_MS ? t.withinYear : undefined
  }
  const submission = useSubmission({
    fields: ['limit', 'ends_at'],
    check: (): FieldErrors => {
      const found = Object.entries({ limit: limitProblem(), ends_at: endProblem() })
      return Object.fromEntries(found.flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])))
    },
    send: () =>
      raiseQuota(apiKey.id, {
        limit: amount ?? '',
        ends_at: timeText(momentOfLocalInput(until, zone) ?? Date.now()),
      }),
    onDone: () => {
      void queries.invalidateQueries({ queryKey: ['keys'] })
      toast({ text: t.done(apiKey.name) })
      props.onClose()
    },
  })
  return (
    <FormDialog
      form={submission}
      action={t.submit}
      size="small"
      title={t.title(apiKey.name)}
      description={t.lead(format.money(raise?.limit ?? quota))}
      onClose={props.onClose}
    >
      <NumberField
        of="amount"
        {...submission.field('limit')}
        label={t.limit}
        hint={t.limitHint}
        value={limit}
        onValue={setLimit}
      />
      <TextField
        {...submission.field('ends_at')}
        label={t.until}
        type="datetime-local"
        value={until}
        onValue={setUntil}
      />
    </FormDialog>
  )
}
