import { useQueryClient } from '@tanstack/react-query'
import type { PaymentSettingsPatch, PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { changePaymentSettings } from '../../../../api/payments.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { type FieldErrors, type Submission, useSubmission } from '../../../../forms/use-submission.ts'
import { useToast } from '../../../../ui/toasts.tsx'

/** The way of one editor of payments to the server; `settings`: as they were when it was opened. */
export function usePaymentEdit(options: {
  readonly fields: readonly string[]
  readonly settings: PaymentSettingsView
  check?(): FieldErrors
  change(): PaymentSettingsPatch
  onClose(): void
}): Submission {
  const t = useTexts('paymentSettings')
  const queries = useQueryClient()
  const toast = useToast()
  const { fields, settings, check, change, onClose } = options
  // What the billing page offers follows from it.
  const reload = (): void => {
    for (const name of ['settings', 'payments']) void queries.invalidateQueries({ queryKey: [name] })
  }
  return useSubmission({
    fields,
    ...(check === undefined ? {} : { check }),
    send: (_key, overwritten) => changePaymentSettings(change(), overwritten ?? settings.version),
    onTheirs: () => {
      reload()
      onClose()
    },
    onDone: (now) => {
      queries.setQueryData(['settings', 'payments'], now)
      reload()
      toast({ text: t.saved })
      onClose()
    },
  })
}
