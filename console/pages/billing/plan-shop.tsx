import { useState, type ReactNode } from 'react'
import type { PlanView } from '../../../src/contract/billing.ts'
import type { PaymentOffer } from '../../../src/contract/payments.ts'
import { createOrder } from '../../api/payments.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { goToCheckout, type PayChoice, payChoices, payFields, PayWith } from './pay-with.tsx'

/** The plans that can be bought: what each costs and pays for, and the way to the page where it is paid. */
export function PlanShop(props: { readonly plans: readonly PlanView[]; readonly offer: PaymentOffer }): ReactNode {
  const t = useTexts('payments').plans
  const [chosen, setChosen] = useState(0)
  const choices = payChoices(props.offer)
  const choice = choices[chosen] ?? choices[0]
  if (choice === undefined || props.plans.length === 0) return null
  const { per_usd: perUsd, currency } = choice.provider
  return (
    <Section title={t.title} lead={t.lead(`${perUsd} ${currency.toUpperCase()}`)}>
      <div className="grid gap-4">
        {choices.length > 1 || choice.provider.is_test ? (
          <div className="grid max-w-md gap-4">
            <PayWith choices={choices} chosen={chosen} onChosen={setChosen} />
          </div>
        ) : null}
        <ul className="grid gap-x-10 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
          {props.plans.map((plan) => (
            <PlanCard key={plan.id} plan={plan} choice={choice} />
          ))}
        </ul>
      </div>
    </Section>
  )
}

function PlanCard({ plan, choice }: { readonly plan: PlanView; readonly choice: PayChoice }): ReactNode {
  const t = useTexts('payments').plans
  const { windows, window: windowName } = useTexts('billing').subscriptions
  const format = useFormat()
  const price = format.money(plan.price)
  const submission = useSubmission({
    fields: [],
    send: (key) => createOrder({ ...payFields(choice), plan: plan.name }, key),
    onDone: goToCheckout,
  })
  return (
    <li className="min-w-0 border-t border-line pt-3.5">
      <Form
        submission={submission}
        label={plan.name}
        className="flex h-full flex-col gap-3"
        foot={
          <Button
            type="submit"
            isBusy={submission.isSending}
            aria-label={t.buyOf(plan.name, price)}
            className="mt-auto self-start max-sm:w-full"
          >
            {t.buy}
          </Button>
        }
      >
        <div>
          <div className="flex items-start justify-between gap-3">
            <h3 className="min-w-0 text-base [overflow-wrap:anywhere]">{plan.name}</h3>
            {plan.subscribed && (
              <Badge tone="good" hasDot>
                {t.active}
              </Badge>
            )}
          </div>
          <p>
            <span className="text-xl font-medium">{price}</span>{' '}
            <span className="whitespace-nowrap text-ink-2">/ {t.days(plan.days)}</span>
          </p>
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-sm">
          {plan.groups.length > 0 && (
            <>
              <dt className="text-ink-3">{t.groups}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{format.list(plan.groups)}</dd>
            </>
          )}
          {plan.quotas.map(({ window, usd }) => (
            <div key={window} className="contents">
              <dt className="text-ink-3">{windowName(windows[window])}</dt>
              <dd>{format.money(usd)}</dd>
            </div>
          ))}
        </dl>
        {plan.quotas.length === 0 && <p className="text-sm">{t.unlimited}</p>}
        {!plan.opens_groups && <p className="text-sm text-ink-2">{t.opensNone}</p>}
        {plan.subscribed && <p className="text-sm text-ink-2">{t.again}</p>}
      </Form>
    </li>
  )
}
