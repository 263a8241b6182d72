import { useQueryClient } from '@tanstack/react-query'
import type { PaymentSettingsPatch, PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { changePaymentSettings } from '../../../../api/payments.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { type FormOptions, type FormState, useForm } from '../../../../forms/use-form.ts'

/** What the form of a part of payments is given. */
export interface PaymentFormProps {
  /** The settings when the form was opened. */
  readonly settings: PaymentSettingsView
  onClose(): void
}

type Options<Values, Problem extends string> = FormOptions<Values, PaymentSettingsView, Problem>

/** The form of one part of payments, whose values are named as the API names the fields. */
export function usePaymentForm<Values extends object, Problem extends string = never>({
  settings,
  change,
  ...options
}: PaymentFormProps &
  Pick<Options<Values, Problem>, 'initial' | 'validate' | 'messages'> & {
    change(values: Values): PaymentSettingsPatch
  }): FormState<Values> {
  const t = useTexts('paymentSettings')
  const queries = useQueryClient()
  return useForm<Values, PaymentSettingsView, Problem>({
    ...options,
    send: (values, { version }) => changePaymentSettings(change(values), version ?? settings.version),
    done: () => t.saved,
    onDone: (now) => void queries.setQueryData(['settings', 'payments'], now),
    // What the billing page offers follows from them.
    refreshes: ['settings', 'payments'],
  })
}
