import { useState, type ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { createSigningSecret } from '../../../../api/payments.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { amountOf } from '../../../../forms/typed-numbers.ts'
import { useOneTimeSecret } from '../../../../forms/use-one-time-secret.ts'
import { Button } from '../../../../ui/button.tsx'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { Dialog, Drawer } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import type { PaymentPart } from './payment-settings.tsx'
import { EpayForm, StripeForm } from './provider-forms.tsx'
import { amountsIn } from './typed-amounts.ts'
import { type PaymentFormProps, usePaymentForm } from './use-payment-form.ts'

const FORMS = { stripe: StripeForm, epay: EpayForm, amounts: AmountsForm } as const

/** The editor of one part of payments. */
export default function PaymentForms(props: {
  readonly part: PaymentPart
  readonly settings: PaymentSettingsView
  onClose(): void
}): ReactNode {
  const t = useTexts('paymentSettings')
  const { part, onClose } = props
  // As they were when the editor was opened: what another admin changes meanwhile is not taken back.
  const [settings] = useState(props.settings)
  const { name, does } = t.parts[part]
  if (part === 'shop') {
    return (
      <Dialog isOpen size="small" title={name} description={does} onClose={onClose}>
        <ShopSecret hasOne={settings.has_signing_secret} onClose={onClose} />
      </Dialog>
    )
  }
  const PartForm = FORMS[part]
  return (
    <Drawer isOpen title={t.edit(name)} description={does} onClose={onClose}>
      <PartForm settings={settings} onClose={onClose} />
    </Drawer>
  )
}

/** What the billing page offers for topping up, and the bounds of other amounts. */
function AmountsForm(props: PaymentFormProps): ReactNode {
  const t = useTexts('paymentSettings').form
  const shared = useSharedTexts()
  const { settings, onClose } = props
  const form = usePaymentForm({
    ...props,
    initial: { amounts: settings.amounts.join(' '), smallest: settings.smallest, largest: settings.largest },
    validate: ({ amounts, smallest, largest }) => ({
      amounts: amountsIn(amounts) === null && 'amountsForm',
      smallest: amountOf(smallest) === null && 'amountForm',
      largest: amountOf(largest) === null && 'amountForm',
    }),
    messages: { amountsForm: t.amountsForm, amountForm: shared.amountForm },
    change: ({ amounts, smallest, largest }) => ({
      amounts: [...(amountsIn(amounts) ?? [])],
      smallest: amountOf(smallest) ?? '',
      largest: amountOf(largest) ?? '',
    }),
  })
  return (
    <Form submission={form} foot={<CancelOrSubmit submission={form} action={shared.save} onCancel={onClose} />}>
      <TextField {...form.text('amounts', t.amounts)} hint={t.amountsHint} maxLength={300} autoFocus />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <NumberField of="amount" {...form.text('smallest', t.smallest)} />
        <NumberField of="amount" {...form.text('largest', t.largest)} />
      </div>
    </Form>
  )
}

/** Creates the secret that a shop signs its orders with, and shows it, once: it lives in this component's state alone. */
function ShopSecret({ hasOne, onClose }: { readonly hasOne: boolean; onClose(): void }): ReactNode {
  const t = useTexts('paymentSettings').shop
  const shared = useSharedTexts()
  const kept = useOneTimeSecret()
  const [made, setMade] = useState<{ readonly secret: string | null } | null>(null)
  const form = useForm({
    initial: {},
    send: async (_values, { key }) => kept.keep(await createSigningSecret(key)),
    onDone: () => setMade({ secret: kept.take() }),
    refreshes: ['settings'],
  })
  if (made === null) {
    return (
      <Form
        submission={form}
        foot={<CancelOrSubmit submission={form} action={hasOne ? t.replace : t.create} onCancel={onClose} />}
      >
        <p>{hasOne ? t.replaceText : t.createText}</p>
      </Form>
    )
  }
  return (
    <div className="grid gap-4">
      <Notice tone={made.secret === null ? 'bad' : 'warn'} isLive>
        {made.secret === null ? t.lost : t.once}
      </Notice>
      {made.secret !== null && <CopyField label={t.secret} value={made.secret} />}
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          {shared.close}
        </Button>
      </div>
    </div>
  )
}
