import type { ReactNode } from 'react'
import type { OrderView, PaymentOffer } from '../../../src/contract/payments.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { Notice } from '../../ui/notice.tsx'

/** One way to pay: each way of a gateway is a choice of its own. */
export interface PayChoice {
  readonly provider: PaymentOffer['providers'][number]
  readonly way: string | null
}

export function payChoices({ providers }: PaymentOffer): readonly PayChoice[] {
  return providers.flatMap((provider) =>
    provider.ways.length === 0
      ? [{ provider, way: null as string | null }]
      : provider.ways.map((way) => ({ provider, way: way as string | null })),
  )
}

/** An order's provider and way, as the API takes them. */
export function payFields({ provider, way }: PayChoice) {
  return { provider: provider.name, ...(way === null ? {} : { way }) }
}

/** Leads to the page where an order is paid. */
export function goToCheckout({ checkout_url: url }: OrderView): void {
  if (url !== null) window.location.assign(url)
}

/** Chooses among the ways to pay, where there are several, and says where no money moves. */
export function PayWith(props: {
  readonly choices: readonly PayChoice[]
  readonly chosen: number
  onChosen(index: number): void
}): ReactNode {
  const t = useTexts('payments').topUp
  const { choices, chosen } = props
  const nameOf = ({ provider, way }: PayChoice) =>
    way === null ? t.providers[provider.name] : t.ways[way as keyof typeof t.ways]
  return (
    <>
      {choices[chosen]?.provider.is_test === true && <Notice tone="warn">{t.test}</Notice>}
      {choices.length > 1 && (
        <SelectField
          name="provider"
          label={t.provider}
          value={String(chosen)}
          onValue={(value) => props.onChosen(Number(value))}
          options={choices.map((each, index) => ({ value: String(index), label: nameOf(each) }))}
        />
      )}
    </>
  )
}
