import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PaymentOffer } from '../../../src/contract/payments.ts'
import { instanceQuery } from '../../api/instance.ts'
import { createOrder } from '../../api/payments.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Form } from '../../forms/form.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { amountAboveZero } from '../../forms/typed-numbers.ts'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/section.tsx'
import { goToCheckout, type PayChoice, payChoices, payFields, PayWith } from './pay-with.tsx'

/** Orders balance and leads to the page where it is paid. Nothing is shown where nothing can be bought. */
export function TopUpCard({ offer }: { readonly offer: PaymentOffer }): ReactNode {
  const t = useTexts('payments').topUp
  const choices = payChoices(offer)
  const [first] = choices
  if (first === undefined) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <TopUpForm offer={offer} choices={choices} first={first} />
      <Elsewhere />
    </Section>
  )
}

/** The other way, where the settings have one: a link below, and no second button that says the same. */
function Elsewhere(): ReactNode {
  const t = useTexts('payments').topUp
  const { data: instance } = useQuery(instanceQuery)
  const url = instance?.top_up_url ?? null
  if (url === null) return null
  return (
    <p className="mt-3">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-6 items-center gap-1 text-accent underline underline-offset-2 [overflow-wrap:anywhere] touch:min-h-11"
      >
        {t.elsewhere(new URL(url).host)}
        <Icon name="external" />
      </a>
    </p>
  )
}

function TopUpForm(props: {
  readonly offer: PaymentOffer
  readonly choices: readonly PayChoice[]
  readonly first: PayChoice
}): ReactNode {
  const { offer, choices } = props
  const t = useTexts('payments').topUp
  const shared = useSharedTexts()
  const format = useFormat()
  const [chosen, setChosen] = useState(0)
  const choice = choices[chosen] ?? props.first
  const { provider } = choice
  const form = useForm({
    initial: { amount: offer.amounts[0] ?? '' },
    validate: ({ amount }) => ({
      amount: amountAboveZero(amount) === null && (amount.trim() === '' ? 'required' : 'amountForm'),
    }),
    messages: shared,
    send: ({ amount }, { key }) => createOrder({ ...payFields(choice), amount: amountAboveZero(amount) ?? '' }, key),
    onDone: goToCheckout,
  })
  return (
    <Form
      submission={form}
      label={t.title}
      foot={
        <div>
          <Button type="submit" look="primary" isBusy={form.isSending} className="max-sm:w-full">
            {t.pay}
          </Button>
        </div>
      }
    >
      {offer.amounts.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {offer.amounts.map((each) => (
            <Button
              key={each}
              aria-pressed={each === form.values.amount}
              aria-label={t.take(format.money(each))}
              onClick={() => form.change({ amount: each })}
            >
              {format.money(each)}
            </Button>
          ))}
        </div>
      )}
      <NumberField
        of="amount"
        {...form.text('amount', t.amount)}
        hint={t.hint(
          format.money(offer.smallest),
          format.money(offer.largest),
          `${provider.per_usd} ${provider.currency.toUpperCase()}`,
        )}
      />
      <PayWith choices={choices} chosen={chosen} onChosen={setChosen} />
    </Form>
  )
}
