import { useQueryClient } from '@tanstack/react-query'
import type { PaymentSettingsPatch, PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { changePaymentSettings } from '../../../../api/payments.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { type FormOptions, type FormState, useForm } from '../../../../forms/use-form.ts'

interface PaymentFormOptions<Values, Problem extends string> extends Pick<
  FormOptions<Values, PaymentSettingsView, Problem>,
  'initial' | 'validate' | 'messages' | 'onClose'
> {
  /** The settings when the form was opened. */
  readonly settings: PaymentSettingsView
  change(values: Values): PaymentSettingsPatch
}

/** The form of one part of payments, whose values are named as the API names the fields. */
export function usePaymentForm<Values extends object, Problem extends string = never>(
  options: PaymentFormOptions<Values, Problem>,
): FormState<Values> {
  const t = useTexts('paymentSettings')
  const queries = useQueryClient()
  return useForm<Values, PaymentSettingsView, Problem>({
    ...options,
    send: (values, { version }) => changePaymentSettings(options.change(values), version ?? options.settings.version),
    done: () => t.saved,
    onDone: (now) => void queries.setQueryData(['settings', 'payments'], now),
    // What the billing page offers follows from them.
    refreshes: ['settings', 'payments'],
  })
}
