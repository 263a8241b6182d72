import { useState, type ReactNode } from 'react'
import type { PaymentSettingsView } from '../../../../../src/contract/payments.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { Dialog, Drawer } from '../../../../ui/dialog.tsx'
import { AmountsForm } from './amounts-form.tsx'
import { EpayForm } from './epay-form.tsx'
import type { PaymentPart } from './payment-settings.tsx'
import { ShopSecret } from './shop-secret.tsx'
import { StripeForm } from './stripe-form.tsx'

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
  const title = t.edit(t.parts[part].name)
  if (part === 'shop') {
    return (
      <Dialog isOpen size="small" title={t.parts.shop.name} description={t.parts.shop.does} onClose={onClose}>
        <ShopSecret hasOne={settings.has_signing_secret} onClose={onClose} />
      </Dialog>
    )
  }
  const PartForm = FORMS[part]
  return (
    <Drawer isOpen title={title} description={t.parts[part].does} onClose={onClose}>
      <PartForm settings={settings} onClose={onClose} />
    </Drawer>
  )
}
